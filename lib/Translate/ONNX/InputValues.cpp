//===- InputValues.cpp - inputs that types depend on ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Axes, sizes and pads are inputs of operators. Where they come from inputs of
// the model, by whatever arithmetic, the graph exists only once those are
// known.
//
//===----------------------------------------------------------------------===//
#include "Import.h"
#include "Tensors.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "llvm/ADT/SetVector.h"
#include <set>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
using glow_onnx::GraphProto;

/// Elements of an input that may stand for a list. Values of large inputs are
/// data, and would mean a compilation for each.
static constexpr int64_t kMaxElements = 1024;

static bool canBeList(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.hasStaticShape() && tensor.getNumElements() <= kMaxElements;
}

/// The names of the model's inputs that `lists` are computed from; empty if one
/// of them is not small, or there are none.
std::vector<std::string> Importer::inputsBehind(ArrayRef<Value> lists) {
  llvm::SetVector<Value> behind(lists.begin(), lists.end());
  std::vector<std::string> names;
  for (size_t i = 0; i < behind.size(); ++i) {
    if (Operation *op = behind[i].getDefiningOp()) {
      // The extents of a value do not depend on its elements.
      if (!isa<ShapeOfOp>(op))
        behind.insert(op->operand_begin(), op->operand_end());
      continue;
    }
    auto argument = cast<BlockArgument>(behind[i]);
    auto function = cast<func::FuncOp>(argument.getOwner()->getParentOp());
    if (!canBeList(argument.getType()))
      return {};
    names.push_back(function
                        .getArgAttrOfType<StringAttr>(
                            argument.getArgNumber(), GlowDialect::kNameAttrName)
                        .str());
  }
  return names;
}

/// Notes, as problems, the ops whose results have extents that are open
/// although those of all inputs are known.
void Importer::findOpenTypes(func::FuncOp function) {
  auto isStatic = [](Type type) {
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  if (!llvm::all_of(function.getArgumentTypes(), isStatic))
    return;
  for (Operation &op : function.getBody().front().without_terminator()) {
    if (llvm::all_of(op.getResultTypes(), isStatic) ||
        !llvm::all_of(op.getOperandTypes(), isStatic))
      continue;
    SmallVector<Value> lists;
    for (Value operand : op.getOperands())
      if (Node::rank(operand) == 0 ||
          (elementType(operand).isInteger() && Node::rank(operand) == 1))
        lists.push_back(operand);
    std::vector<std::string> inputs = inputsBehind(lists);
    if (!inputs.empty())
      addProblem({"", "", "", 0, "a shape depends on the values of inputs",
                  std::move(inputs)});
  }
}

/// If only values of inputs are missing, notes which, and makes of the function
/// one that has the model's interface and nothing in it.
bool Importer::deferToValues(const GraphProto &graph, func::FuncOp function) {
  if (problems.empty())
    findOpenTypes(function);
  if (problems.empty() || llvm::any_of(problems, [](const ONNXProblem &p) {
        return p.inputs.empty();
      }))
    return false;
  SmallVector<Type> types;
  SmallVector<Attribute> names;
  for (const auto &output : graph.output()) {
    std::string reason;
    SmallVector<StringRef> dimNames;
    types.push_back(
        tensorTypeOf(output.type(), builder.getContext(), dimNames, reason));
    if (!types.back())
      return false; // not a tensor, or of unknown rank
    names.push_back(builder.getDictionaryAttr(builder.getNamedAttr(
        GlowDialect::kNameAttrName, builder.getStringAttr(output.name()))));
  }
  std::set<std::string> missing;
  for (const ONNXProblem &problem : problems)
    missing.insert(problem.inputs.begin(), problem.inputs.end());
  values->missing.assign(missing.begin(), missing.end());
  problems.clear();
  Block &block = function.getBody().front();
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    op.erase();
  builder.setInsertionPointToEnd(&block);
  SmallVector<Value> results;
  for (Type type : types)
    results.push_back(ub::PoisonOp::create(builder, function.getLoc(), type));
  func::ReturnOp::create(builder, function.getLoc(), results);
  function.setType(builder.getFunctionType(function.getArgumentTypes(), types));
  function.setAllResultAttrs(names);
  return true;
}
