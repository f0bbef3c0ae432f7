//===- NarrowFloats.cpp - conversion of floats of 8 and 4 bits ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM has no such types. A number is kept in a byte; its exponent and mantissa
// are moved to where f32 has them, and back with rounding.
//
//===----------------------------------------------------------------------===//
#include "NarrowFloats.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace {
/// What tells one narrow format from another.
struct Format {
  explicit Format(const llvm::fltSemantics &semantics)
      : width(APFloat::semanticsSizeInBits(semantics)),
        mantissa(APFloat::semanticsPrecision(semantics) - 1),
        lowest(APFloat::semanticsMinExponent(semantics)),
        hasInfinity(APFloat::semanticsHasInf(semantics)),
        hasNaN(APFloat::semanticsHasNaN(semantics)) {
    APFloat zero = APFloat::getZero(semantics, /*Negative=*/true);
    hasNegativeZero = zero.isNegative();
    uint32_t magnitudes = (1u << (width - 1)) - 1;
    largest = APFloat::getLargest(semantics).bitcastToAPInt().getZExtValue();
    nan = !hasNegativeZero ? magnitudes + 1 : magnitudes;
  }
  unsigned width, mantissa;
  int lowest; // exponent of the smallest normal number
  bool hasInfinity, hasNaN, hasNegativeZero;
  uint32_t largest, nan; // bits without the sign
};

/// Arithmetic on scalars and on vectors, in i32 and f32.
struct Emitter : ImplicitLocOpBuilder {
  Emitter(Operation *op, PatternRewriter &rewriter)
      : ImplicitLocOpBuilder(op->getLoc(), rewriter),
        like(op->getResult(0).getType()) {}

  Type shaped(Type element) {
    if (auto vector = dyn_cast<VectorType>(like))
      return vector.clone(element);
    return element;
  }
  Value splat(TypedAttr value) {
    if (auto vector = dyn_cast<VectorType>(shaped(value.getType())))
      value = DenseElementsAttr::get(vector, Attribute(value));
    return arith::ConstantOp::create(*this, value);
  }
  Value bits(uint32_t value) { return splat(getI32IntegerAttr(value)); }
  Value number(double value) { return splat(getF32FloatAttr(value)); }
  Value asBits(Value x) {
    return arith::BitcastOp::create(*this, shaped(getI32Type()), x);
  }
  Value asNumber(Value x) {
    return arith::BitcastOp::create(*this, shaped(getF32Type()), x);
  }
  Value both(Value x, uint32_t mask) {
    return arith::AndIOp::create(*this, x, bits(mask));
  }
  Value left(Value x, unsigned count) {
    return arith::ShLIOp::create(*this, x, bits(count));
  }
  Value right(Value x, unsigned count) {
    return arith::ShRUIOp::create(*this, x, bits(count));
  }
  Value add(Value x, Value y) { return arith::AddIOp::create(*this, x, y); }
  Value select(Value condition, Value x, Value y) {
    return arith::SelectOp::create(*this, condition, x, y);
  }
  Value compare(arith::CmpIPredicate predicate, Value x, uint32_t y) {
    return arith::CmpIOp::create(*this, predicate, x, bits(y));
  }
  /// f32 to or from another float type that LLVM has.
  Value convert(Value x, Type to) {
    unsigned from = getElementTypeOrSelf(x).getIntOrFloatBitWidth();
    unsigned width = to.getIntOrFloatBitWidth();
    if (from == width)
      return x;
    if (from < width)
      return arith::ExtFOp::create(*this, shaped(to), x);
    return arith::TruncFOp::create(*this, shaped(to), x);
  }

  Type like;
};
} // namespace

/// The f32 that a byte stands for which is an exponent alone (f8E8M0FNU, of the
/// OCP microscaling formats): 2^(byte - 127), and 255 is no number.
static Value decodeExponent(Emitter &e, Value byte) {
  byte = arith::BitcastOp::create(e, e.shaped(e.getI8Type()), byte);
  Value all = arith::ExtUIOp::create(e, e.shaped(e.getI32Type()), byte);
  using P = arith::CmpIPredicate;
  Value bits = e.left(all, 23);
  // 2^-127 is not a normal number.
  bits = e.select(e.compare(P::eq, all, 0), e.bits(1 << 22), bits);
  return e.asNumber(
      e.select(e.compare(P::eq, all, 255), e.bits(0x7fc00000), bits));
}

/// The least power of two that is not below the magnitude of an f32, as ONNX's
/// Cast rounds to this type; at most 2^127.
static Value encodeExponent(Emitter &e, Value number, Type type) {
  Value magnitude = e.both(e.asBits(number), 0x7fffffff);
  using P = arith::CmpIPredicate;
  Value byte = e.right(e.add(magnitude, e.bits((1 << 23) - 1)), 23);
  byte = e.select(e.compare(P::ule, magnitude, 1 << 22), e.bits(0), byte);
  byte = arith::MinUIOp::create(e, byte, e.bits(254));
  byte = e.select(e.compare(P::ugt, magnitude, 0x7f800000), e.bits(255), byte);
  byte = arith::TruncIOp::create(e, e.shaped(e.getI8Type()), byte);
  return arith::BitcastOp::create(e, e.shaped(type), byte);
}

/// The f32 that a byte stands for.
static Value decode(Emitter &e, Value byte, const Format &format) {
  byte = arith::BitcastOp::create(e, e.shaped(e.getIntegerType(format.width)),
                                  byte);
  Value all = arith::ExtUIOp::create(e, e.shaped(e.getI32Type()), byte);
  Value magnitude = e.both(all, (1u << (format.width - 1)) - 1);
  // The exponent is off by the difference of the biases.
  Value number = e.asNumber(e.left(magnitude, 23 - format.mantissa));
  number = arith::MulFOp::create(
      e, number, e.number(std::ldexp(1.0, 126 + format.lowest)));
  Value sign = e.left(e.right(all, format.width - 1), 31);
  Value signedBits = arith::OrIOp::create(e, e.asBits(number), sign);
  using P = arith::CmpIPredicate;
  if (format.hasInfinity)
    signedBits =
        e.select(e.compare(P::eq, magnitude, format.largest + 1),
                 arith::OrIOp::create(e, sign, e.bits(0x7f800000)), signedBits);
  if (format.hasNaN) {
    Value isNaN = !format.hasNegativeZero ? e.compare(P::eq, all, format.nan)
                  : format.hasInfinity
                      ? e.compare(P::ugt, magnitude, format.largest + 1)
                      : e.compare(P::eq, magnitude, format.nan);
    signedBits = e.select(isNaN, e.bits(0x7fc00000), signedBits);
  }
  return e.asNumber(signedBits);
}

/// The byte nearest to an f32, halves to even; `type` is the narrow type.
static Value encode(Emitter &e, Value number, Type type, const Format &format) {
  Value all = e.asBits(number), magnitude = e.both(all, 0x7fffffff);
  unsigned dropped = 23 - format.mantissa;
  // A carry out of the mantissa raises the exponent, as it should.
  Value even = e.both(e.right(magnitude, dropped), 1);
  Value half = e.bits((1u << (dropped - 1)) - 1);
  Value normal = e.right(e.add(e.add(magnitude, half), even), dropped);
  normal =
      e.add(normal, e.bits(-uint32_t(126 + format.lowest) << format.mantissa));
  // Adding a number whose last place is the format's smallest rounds to that.
  Value magic =
      e.number(std::ldexp(1.0, format.lowest - int(format.mantissa) + 23));
  Value small = arith::AddFOp::create(e, e.asNumber(magnitude), magic);
  small = arith::SubIOp::create(e, e.asBits(small), e.asBits(magic));
  using P = arith::CmpIPredicate;
  Value isSmall = e.compare(P::ult, magnitude, (127 + format.lowest) << 23);
  Value narrow = e.select(isSmall, small, normal);
  uint32_t beyond = format.largest + (format.hasInfinity || format.hasNaN);
  narrow = arith::MinUIOp::create(e, narrow, e.bits(beyond));
  Value sign = e.left(e.right(all, 31), format.width - 1);
  if (!format.hasNegativeZero)
    sign = e.select(e.compare(P::eq, e.both(narrow, format.largest), 0),
                    e.bits(0), sign);
  narrow = arith::OrIOp::create(e, narrow, sign);
  // Where there is no such thing, the reference of ONNX makes -0 of it.
  uint32_t nan = format.hasNaN ? format.nan : 1u << (format.width - 1);
  narrow =
      e.select(e.compare(P::ugt, magnitude, 0x7f800000), e.bits(nan), narrow);
  Value byte = arith::TruncIOp::create(
      e, e.shaped(e.getIntegerType(format.width)), narrow);
  return arith::BitcastOp::create(e, e.shaped(type), byte);
}

/// The format of a type that is handled here.
static std::optional<Format> formatOf(Type type) {
  auto number = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  if (!number || number.getWidth() > 8)
    return std::nullopt;
  return Format(number.getFloatSemantics());
}

static bool isExponent(Type type) {
  return isa<Float8E8M0FNUType>(getElementTypeOrSelf(type));
}

namespace {
struct DecodeNarrow : OpRewritePattern<arith::ExtFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::ExtFOp op,
                                PatternRewriter &rewriter) const override {
    auto format = formatOf(op.getIn().getType());
    if (!format)
      return rewriter.notifyMatchFailure(op, "not from a narrow float");
    Emitter e(op, rewriter);
    Value number = isExponent(op.getIn().getType())
                       ? decodeExponent(e, op.getIn())
                       : decode(e, op.getIn(), *format);
    rewriter.replaceOp(op,
                       e.convert(number, getElementTypeOrSelf(op.getType())));
    return success();
  }
};

struct EncodeNarrow : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    auto format = formatOf(op.getType());
    if (!format)
      return rewriter.notifyMatchFailure(op, "not to a narrow float");
    Emitter e(op, rewriter);
    Value number = e.convert(op.getIn(), e.getF32Type());
    Type narrow = getElementTypeOrSelf(op.getType());
    rewriter.replaceOp(op, isExponent(narrow)
                               ? encodeExponent(e, number, narrow)
                               : encode(e, number, narrow, *format));
    return success();
  }
};

/// AVX512-BF16 makes 0 of denormals, which only a precision may allow.
struct RoundToBfloat16 : OpRewritePattern<arith::TruncFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::TruncFOp op,
                                PatternRewriter &rewriter) const override {
    if (!getElementTypeOrSelf(op.getIn()).isF32() ||
        !getElementTypeOrSelf(op.getType()).isBF16())
      return rewriter.notifyMatchFailure(op, "not from f32 to bf16");
    if (bitEnumContainsAll(
            op.getFastmath().value_or(arith::FastMathFlags::none),
            arith::FastMathFlags::afn))
      return rewriter.notifyMatchFailure(op, "may be approximated");
    Emitter e(op, rewriter);
    rewriter.replaceOp(op, round(e, op.getIn()));
    return success();
  }

  /// Halves to even: a carry out of the mantissa raises the exponent.
  Value round(Emitter &e, Value number) const {
    Value all = e.asBits(number), high = e.right(all, 16);
    Value half = e.add(e.both(high, 1), e.bits(0x7fff));
    Value near = e.right(e.add(all, half), 16);
    Value isNaN =
        arith::CmpFOp::create(e, arith::CmpFPredicate::UNO, number, number);
    Value quiet = arith::OrIOp::create(e, high, e.bits(0x40));
    Value bits = arith::TruncIOp::create(e, e.shaped(e.getI16Type()),
                                         e.select(isNaN, quiet, near));
    return arith::BitcastOp::create(e, e.shaped(e.getBF16Type()), bits);
  }
};
} // namespace

void glow::populateRoundToBfloat16Patterns(RewritePatternSet &patterns) {
  patterns.add<RoundToBfloat16>(patterns.getContext());
}

void glow::populateNarrowFloatPatterns(RewritePatternSet &patterns) {
  patterns.add<DecodeNarrow, EncodeNarrow>(patterns.getContext());
}
