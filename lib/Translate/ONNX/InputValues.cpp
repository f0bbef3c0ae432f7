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
#include "Interface.h"
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

/// Whether what the function computes decides how much there is: the size of
/// a picture, the words of a text. There is no other way to run it.
static bool isSizedByData(Operation &op) {
  auto call = dyn_cast<CallHostOp>(op);
  return call && llvm::any_of(call.getCells(), [](Attribute cell) {
           auto type = cast<TypeAttr>(cell).getValue();
           return !cast<RankedTensorType>(type).hasStaticShape();
         });
}

/// The names of the model's inputs that `lists` are computed from; empty if one
/// of them is not small, unless any will do, or there are none.
std::vector<std::string> Importer::inputsBehind(ArrayRef<Value> lists,
                                                bool takesAny) {
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
    if (!takesAny && !canBeList(argument.getType()))
      return {};
    names.push_back(function
                        .getArgAttrOfType<StringAttr>(
                            argument.getArgNumber(), GlowDialect::kNameAttrName)
                        .str());
  }
  return names;
}

/// Notes, as problems, the ops whose results have extents that are open
/// although those of all inputs are known, or that no shape tells.
void Importer::findOpenTypes(func::FuncOp function) {
  auto isStatic = [](Type type) {
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  bool isFixed = llvm::all_of(function.getArgumentTypes(), isStatic);
  for (Operation &op : function.getBody().front().without_terminator()) {
    bool isSized = isSizedByData(op);
    if (isa<UnrealizedConversionCastOp>(op) ||
        llvm::all_of(op.getResultTypes(), isStatic) ||
        (!isSized &&
         (!isFixed || !llvm::all_of(op.getOperandTypes(), isStatic))))
      continue;
    SmallVector<Value> lists;
    for (Value operand : op.getOperands())
      if (Node::rank(operand) == 0 || isSized ||
          (elementType(operand).isInteger() && Node::rank(operand) == 1))
        lists.push_back(operand);
    std::vector<std::string> inputs = inputsBehind(lists, isSized);
    if (!inputs.empty())
      addProblem({"", "", "", 0, "a shape depends on the values of inputs",
                  std::move(inputs)});
  }
}

bool Importer::wait(const GraphProto &graph) {
  std::set<std::string> missing;
  for (const ONNXProblem &problem : problems) {
    if (problem.inputs.empty() && !problem.mayNeedShapes)
      return false;
    missing.insert(problem.inputs.begin(), problem.inputs.end());
    values->needsShapes |= problem.inputs.empty();
  }
  values->missing.assign(missing.begin(), missing.end());
  if (!values->isWaiting())
    return false;
  for (const auto &output : graph.output()) {
    SmallVector<StringRef> dimNames;
    std::string reason;
    values->outputs.push_back(
        portOf(output, builder.getContext(), dimNames, reason));
  }
  problems.clear();
  return true;
}

bool ONNXInputValues::addShape(StringRef text) {
  auto [name, extents] = text.rsplit('=');
  if (extents == "[]" || extents == "none") {
    empty[name] = extents == "[]";
    return false;
  }
  std::vector<int64_t> dims;
  SmallVector<StringRef> parts;
  if (!extents.empty())
    extents.split(parts, 'x');
  for (StringRef part : parts) {
    int64_t extent;
    if (part.getAsInteger(10, extent) || extent < 0)
      return true;
    dims.push_back(extent);
  }
  shapes[name] = dims;
  return true;
}
