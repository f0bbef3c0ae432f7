//===- ScalarBuilder.cpp - arithmetic without type cases ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Interfaces/ScalarBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

using arith::CmpFPredicate;
using arith::CmpIPredicate;

Type ScalarBuilder::signless(Type type) {
  if (auto quantized = dyn_cast<quant::QuantizedType>(type))
    return quantized.getStorageType();
  if (auto integer = dyn_cast<IntegerType>(type))
    return IntegerType::get(type.getContext(), integer.getWidth());
  return type;
}

Value ScalarBuilder::constant(Value like, double value) {
  Type type = like.getType(), element = getElementTypeOrSelf(type);
  TypedAttr attribute;
  if (auto floatType = dyn_cast<FloatType>(element)) {
    APFloat number(value);
    bool lossy;
    number.convert(floatType.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                   &lossy);
    attribute = FloatAttr::get(floatType, number);
  } else {
    attribute = IntegerAttr::get(
        element, APInt(element.getIntOrFloatBitWidth(),
                       static_cast<uint64_t>(static_cast<int64_t>(value)),
                       /*isSigned=*/false, /*implicitTrunc=*/true));
  }
  if (auto vector = dyn_cast<VectorType>(type))
    attribute = DenseElementsAttr::get(vector, attribute);
  return arith::ConstantOp::create(builder, loc, attribute);
}

/// Picks the op for floats, for unsigned and for signed integers.
template <typename FloatOp, typename UnsignedOp, typename SignedOp>
static Value pick(ScalarBuilder &b, Value x, Value y) {
  if (isa<FloatType>(getElementTypeOrSelf(x)))
    return FloatOp::create(b.builder, b.loc, x, y);
  if (b.isUnsigned() || b.isBool())
    return UnsignedOp::create(b.builder, b.loc, x, y);
  return SignedOp::create(b.builder, b.loc, x, y);
}

Value ScalarBuilder::add(Value a, Value b) {
  return pick<arith::AddFOp, arith::AddIOp, arith::AddIOp>(*this, a, b);
}
Value ScalarBuilder::sub(Value a, Value b) {
  return pick<arith::SubFOp, arith::SubIOp, arith::SubIOp>(*this, a, b);
}
Value ScalarBuilder::mul(Value a, Value b) {
  return pick<arith::MulFOp, arith::MulIOp, arith::MulIOp>(*this, a, b);
}
Value ScalarBuilder::max(Value a, Value b) {
  return pick<arith::MaximumFOp, arith::MaxUIOp, arith::MaxSIOp>(*this, a, b);
}
Value ScalarBuilder::min(Value a, Value b) {
  return pick<arith::MinimumFOp, arith::MinUIOp, arith::MinSIOp>(*this, a, b);
}

Value ScalarBuilder::div(Value a, Value b) {
  if (isFloat())
    return arith::DivFOp::create(builder, loc, a, b);
  // The hardware traps on x / 0 and on INT_MIN / -1: divide by 1 instead.
  Value none = compare(Predicate::eq, b, zero(b));
  if (isUnsigned()) {
    Value quotient =
        arith::DivUIOp::create(builder, loc, a, select(none, one(b), b));
    return select(none, zero(a), quotient);
  }
  Value minusOne = compare(Predicate::eq, b, constant(b, -1));
  Value safe = select(ori(none, minusOne), one(b), b);
  Value quotient = arith::DivSIOp::create(builder, loc, a, safe);
  return select(none, zero(a), select(minusOne, neg(a), quotient));
}

Value ScalarBuilder::fmod(Value a, Value b) {
  if (isFloat())
    return arith::RemFOp::create(builder, loc, a, b);
  return sub(a, mul(div(a, b), b));
}

Value ScalarBuilder::mod(Value a, Value b) {
  Value remainder = fmod(a, b);
  if (isUnsigned())
    return remainder;
  // Move a remainder whose sign differs from the divisor's.
  Value differs =
      compare(Predicate::ne, compare(Predicate::lt, remainder, zero(a)),
              compare(Predicate::lt, b, zero(b)));
  Value nonZero = compare(Predicate::ne, remainder, zero(a));
  // Zero has the divisor's sign too.
  Value rest = isFloat() ? select(compare(Predicate::lt, b, zero(b)),
                                  constant(a, -0.0), zero(a))
                         : remainder;
  return select(nonZero, select(differs, add(remainder, b), remainder), rest);
}

Value ScalarBuilder::pow(Value a, Value b) {
  if (isFloat())
    return math::PowFOp::create(builder, loc, a, b);
  return math::IPowIOp::create(builder, loc, a, b);
}

Value ScalarBuilder::neg(Value a) {
  if (isFloat())
    return arith::NegFOp::create(builder, loc, a);
  return arith::SubIOp::create(builder, loc, zero(a), a);
}

Value ScalarBuilder::abs(Value a) {
  if (isFloat())
    return math::AbsFOp::create(builder, loc, a);
  return isUnsigned() ? a : math::AbsIOp::create(builder, loc, a);
}

Value ScalarBuilder::sign(Value a) {
  Value positive = select(compare(Predicate::gt, a, zero(a)), one(a), zero(a));
  if (isUnsigned())
    return positive;
  Value result =
      select(compare(Predicate::lt, a, zero(a)), constant(a, -1), positive);
  return isFloat() ? select(isNaN(a), a, result) : result;
}

Value ScalarBuilder::sigmoid(Value a) {
  return div(one(a), add(one(a), math<math::ExpOp>(neg(a))));
}

Value ScalarBuilder::softplus(Value a) {
  Value tail = math<math::Log1pOp>(math<math::ExpOp>(neg(abs(a))));
  return add(relu(a), tail);
}

Value ScalarBuilder::tanhOfSoftplus(Value a) {
  // Of powers that are at most 1, so that nothing overflows: with t = e^-|a|,
  // (1 + 2 t) / (1 + 2 t + 2 t^2), and below 0 (t^2 + 2 t) / (t^2 + 2 t + 2).
  Value t = math<math::ExpOp>(neg(abs(a)));
  Value twice = add(t, t), square = mul(t, t);
  Value isNegative = compare(Predicate::lt, a, zero(a));
  Value part = add(twice, select(isNegative, square, one(a)));
  Value rest = select(isNegative, constant(a, 2), add(square, square));
  return div(part, add(part, rest));
}

Value ScalarBuilder::gelu(Value a) {
  Value erf = math<math::ErfOp>(mul(a, constant(a, M_SQRT1_2)));
  return mul(mul(a, constant(a, 0.5)), add(one(a), erf));
}

Value ScalarBuilder::geluTanh(Value a) {
  Value cube = mul(mul(a, a), mul(a, constant(a, 0.044715)));
  Value inner = mul(constant(a, std::sqrt(2 / M_PI)), add(a, cube));
  return mul(mul(a, constant(a, 0.5)), add(one(a), math<math::TanhOp>(inner)));
}

Value ScalarBuilder::andi(Value a, Value b) {
  return arith::AndIOp::create(builder, loc, a, b);
}
Value ScalarBuilder::ori(Value a, Value b) {
  return arith::OrIOp::create(builder, loc, a, b);
}
Value ScalarBuilder::xori(Value a, Value b) {
  return arith::XOrIOp::create(builder, loc, a, b);
}
Value ScalarBuilder::noti(Value a) { return xori(a, constant(a, -1)); }

/// Shifting by the width or more is poison in arith: shift by 0 and select.
template <typename Op>
static Value shift(ScalarBuilder &b, Value a, Value count, Value beyond) {
  unsigned width = getElementTypeOrSelf(a).getIntOrFloatBitWidth();
  Value inRange = arith::CmpIOp::create(b.builder, b.loc, CmpIPredicate::ult,
                                        count, b.constant(count, width));
  Value safe = b.select(inRange, count, b.zero(count));
  return b.select(inRange, Op::create(b.builder, b.loc, a, safe), beyond);
}

Value ScalarBuilder::shiftLeft(Value a, Value b) {
  return shift<arith::ShLIOp>(*this, a, b, zero(a));
}
Value ScalarBuilder::shiftRight(Value a, Value b) {
  if (isUnsigned())
    return shift<arith::ShRUIOp>(*this, a, b, zero(a));
  Value fill =
      select(compare(Predicate::lt, a, zero(a)), constant(a, -1), zero(a));
  return shift<arith::ShRSIOp>(*this, a, b, fill);
}

Value ScalarBuilder::compare(Predicate predicate, Value a, Value b) {
  static constexpr CmpFPredicate floats[] = {
      CmpFPredicate::OEQ, CmpFPredicate::UNE, CmpFPredicate::OLT,
      CmpFPredicate::OLE, CmpFPredicate::OGT, CmpFPredicate::OGE};
  static constexpr CmpIPredicate unsigneds[] = {
      CmpIPredicate::eq,  CmpIPredicate::ne,  CmpIPredicate::ult,
      CmpIPredicate::ule, CmpIPredicate::ugt, CmpIPredicate::uge};
  static constexpr CmpIPredicate signeds[] = {
      CmpIPredicate::eq,  CmpIPredicate::ne,  CmpIPredicate::slt,
      CmpIPredicate::sle, CmpIPredicate::sgt, CmpIPredicate::sge};
  auto index = static_cast<size_t>(predicate);
  a = computable(a);
  b = computable(b);
  Type element = getElementTypeOrSelf(a);
  if (isa<FloatType>(element))
    return arith::CmpFOp::create(builder, loc, floats[index], a, b);
  bool asUnsigned = isUnsigned() || element.isInteger(1);
  return arith::CmpIOp::create(builder, loc,
                               (asUnsigned ? unsigneds : signeds)[index], a, b);
}

Value ScalarBuilder::isNaN(Value a) {
  a = computable(a);
  return arith::CmpFOp::create(builder, loc, CmpFPredicate::UNO, a, a);
}

Value ScalarBuilder::isInf(Value a, bool negative, bool positive) {
  a = computable(a);
  Value found = compare(Predicate::ne, zero(a), zero(a));
  double infinity = std::numeric_limits<double>::infinity();
  if (negative)
    found = ori(found, compare(Predicate::eq, a, constant(a, -infinity)));
  if (positive)
    found = ori(found, compare(Predicate::eq, a, constant(a, infinity)));
  return found;
}

Value ScalarBuilder::select(Value condition, Value a, Value b) {
  return arith::SelectOp::create(builder, loc, condition, a, b);
}
