//===- ForallOp.cpp - the loop over windows -------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MostElements.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

int64_t ForallOp::getNumPoints() {
  int64_t points = 1;
  for (int64_t extent : getExtents())
    points *= extent;
  return points;
}

ArrayRef<int64_t> ForallOp::getStepsOf(unsigned operand) {
  return cast<DenseI64ArrayAttr>(getSteps()[operand]).asArrayRef();
}

/// First and last element of a buffer, counted from its first one.
static std::pair<int64_t, int64_t> reachOf(Value buffer) {
  int64_t low = 0, high = 0;
  for (auto [extent, stride] :
       llvm::zip(cast<MemRefType>(buffer.getType()).getShape(),
                 layoutOf(buffer).strides))
    (stride < 0 ? low : high) += (extent - 1) * stride;
  return {low, high};
}

LogicalResult inst::verifyScratch(Operation *op) {
  for (StringRef name : {"scratch_bytes", "scratch_offset"}) {
    auto number = op->getAttrOfType<IntegerAttr>(name);
    if (number && (number.getInt() < 0 || number.getInt() > kMostBytes))
      return op->emitOpError("has ")
             << (number.getInt() < 0 ? "a negative " : "too large a ") << name;
  }
  return success();
}

LogicalResult LaunchOp::verify() { return verifyScratch(*this); }

static LogicalResult verifySpace(ForallOp op) {
  int64_t points = 1;
  for (int64_t extent : op.getExtents()) {
    std::optional<int64_t> product = llvm::checkedMul(points, extent);
    if (extent < 1 || !product || *product > kMostElements)
      return op.emitOpError("iteration space [")
             << op.getExtents() << "] is empty or too large";
    points = *product;
  }
  if (op.getExtents().empty())
    return op.emitOpError("has an iteration space without axes");
  if (op.getSteps().size() != op->getNumOperands() ||
      op.getBody().getNumArguments() != op->getNumOperands())
    return op.emitOpError("needs an argument of the body and steps for each of "
                          "its ")
           << op->getNumOperands() << " operands";
  return success();
}

/// Every window lies within its operand.
static LogicalResult verifyWindow(ForallOp op, BlockArgument argument) {
  unsigned number = argument.getArgNumber();
  Value operand = op->getOperand(number);
  auto error = [&] {
    return op.emitOpError("window ")
           << argument.getType() << " of operand " << number << " ";
  };
  auto window = dyn_cast<MemRefType>(argument.getType());
  auto whole = cast<MemRefType>(operand.getType());
  if (!window || !isStaticBuffer(window) || layoutOf(argument).offset != 0 ||
      window.getElementType() != whole.getElementType() ||
      window.getMemorySpace() != whole.getMemorySpace())
    return error() << "needs the operand's element type and space, and static "
                      "strides without an offset";
  ArrayRef<int64_t> steps = op.getStepsOf(number);
  if (steps.size() != op.getExtents().size())
    return error() << "needs a step for each axis of the iteration space";
  auto [low, high] = reachOf(argument);
  auto [lowest, highest] = reachOf(operand);
  for (auto [step, extent] : llvm::zip(steps, op.getExtents())) {
    std::optional<int64_t> way = llvm::checkedMul(step, extent - 1);
    if (step < 0 || !way || *way > kMostElements)
      return error() << "has a step that is negative or too large";
    high += *way;
  }
  if (whole.getNumElements() && window.getNumElements() &&
      (low < lowest || high > highest))
    return error() << "leaves " << whole;
  return success();
}

LogicalResult ForallOp::verify() {
  if (failed(verifySpace(*this)))
    return failure();
  for (BlockArgument argument : getBody().getArguments())
    if (failed(verifyWindow(*this, argument)))
      return failure();
  for (auto [number, output] : llvm::enumerate(getOutputs())) {
    unsigned argument = getInputs().size() + number;
    auto window = cast<MemRefType>(getBody().getArgument(argument).getType());
    auto whole = cast<MemRefType>(output.getType());
    if (llvm::checkedMul(window.getNumElements(), getNumPoints()) !=
        whole.getNumElements())
      return emitOpError("windows ")
             << window << " do not partition output " << whole;
  }
  for (Operation &op : getBody().front())
    if (!isa_and_nonnull<InstDialect>(op.getDialect()) ||
        isa<SectionsOp, ConstantOp>(op))
      return op.emitOpError("cannot be part of a glow_inst.forall");
  return verifyScratch(*this);
}

ArrayRef<int64_t> SlideOp::getStartsAlong(unsigned axis) {
  return cast<DenseI64ArrayAttr>(getStarts()[axis]).asArrayRef();
}

LogicalResult SlideOp::verify() {
  auto loop = dyn_cast<ForallOp>((*this)->getParentOp());
  if (!loop)
    return emitOpError("has no place outside of a glow_inst.forall");
  if (isa_and_nonnull<ViewOp, SlideOp>(getSource().getDefiningOp()))
    return emitOpError("moves along an argument or an allocation, not a view");
  if (getStarts().size() != loop.getExtents().size())
    return emitOpError("needs a list of starts for each of the ")
           << loop.getExtents().size() << " axes of the loop";
  auto source = cast<MemRefType>(getSource().getType()),
       type = cast<MemRefType>(getResult().getType());
  if (type.getElementType() != source.getElementType() ||
      type.getMemorySpace() != source.getMemorySpace() ||
      layoutOf(getResult()).offset != 0)
    return emitOpError("result ")
           << type << " needs the element type and space of " << source
           << ", and no offset";
  auto [low, high] = reachOf(getResult());
  for (auto [axis, extent] : llvm::enumerate(loop.getExtents())) {
    ArrayRef<int64_t> starts = getStartsAlong(axis);
    if (starts.empty())
      continue;
    if (static_cast<int64_t>(starts.size()) != extent)
      return emitOpError("has ") << starts.size() << " starts along axis "
                                 << axis << ", which has " << extent;
    auto [first, last] = std::minmax_element(starts.begin(), starts.end());
    if (*first < 0 || *last > kMostElements)
      return emitOpError("has a start that is negative or too large");
    low += *first;
    high += *last;
  }
  auto [lowest, highest] = reachOf(getSource());
  if (type.getNumElements() && (low < lowest || high > highest))
    return emitOpError("result ") << type << " leaves " << source;
  return success();
}
