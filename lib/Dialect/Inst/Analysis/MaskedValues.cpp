//===- MaskedValues.cpp - what masks put in the place of padding ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/TypeInference.h"
#include "glow/Dialect/Inst/Analysis/Padding.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Whether a scalar op computes integers: what masks choose may be an index of
/// what is read in the place of padding.
static bool isIndex(Operation &op) {
  return llvm::any_of(op.getResultTypes(), [](Type type) {
    return type.isIntOrIndex() && !type.isInteger(1);
  });
}

AffineExpr inst::wholeSteps(AffineExpr extent, int64_t step) {
  return extent.ceilDiv(step) * step;
}

static bool isNeutral(APFloat value, ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Sum:
    return value.isZero();
  case ReduceKind::Prod:
    return value.isExactlyValue(1.0);
  case ReduceKind::Max:
    return value.isInfinity() && value.isNegative();
  case ReduceKind::Min:
    return value.isInfinity() && !value.isNegative();
  default:
    return false;
  }
}

static bool isNeutral(const APInt &value, ReduceKind kind, bool isUnsigned) {
  switch (kind) {
  case ReduceKind::Sum:
    return value.isZero();
  case ReduceKind::Prod:
    return value.isOne();
  case ReduceKind::Max:
    return isUnsigned ? value.isMinValue() : value.isMinSignedValue();
  case ReduceKind::Min:
    return isUnsigned ? value.isMaxValue() : value.isMaxSignedValue();
  default:
    return false;
  }
}

bool inst::isNeutral(const AxisContents &contents, ReduceKind kind,
                     Type element) {
  if (!contents.isMasked())
    return false;
  if (auto number = dyn_cast<FloatAttr>(contents.beyond))
    return ::isNeutral(number.getValue(), kind);
  auto integer = dyn_cast<IntegerAttr>(contents.beyond);
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  return integer && ::isNeutral(integer.getValue(), kind, isUnsigned);
}

bool inst::holdsPositions(Value buffer, int64_t axis) {
  auto constant = buffer.getDefiningOp<ConstantOp>();
  auto type = cast<MemRefType>(buffer.getType());
  if (!constant || type.getDimSize(axis) != type.getNumElements())
    return false;
  auto values = constantInts(constant.getValue());
  return values && llvm::all_of(llvm::enumerate(*values), [](auto value) {
           return value.value() == static_cast<int64_t>(value.index());
         });
}

/// The function of the symbols that an integer is.
static SymbolicInteger valueOf(Operation &op, ArrayRef<AxisContents> operands) {
  APInt constant;
  if (matchPattern(&op, m_ConstantInt(&constant)) &&
      constant.getSignificantBits() <= 64) {
    int64_t value = constant.getSExtValue();
    return {getAffineConstantExpr(value, op.getContext()), value};
  }
  if (operands.size() != 2 || !operands[0].value || !operands[1].value)
    return {};
  const auto &[lhs, least] = operands[0].value;
  const auto &[rhs, other] = operands[1].value;
  int64_t sum = 0;
  if (isa<arith::AddIOp>(op)) {
    bool isKnown = least && other && !llvm::AddOverflow(*least, *other, sum);
    return {lhs + rhs, isKnown ? std::optional(sum) : std::nullopt};
  }
  if (isa<arith::SubIOp>(op))
    return {lhs - rhs, std::nullopt};
  if (isa<arith::MulIOp>(op))
    return {lhs * rhs, std::nullopt};
  // Rounds to zero, which is down for what is not negative.
  auto divisor = dyn_cast<AffineConstantExpr>(rhs);
  if (isa<arith::DivSIOp>(op) && divisor && divisor.getValue() > 0 && least &&
      *least >= 0)
    return {lhs.floorDiv(divisor.getValue()), *least / divisor.getValue()};
  return {};
}

/// Positions that are less than a function of the symbols.
static AffineExpr maskedBy(Operation &op, ArrayRef<AxisContents> operands) {
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare)
    return {};
  auto before = [](const AxisContents &positions, const AxisContents &end) {
    bool isKnown = positions.firstPosition && end.value;
    return isKnown ? end.value.expression - positions.firstPosition
                   : AffineExpr();
  };
  arith::CmpIPredicate predicate = compare.getPredicate();
  if (predicate == arith::CmpIPredicate::slt)
    return before(operands[0], operands[1]);
  if (predicate == arith::CmpIPredicate::sgt)
    return before(operands[1], operands[0]);
  return {};
}

/// What a number that does not move is where symbols do not let another
/// through.
static Fallback fallbackOf(Operation &op, ArrayRef<AxisContents> operands) {
  if (isa<arith::SelectOp>(op)) {
    const auto &[number, unless] = operands[0].fallback;
    bool isKnown = number && matchPattern(number, m_Zero()) &&
                   operands[2].along == Along::Constant;
    return isKnown ? Fallback{operands[2].beyond, unless} : Fallback();
  }
  auto compare = dyn_cast<arith::CmpIOp>(op);
  if (!compare || !operands[0].value || !operands[1].value)
    return {};
  AffineExpr lhs = operands[0].value.expression;
  AffineExpr rhs = operands[1].value.expression;
  TypedAttr no = BoolAttr::get(op.getContext(), false);
  if (compare.getPredicate() == arith::CmpIPredicate::slt)
    return {no, rhs - lhs};
  if (compare.getPredicate() == arith::CmpIPredicate::sgt)
    return {no, lhs - rhs};
  return {};
}

/// Whether what one operand is decides on the result: other operands that do
/// not move along the axis are the same for what is valid, which they make no
/// number if they are none.
static bool absorbs(Operation &op, size_t operand, TypedAttr value) {
  auto number = dyn_cast<FloatAttr>(value);
  if (isa<arith::AndIOp>(op))
    return matchPattern(value, m_Zero());
  if (!number)
    return false;
  bool isZero = number.getValue().isZero();
  bool isLow = number.getValue().isInfinity() && number.getValue().isNegative();
  if (isa<arith::MulFOp>(op))
    return isZero;
  if (isa<arith::DivFOp>(op))
    return isZero && operand == 0;
  if (isa<arith::AddFOp>(op))
    return isLow;
  return isa<arith::SubFOp>(op) && isLow && operand == 0;
}

/// The result for constant operands.
static TypedAttr fold(Operation &op, ArrayRef<AxisContents> operands) {
  if (op.getNumResults() != 1 || op.getNumRegions() != 0)
    return {};
  SmallVector<Attribute> constants;
  for (const AxisContents &operand : operands)
    constants.push_back(operand.beyond);
  // A fold may change its op.
  Operation *copy = op.clone();
  SmallVector<OpFoldResult> results;
  TypedAttr folded;
  if (succeeded(copy->fold(constants, results)) && results.size() == 1)
    if (auto attribute = dyn_cast<Attribute>(results.front()))
      folded = dyn_cast<TypedAttr>(attribute);
  copy->destroy();
  return folded;
}

void inst::followMask(Operation &op, ArrayRef<AxisContents> operands,
                      AxisContents &result, bool areTerms) {
  result.value = valueOf(op, operands);
  result.fallback = fallbackOf(op, operands);
  auto mask = [&](AffineExpr extent, TypedAttr beyond) {
    if (isIndex(op) && !areTerms)
      return;
    result.along = Along::Chosen;
    result.extent = extent;
    result.beyond = beyond;
  };
  TypedAttr constant;
  if (matchPattern(&op, m_Constant(&constant))) {
    result.beyond = constant;
    return;
  }
  if (AffineExpr extent = maskedBy(op, operands))
    return mask(extent, BoolAttr::get(op.getContext(), false));
  if (isa<arith::SelectOp>(op) && operands[0].isMasked()) {
    const AxisContents &chosen =
        operands[matchPattern(operands[0].beyond, m_Zero()) ? 2 : 1];
    if (chosen.beyond &&
        (!chosen.extent || chosen.extent == operands[0].extent))
      mask(operands[0].extent, chosen.beyond);
    return;
  }
  AffineExpr extent;
  bool isKnown = true;
  for (auto [i, operand] : llvm::enumerate(operands)) {
    isKnown &= bool(operand.beyond);
    if (!operand.isMasked())
      continue;
    bool decides = absorbs(op, i, operand.beyond);
    for (const AxisContents &other : operands)
      decides &= &other == &operand || other.along == Along::Constant ||
                 isa<arith::AndIOp>(op);
    if (decides)
      return mask(operand.extent, operand.beyond);
    isKnown &= !extent || extent == operand.extent;
    extent = operand.extent;
  }
  if (isKnown && extent)
    if (TypedAttr folded = fold(op, operands))
      mask(extent, folded);
}
