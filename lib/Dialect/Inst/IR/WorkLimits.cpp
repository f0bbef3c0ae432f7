//===- WorkLimits.cpp - how much of an instruction is computed ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

AffineMap inst::limitsOf(Operation *op) {
  auto limits = op->getAttrOfType<AffineMapAttr>(InstDialect::kExtentsAttrName);
  bool varies = limits && !llvm::all_of(limits.getValue().getResults(),
                                        llvm::IsaPred<AffineConstantExpr>);
  return varies ? limits.getValue() : AffineMap();
}

AffineMap inst::unitOf(Operation *op) {
  auto unit = op->getAttrOfType<AffineMapAttr>(InstDialect::kUnitAttrName);
  return unit ? unit.getValue() : AffineMap();
}

AffineMap inst::symbolMapOf(Operation *op) {
  AffineMap limits = limitsOf(op);
  return limits ? limits : unitOf(op);
}

bool inst::passesSymbols(ForallOp loop, Value symbols) {
  return !loop.getInputs().empty() && loop.getInputs().back() == symbols;
}

void inst::setLimits(Operation *op, ArrayRef<AffineExpr> extents,
                     unsigned symbols) {
  bool variesByPoint = llvm::any_of(
      extents, [](AffineExpr extent) { return extent.isFunctionOfDim(0); });
  op->setDiscardableAttr(
      InstDialect::kExtentsAttrName,
      AffineMapAttr::get(
          AffineMap::get(variesByPoint, symbols, extents, op->getContext())));
}

/// The values of the symbols, and the point's index before them if `limits`
/// depend on it: the last inputs of a loop. Empty if it has fewer.
static SmallVector<Value> passedTo(ForallOp loop, AffineMap limits) {
  unsigned count = limits.getNumDims() + 1, end = loop.getInputs().size();
  // Attributes are verified before what they belong to.
  if (end < count || !loop->getRegion(0).hasOneBlock() ||
      loop.getBody().getNumArguments() < end)
    return {};
  return llvm::to_vector_of<Value>(
      loop.getBody().getArguments().slice(end - count, count));
}

SmallVector<Value> inst::limitOperandsOf(Operation *op) {
  AffineMap limits = symbolMapOf(op);
  // A loop has them among its own.
  if (!limits || isa<ForallOp>(op))
    return {};
  if (auto loop = dyn_cast<ForallOp>(op->getParentOp()))
    return passedTo(loop, limits);
  auto function = op->getParentOfType<FunctionOpInterface>();
  return {function.getArgument(*symbolsArgument(function))};
}

/// More than there are of anything.
static constexpr int64_t kVeryMany = int64_t(1) << 40;

AffineExpr inst::ifAtLeast(AffineExpr value, int64_t least) {
  return (value - least).floorDiv(kVeryMany) * kVeryMany;
}

AffineExpr inst::ifLess(AffineExpr value, int64_t least) {
  return -ifAtLeast(value, least) - kVeryMany;
}

/// Whether a loop passes so many symbols on, and the index of a point.
static bool isPassed(ForallOp loop, AffineMap limits) {
  SmallVector<Value> values = passedTo(loop, limits);
  auto holds = [](Value buffer, int64_t count) {
    auto type = dyn_cast<MemRefType>(buffer.getType());
    return type && type.getElementType().isInteger(64) &&
           isStaticBuffer(type) && isDense(type) &&
           type.getNumElements() >= count;
  };
  return !values.empty() && holds(values.back(), limits.getNumSymbols()) &&
         holds(values.front(), 1);
}

LogicalResult inst::verifyLimits(Operation *op, NamedAttribute attribute) {
  StringRef name = attribute.getName();
  auto extents = dyn_cast<AffineMapAttr>(attribute.getValue());
  auto function = op->getParentOfType<FunctionOpInterface>();
  if (!extents || !function || !symbolsArgument(function))
    return op->emitOpError()
           << "'" << name
           << "' is a map from the symbols of the function around it, one of "
              "whose arguments has 'glow.symbols'";
  AffineMap limits = extents.getValue();
  size_t symbols = symbolsOf(function).size();
  auto around = dyn_cast<ForallOp>(op->getParentOp());
  // Loops bring what limits them along.
  if (!around && !isa<ForallOp>(op) && op->getParentOp() != function)
    return op->emitOpError() << "'" << name << "' has no meaning in "
                             << op->getParentOp()->getName();
  if (limits.getNumSymbols() != symbols ||
      limits.getNumDims() > (around ? 1 : 0) ||
      !llvm::all_of(limits.getResults(), glow::isComputable))
    return op->emitOpError()
           << "'" << name << "' is " << extents << ", which is no map from "
           << symbols << " symbols" << (around ? ", and at most one index" : "")
           << ", that divides by positive numbers alone";
  auto loop = around ? around : dyn_cast<ForallOp>(op);
  if (loop && !isPassed(loop, limits))
    return op->emitOpError()
           << "'" << name << "' needs the values of " << symbols
           << " symbols as the last input of the loop"
           << (limits.getNumDims() ? ", and the index of the point before it"
                                   : "");
  if (name == InstDialect::kUnitAttrName &&
      (limits.getNumResults() != 1 || limits.getNumDims() != 0))
    return op->emitOpError() << "'" << name << "' is " << extents
                             << ", which is not one number for all points";
  return success();
}
