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
#include "llvm/ADT/TypeSwitch.h"
#include <set>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;
using glow_onnx::GraphProto;

/// Whether an input may stand for a list. Values of large inputs are data, and
/// would mean a compilation for each. How many there are may not be known yet.
static bool canBeList(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return tensor.hasStaticShape()
             ? tensor.getNumElements() <= ONNXInputValues::kMaxElements
             : tensor.getRank() == 1 && tensor.getElementType().isInteger();
}

/// The operands that decide extents, of ops for which there is no most.
static SmallVector<Value> extentOperands(Operation &op) {
  return llvm::TypeSwitch<Operation *, SmallVector<Value>>(&op)
      .Case<ExpandOp, ReshapeOp, SplatOp>(
          [](auto op) { return SmallVector<Value>{op.getShape()}; })
      .Case([](TileOp op) { return SmallVector<Value>{op.getRepeats()}; })
      .Case([](PadOp op) { return SmallVector<Value>{op.getPads()}; })
      .Case([](OneHotOp op) { return SmallVector<Value>{op.getDepth()}; })
      .Case([](ResizeOp op) { return SmallVector<Value>{op.getSizes()}; })
      .Case([](RangeOp op) { return SmallVector<Value>(op->getOperands()); })
      .Default([](Operation *) { return SmallVector<Value>(); });
}

std::vector<std::string> onnx::inputsBehind(ArrayRef<Value> lists) {
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
    // Of the body of a loop it is another in each iteration.
    if (function.isPrivate() || !canBeList(argument.getType()))
      return {};
    names.push_back(function
                        .getArgAttrOfType<StringAttr>(
                            argument.getArgNumber(), GlowDialect::kNameAttrName)
                        .str());
  }
  return names;
}

/// Notes, as problems, the ops whose results have extents that values of inputs
/// decide.
void Importer::findOpenTypes(func::FuncOp function) {
  auto isStatic = [](Type type) {
    return cast<RankedTensorType>(type).hasStaticShape();
  };
  bool isFixed = llvm::all_of(function.getArgumentTypes(), isStatic);
  values->onlyExtents = isFixed;
  for (Operation &op : function.getBody().front().without_terminator()) {
    // Functions of the runtime have results with room for the most.
    if (isa<UnrealizedConversionCastOp, CallHostOp>(op) ||
        llvm::all_of(op.getResultTypes(), isStatic))
      continue;
    SmallVector<Value> lists;
    if (!isFixed)
      lists = extentOperands(op);
    else if (llvm::all_of(op.getOperandTypes(), isStatic))
      llvm::copy_if(op.getOperands(), std::back_inserter(lists),
                    [](Value operand) {
                      return Node::rank(operand) == 0 ||
                             (elementType(operand).isInteger() &&
                              Node::rank(operand) == 1);
                    });
    std::vector<std::string> inputs = inputsBehind(lists);
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

bool ONNXInputValues::addValue(StringRef text) {
  auto [name, list] = text.rsplit('=');
  if (list.contains(".."))
    return true;
  SmallVector<StringRef> parts;
  if (!list.empty())
    list.split(parts, ',');
  numbers[name] = std::vector<std::string>(parts.begin(), parts.end());
  return false;
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

void ONNXInputValues::addMost(StringRef text) {
  auto [name, number] = text.rsplit('=');
  int64_t rows;
  if (!number.getAsInteger(10, rows) && rows > 0)
    most[name] = rows;
}

bool ONNXInputValues::tookMost(StringRef text) const {
  StringRef name = text.rsplit('=').first;
  return most.contains(name) && loops.count(name.str());
}
