//===- ScalarCasts.cpp - conversions between element types ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Interfaces/ScalarBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

/// The type of `like` with another element type: scalars stay scalars.
Type glow::withElement(Type like, Type element) {
  if (auto vector = dyn_cast<VectorType>(like))
    return vector.clone(element);
  return element;
}

/// Whether the float type has this integer.
static bool represents(FloatType type, const APInt &value, bool isUnsigned) {
  APFloat number(type.getFloatSemantics());
  return number.convertFromAPInt(value, !isUnsigned,
                                 APFloat::rmNearestTiesToEven) == APFloat::opOK;
}

/// `a` between two numbers, which both must be of its type: NaN gives 0.
static Value clampNumber(ScalarBuilder &b, Value a, double low, double high) {
  using P = ScalarBuilder::Predicate;
  Value least = b.constant(a, low), most = b.constant(a, high);
  // Comparisons like these are one instruction with the selection, and take
  // the least number for NaN.
  Value raised = b.select(b.compare(P::gt, a, least), a, least);
  Value within = b.select(b.compare(P::lt, raised, most), raised, most);
  return low == 0 ? within : b.select(b.isNaN(a), b.zero(a), within);
}

/// Float to integer: NaN gives 0, values out of range the nearest integer.
static Value floatToInt(ScalarBuilder &b, Value a, Type type, bool isUnsigned) {
  unsigned width = getElementTypeOrSelf(type).getIntOrFloatBitWidth();
  APInt low =
      isUnsigned ? APInt::getZero(width) : APInt::getSignedMinValue(width);
  APInt high =
      isUnsigned ? APInt::getMaxValue(width) : APInt::getSignedMaxValue(width);
  double lowest = isUnsigned ? 0.0 : low.signedRoundToDouble();
  auto convert = [&](Value safe) -> Value {
    if (isUnsigned)
      return arith::FPToUIOp::create(b.builder, b.loc, type, safe);
    return arith::FPToSIOp::create(b.builder, b.loc, type, safe);
  };
  if (represents(cast<FloatType>(getElementTypeOrSelf(a)), high, isUnsigned))
    return convert(clampNumber(b, a, lowest,
                               isUnsigned ? high.roundToDouble()
                                          : high.signedRoundToDouble()));
  double beyond = std::ldexp(1.0, isUnsigned ? width : width - 1);
  auto integer = [&](const APInt &value) -> Value {
    TypedAttr attribute = IntegerAttr::get(getElementTypeOrSelf(type), value);
    if (auto vector = dyn_cast<VectorType>(type))
      attribute = DenseElementsAttr::get(vector, attribute);
    return arith::ConstantOp::create(b.builder, b.loc, attribute);
  };
  using P = ScalarBuilder::Predicate;
  Value tooLow = b.compare(P::lt, a, b.constant(a, lowest));
  Value tooHigh = b.compare(P::ge, a, b.constant(a, beyond));
  Value outside = b.ori(b.ori(tooLow, tooHigh), b.isNaN(a));
  Value safe = b.select(outside, b.zero(a), a);
  Value result = b.select(tooLow, integer(low), convert(safe));
  return b.select(tooHigh, integer(high), result);
}

/// A number of single precision as one that f8E8M0FNU holds: a power of two
/// from 2^-127 to 2^127, or NaN. The sign is lost. What is out of range becomes
/// the nearest of them, or NaN if `unsaturated`.
static Value toPowerOfTwo(ScalarBuilder &b, Value a, bool unsaturated,
                          ScalarBuilder::PowerOfTwo power) {
  using P = ScalarBuilder::Predicate;
  using Power = ScalarBuilder::PowerOfTwo;
  Value magnitude = b.math<math::AbsFOp>(a);
  Value bits = arith::BitcastOp::create(
      b.builder, b.loc, withElement(a.getType(), b.builder.getI32Type()),
      magnitude);
  // A carry out of the mantissa raises the exponent.
  if (power != Power::down)
    bits = arith::AddIOp::create(
        b.builder, b.loc, bits,
        b.constant(bits, power == Power::up ? 0x7fffff : 0x400000));
  bits = b.andi(bits, b.constant(bits, 0x7f800000));
  Value rounded = arith::BitcastOp::create(b.builder, b.loc, a.getType(), bits);
  Value least = b.constant(a, 0x1p-127), most = b.constant(a, 0x1p127);
  Value inRange = arith::MinimumFOp::create(
      b.builder, b.loc,
      arith::MaximumFOp::create(b.builder, b.loc, rounded, least), most);
  Value nan = b.constant(a, std::numeric_limits<double>::quiet_NaN());
  Value hasNone = b.isNaN(a);
  if (unsaturated) {
    hasNone = b.ori(hasNone, b.compare(P::gt, rounded, most));
    hasNone = b.ori(hasNone, b.compare(P::lt, magnitude, least));
  } else {
    // What is at most the least number is not rounded up to the next.
    inRange = b.select(b.compare(P::le, magnitude, least), least, inRange);
  }
  return b.select(hasNone, nan, inRange);
}

/// Float to float. Types of fewer than 8 bits always saturate, for they could
/// not show an overflow.
static Value floatToFloat(ScalarBuilder &b, Value a, Type type,
                          bool unsaturated = false,
                          ScalarBuilder::PowerOfTwo power = {}) {
  auto from = cast<FloatType>(getElementTypeOrSelf(a));
  auto to = cast<FloatType>(getElementTypeOrSelf(type));
  const llvm::fltSemantics &semantics = to.getFloatSemantics();
  if (from.getWidth() < to.getWidth())
    return arith::ExtFOp::create(b.builder, b.loc, type, a);
  // Numbers of 8 bits are only converted by way of wider ones, and so are the
  // two kinds of 16 into each other.
  if (from.getWidth() == to.getWidth() || from.getWidth() <= 8) {
    Value wide = arith::ExtFOp::create(
        b.builder, b.loc, withElement(a.getType(), b.builder.getF32Type()), a);
    return floatToFloat(b, wide, type, unsaturated, power);
  }
  if (isa<Float8E8M0FNUType>(to)) {
    Type single = withElement(a.getType(), b.builder.getF32Type());
    if (from.getWidth() < 32)
      a = arith::ExtFOp::create(b.builder, b.loc, single, a);
    else if (from.getWidth() > 32)
      a = arith::TruncFOp::create(b.builder, b.loc, single, a);
    a = toPowerOfTwo(b, a, unsaturated, power);
  } else if (to.getWidth() < 8 || (to.getWidth() == 8 && !unsaturated)) {
    double largest = APFloat::getLargest(semantics).convertToDouble();
    a = b.clamp(a, b.constant(a, -largest), b.constant(a, largest));
  }
  return arith::TruncFOp::create(b.builder, b.loc, type, a);
}

static bool isNarrowFloat(Type element) {
  return isa<FloatType>(element) && element.getIntOrFloatBitWidth() <= 8;
}

Value ScalarBuilder::computable(Value a) {
  if (!isNarrowFloat(getElementTypeOrSelf(a)))
    return a;
  return arith::ExtFOp::create(
      builder, loc, withElement(a.getType(), builder.getF32Type()), a);
}

Value ScalarBuilder::cast(Value a, bool unsaturated, PowerOfTwo power) {
  Type to = signless(result), from = getElementTypeOrSelf(a);
  Type type = withElement(a.getType(), to);
  if (from == to && isUnsigned() == result.isUnsignedInteger())
    return a;
  // Narrow floats meet no other type but floats.
  Type single = builder.getF32Type();
  if (isNarrowFloat(from) && !isa<FloatType>(to)) {
    a = computable(a);
    from = single;
  }
  if (to.isInteger(1))
    return compare(Predicate::ne, a, zero(a));
  bool fromUnsigned = isUnsigned() || isBool();
  unsigned fromWidth = from.getIntOrFloatBitWidth();
  unsigned toWidth = to.getIntOrFloatBitWidth();
  if (isa<FloatType>(from)) {
    // Integers of less than a byte wrap around, as ONNX's Cast lets them.
    if (toWidth < 8 && !isa<FloatType>(to))
      return arith::TruncIOp::create(
          builder, loc, type,
          floatToInt(*this, a, withElement(type, builder.getI32Type()), false));
    if (!isa<FloatType>(to))
      return floatToInt(*this, a, type, result.isUnsignedInteger());
    return floatToFloat(*this, a, type, unsaturated, power);
  }
  if (isa<FloatType>(to)) {
    bool inSteps = isNarrowFloat(to);
    Type number = inSteps ? withElement(type, single) : type;
    a = fromUnsigned ? Value(arith::UIToFPOp::create(builder, loc, number, a))
                     : Value(arith::SIToFPOp::create(builder, loc, number, a));
    if (!inSteps)
      return a;
    // Two conversions in a row would be taken for one, which nothing does.
    if (unsaturated)
      a = add(a, constant(a, 0.0));
    return floatToFloat(*this, a, type, unsaturated, power);
  }
  if (fromWidth == toWidth)
    return a;
  if (fromWidth > toWidth)
    return arith::TruncIOp::create(builder, loc, type, a);
  if (fromUnsigned)
    return arith::ExtUIOp::create(builder, loc, type, a);
  return arith::ExtSIOp::create(builder, loc, type, a);
}

Value glow::roundToBfloat16(OpBuilder &builder, Location loc, Value a) {
  auto permitted = arith::FastMathFlagsAttr::get(builder.getContext(),
                                                 arith::FastMathFlags::afn);
  return arith::TruncFOp::create(
      builder, loc, withElement(a.getType(), builder.getBF16Type()), a,
      /*roundingmode=*/nullptr, permitted);
}

Value ScalarBuilder::bitCast(Value a) {
  Type from = getElementTypeOrSelf(a), to = signless(result);
  Type type = withElement(a.getType(), to), byte = builder.getI8Type();
  if (from == to)
    return a;
  // A boolean fills a byte.
  if (from.isInteger(1)) {
    a = arith::ExtUIOp::create(builder, loc, withElement(type, byte), a);
    return to == byte ? a : arith::BitcastOp::create(builder, loc, type, a);
  }
  if (!to.isInteger(1))
    return arith::BitcastOp::create(builder, loc, type, a);
  if (from != byte)
    a = arith::BitcastOp::create(builder, loc, withElement(type, byte), a);
  return compare(Predicate::ne, a, zero(a));
}
