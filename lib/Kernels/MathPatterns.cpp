//===- MathPatterns.cpp - mathematical functions in kernels ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Upstream's polynomials serve where their error is a few units in the last
// place over the whole range. Sine and cosine are reduced in double precision
// here, since upstream's lose their meaning for large arguments; exp, log, erf
// and the inverses of sine, cosine and tangent have polynomials that are
// shorter or more accurate, and hyperbolic functions and their inverses are
// made of exp and log. Remainders are taken in double precision. All else is
// left to LLVM's intrinsics and the C library.
//
//===----------------------------------------------------------------------===//
#include "MathPatterns.h"
#include "glow/Interfaces/PowerPatterns.h"
#include "glow/Kernels/Kernels.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include <cmath>

using namespace mlir;
using glow::anyLane;
using glow::fma;
using glow::ScalarBuilder;
using glow::withElement;

using P = ScalarBuilder::Predicate;

Value glow::fma(ScalarBuilder &b, Value a, Value factor, Value c) {
  return math::FmaOp::create(b.builder, b.loc, a, factor, c);
}

Value glow::polynomial(ScalarBuilder &b, Value x, ArrayRef<double> coefficients,
                       bool isFused) {
  Value sum = b.constant(x, coefficients.back());
  for (double c : llvm::reverse(coefficients.drop_back())) {
    Value next = b.constant(x, c);
    sum = isFused ? fma(b, sum, x, next) : b.add(b.mul(sum, x), next);
  }
  return sum;
}

Value glow::limit(ScalarBuilder &b, Value x, double bound) {
  Value high = b.constant(x, bound), low = b.constant(x, -bound);
  x = b.select(b.compare(P::gt, x, high), high, x);
  return b.select(b.compare(P::lt, x, low), low, x);
}

Value glow::oddPolynomial(ScalarBuilder &b, Value x, double bound,
                          ArrayRef<double> coefficients) {
  x = limit(b, x, bound);
  Value at = fma(b, b.mul(x, x), b.constant(x, 2 / (bound * bound)),
                 b.constant(x, -1));
  return limit(b, b.mul(x, polynomial(b, at, coefficients)), 1);
}

/// erf x = x p(x^2) up to where it rounds to 1. The polynomial has the least
/// relative error, 3e-8, in 2 x^2 / 3.93^2 - 1.
static Value erfByPolynomial(ScalarBuilder &b, Value x) {
  return oddPolynomial(b, x, 3.93,
                       {0.359820202, -0.179660325, 0.133781903, -0.109000141,
                        0.0905551928, -0.0741245672, 0.0586351967,
                        -0.0437415181, 0.0299744422, -0.0202750828,
                        0.0145336451, -0.00785342893, 0.0019231262,
                        -0.00142290038, 0.00219231652, -0.000885149045});
}

static Value withSign(ScalarBuilder &b, Value size, Value x) {
  return math::CopySignOp::create(b.builder, b.loc, size, x);
}

/// atan x = x p(x^2) up to 1, and pi/2 - atan(1/x) beyond. The polynomial in
/// 2 x^2 - 1 is Chebyshev's interpolation, within 3e-9.
static Value atanByPolynomial(ScalarBuilder &b, Value x) {
  Value size = b.abs(x), isBeyond = b.compare(P::gt, size, b.one(x));
  Value near = b.select(isBeyond, b.reciprocal(size), size);
  Value at = fma(b, b.mul(near, near), b.constant(x, 2), b.constant(x, -1));
  Value angle = b.mul(
      near, polynomial(b, at,
                       {0.870419753, -0.101876546, 0.0208517514, -0.00503079513,
                        0.00131637223, -0.000361359315, 0.000100132044,
                        -2.88120423e-05, 1.10705637e-05, -3.40566628e-06}));
  Value rest = b.sub(b.constant(x, M_PI_2), angle);
  return withSign(b, b.select(isBeyond, rest, angle), x);
}

/// asin x / x for |x| of at most 1/2, of x^2.
static Value asinPolynomial(ScalarBuilder &b, Value x, Value square) {
  return fma(b, b.mul(x, square),
             polynomial(b, square,
                        {0.166667525, 0.0749529764, 0.0454703759, 0.0241795148,
                         0.0421663083}),
             x);
}

/// The angle, and whether |x| is above 1/2: there it is the half of what the
/// cosine has left, by the root of (1 - |x|) / 2.
static std::pair<Value, Value> halfAngle(ScalarBuilder &b, Value size) {
  Value isLarge = b.compare(P::gt, size, b.constant(size, 0.5));
  Value rest = fma(b, size, b.constant(size, -0.5), b.constant(size, 0.5));
  Value square = b.select(isLarge, rest, b.mul(size, size));
  Value x = b.select(isLarge, b.math<math::SqrtOp>(rest), size);
  return {asinPolynomial(b, x, square), isLarge};
}

static Value asinByRoot(ScalarBuilder &b, Value x) {
  auto [angle, isLarge] = halfAngle(b, b.abs(x));
  Value rest = fma(b, angle, b.constant(x, -2), b.constant(x, M_PI_2));
  return withSign(b, b.select(isLarge, rest, angle), x);
}

/// pi/2 - asin x, without the difference where the angle is small.
static Value acosByRoot(ScalarBuilder &b, Value x) {
  auto [angle, isLarge] = halfAngle(b, b.abs(x));
  Value twice = b.add(angle, angle);
  Value isNegative = b.compare(P::lt, x, b.zero(x));
  Value large = b.select(isNegative, b.sub(b.constant(x, M_PI), twice), twice);
  return b.select(isLarge, large,
                  b.sub(b.constant(x, M_PI_2), withSign(b, angle, x)));
}

static Value tanBySine(ScalarBuilder &b, Value x) {
  return b.div(b.math<math::SinOp>(x), b.math<math::CosOp>(x));
}

// -- Hyperbolic functions -----------------------------------------------------

/// e^|x| / 2, by way of e^(|x|/2), so that it is finite as long as cosh x.
static Value halfPower(ScalarBuilder &b, Value x) {
  Value half = b.constant(x, 0.5);
  Value root = b.math<math::ExpOp>(b.mul(b.abs(x), half));
  return b.mul(b.mul(root, half), root);
}

static Value coshByPower(ScalarBuilder &b, Value x) {
  Value power = halfPower(b, x);
  return b.add(power, b.div(b.constant(x, 0.25), power));
}

/// Of the power too, but for arguments up to 1 Taylor's polynomial.
static Value sinhByPower(ScalarBuilder &b, Value x) {
  Value power = halfPower(b, x), square = b.mul(x, x);
  Value large = b.sub(power, b.div(b.constant(x, 0.25), power));
  Value tail =
      polynomial(b, square, {1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880});
  Value small = fma(b, b.mul(x, square), tail, x);
  return b.select(b.compare(P::lt, b.abs(x), b.one(x)), small,
                  withSign(b, large, x));
}

/// log(1 + y), or log(2 x) where x is so large that its square may not be
/// finite; y is of smaller ones.
static Value logOfSum(ScalarBuilder &b, Value x, Value y) {
  Value isLarge = b.compare(P::gt, x, b.constant(x, 0x1p30));
  Value log = b.math<math::Log1pOp>(b.select(isLarge, x, y));
  return b.select(isLarge, b.add(log, b.constant(x, M_LN2)), log);
}

/// log(x + sqrt(x^2 + 1)) without the 1 that hides small arguments.
static Value asinhByLog(ScalarBuilder &b, Value x) {
  Value size = b.abs(x), square = b.mul(x, x);
  Value root = b.math<math::SqrtOp>(b.add(square, b.one(x)));
  Value rest = b.add(size, b.div(square, b.add(root, b.one(x))));
  return withSign(b, logOfSum(b, size, rest), x);
}

/// log(x + sqrt(x^2 - 1)), of what x has more than 1.
static Value acoshByLog(ScalarBuilder &b, Value x) {
  Value more = b.sub(x, b.one(x));
  Value square = b.mul(more, b.add(more, b.constant(x, 2)));
  Value value = logOfSum(b, x, b.add(more, b.math<math::SqrtOp>(square)));
  // Below -1 the square is positive again, and there would be a number.
  return b.select(b.compare(P::lt, x, b.one(x)), b.constant(x, NAN), value);
}

/// log((1 + x) / (1 - x)) / 2.
static Value atanhByLog(ScalarBuilder &b, Value x) {
  Value size = b.abs(x);
  Value rest = b.div(b.add(size, size), b.sub(b.one(x), size));
  Value value = b.mul(b.math<math::Log1pOp>(rest), b.constant(x, 0.5));
  return withSign(b, value, x);
}

namespace {
/// sin x = f(r) with r = x - q pi/2 and f one of sin, cos, -sin, -cos by the
/// last two bits of q; the cosine is a quarter turn ahead.
template <typename Op, int quarterTurns>
struct SineByReduction : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type single = rewriter.getF32Type(), twice = rewriter.getF64Type();
    if (getElementTypeOrSelf(op.getType()) != single)
      return rewriter.notifyMatchFailure(op, "not single precision");
    ScalarBuilder b(rewriter, op.getLoc(), twice, twice);
    Type type = op.getType();
    Value x = arith::ExtFOp::create(rewriter, b.loc, withElement(type, twice),
                                    op.getOperand());
    Value turns = b.mul(x, b.constant(x, M_2_PI));
    turns = b.math<math::RoundEvenOp>(turns);
    // The second part of pi/2 is what its double lacks.
    Value r = b.sub(x, b.mul(turns, b.constant(x, 0x1.921fb5p+0)));
    r = b.sub(r, b.mul(turns, b.constant(x, 0x1.110b4611a6263p-26)));
    // Beyond what the reduction can tell, at least stay in range.
    r = b.clamp(r, b.constant(r, -M_PI_4), b.constant(r, M_PI_4));
    r = arith::TruncFOp::create(rewriter, b.loc, type, r);
    turns = b.add(turns, b.constant(turns, quarterTurns));
    Value quarter = b.mul(turns, b.constant(turns, 0.25));
    quarter = b.sub(
        turns, b.mul(b.math<math::FloorOp>(quarter), b.constant(turns, 4)));
    quarter = arith::TruncFOp::create(rewriter, b.loc, type, quarter);
    rewriter.replaceOp(op, select(b, r, quarter));
    return success();
  }

  /// `quarter` is 0 to 3, or NaN as `r` is then too.
  Value select(ScalarBuilder &b, Value r, Value quarter) const {
    Value z = b.mul(r, r);
    Value sine =
        polynomial(b, z, {-1.6666654611e-1, 8.3321608736e-3, -1.9515295891e-4},
                   /*isFused=*/false);
    sine = b.add(r, b.mul(b.mul(sine, z), r));
    Value cosine = polynomial(
        b, z,
        {4.166664568298827e-2, -1.388731625493765e-3, 2.443315711809948e-5},
        /*isFused=*/false);
    cosine = b.add(b.sub(b.one(z), b.mul(z, b.constant(z, 0.5))),
                   b.mul(b.mul(cosine, z), z));
    Value isUpper = b.compare(P::ge, quarter, b.constant(quarter, 2));
    Value isOne = b.compare(P::eq, quarter, b.one(quarter));
    Value isThree = b.compare(P::eq, quarter, b.constant(quarter, 3));
    Value value = b.select(b.ori(isOne, isThree), cosine, sine);
    return b.select(isUpper, b.neg(value), value);
  }
};

} // namespace

/// Powers of e are 2^n e^r, with |r| at most half of log 2. n in the last bits
/// of a sum whose last place has the value 1.
static constexpr float kShifter = 0x1.8p23;
static Value shifted(ScalarBuilder &b, Value x) {
  return fma(b, x, b.constant(x, M_LOG2E), b.constant(x, kShifter));
}
/// n where a number has its exponent.
static Value exponentBits(ScalarBuilder &b, Value sum) {
  ScalarBuilder i = integers(b);
  Value bits = bitsOf(b, sum);
  return arith::ShLIOp::create(b.builder, b.loc, bits, i.constant(bits, 23));
}
/// r = x - n log 2.
static Value withoutPower(ScalarBuilder &b, Value x, Value n) {
  // The second part of log 2 is what the first one, with 16 bits, lacks.
  Value r = fma(b, n, b.constant(x, -0x1.62e4p-1), x);
  return fma(b, n, b.constant(x, -0x1.7f7d1cf79abcap-20), r);
}

/// e^x - 1 = 2^n (e^r - 1) + 2^n - 1, made of half of 2^n, as there is no
/// 2^128.
static Value expm1ByReduction(ScalarBuilder &b, Value x) {
  // From where the result is -1, to where it is infinite.
  Value low = b.constant(x, -20), high = b.constant(x, 89);
  x = b.select(b.compare(P::lt, x, low), low, x);
  x = b.select(b.compare(P::gt, x, high), high, x);
  Value sum = shifted(b, x);
  Value r = withoutPower(b, x, b.sub(sum, b.constant(x, kShifter)));
  Value tail = polynomial(b, r,
                          {0.500000004, 0.166666664, 0.0416663598,
                           0.00833338957, 0.001394072, 0.000198458853});
  Value rest = fma(b, b.mul(r, r), tail, r);
  ScalarBuilder i = integers(b);
  Value exponent = exponentBits(b, sum);
  Value half = numberOf(b, i.add(exponent, i.constant(exponent, 126 << 23)));
  Value result = fma(b, half, rest, b.sub(half, b.constant(x, 0.5)));
  return b.add(result, result);
}

namespace {
/// exp x = 2^n e^r. Of arguments in range the result is normal, and below it
/// is 0.
struct ExpByReduction : OpRewritePattern<math::ExpOp> {
  /// With `scales`, LLVM's vectors are multiplied by 2^n in one instruction, in
  /// which what is too large becomes infinite.
  ExpByReduction(MLIRContext *context, bool scales)
      : OpRewritePattern(context), scales(scales) {}

  LogicalResult matchAndRewrite(math::ExpOp op,
                                PatternRewriter &rewriter) const override {
    Type type = op.getType(), single = rewriter.getF32Type();
    if (getElementTypeOrSelf(type) != single)
      return rewriter.notifyMatchFailure(op, "not single precision");
    ScalarBuilder b(rewriter, op.getLoc(), single, single);
    Value x = op.getOperand();
    auto vector = dyn_cast<VectorType>(type);
    bool isScaled = scales && vector && vector.getRank() == 1;
    // 87.3 is where numbers end; what is no number stays so.
    Value isBelow = b.compare(P::lt, x, b.constant(x, -0x1.5d589ep+6));
    if (isScaled)
      rewriter.replaceOp(op, scaled(b, x, isBelow));
    else
      rewriter.replaceOp(op, b.select(isBelow, b.zero(x), byExponent(b, x)));
    return success();
  }

private:
  /// e^(x - n log 2).
  static Value power(ScalarBuilder &b, Value x, Value n) {
    return polynomial(b, withoutPower(b, x, n),
                      {1.0, 1.0, 0.499999935, 0.166665207, 0.0416683874,
                       0.00836870988, 0.00138146127});
  }

  static Value byExponent(ScalarBuilder &b, Value x) {
    Value sum = shifted(b, x);
    Value whole = power(b, x, b.sub(sum, b.constant(x, kShifter)));
    Value result =
        numberOf(b, integers(b).add(bitsOf(b, whole), exponentBits(b, sum)));
    // 88.7 is the other end.
    return b.select(b.compare(P::le, x, b.constant(x, 0x1.62e42ep+6)), result,
                    b.mul(x, b.constant(x, 0x1p127)));
  }

  static Value scaled(ScalarBuilder &b, Value x, Value isBelow) {
    Value most = b.constant(x, 89);
    x = b.select(b.compare(P::gt, x, most), most, x);
    // To where results are 0: subnormal ones, before a choice between them and
    // 0 that LLVM puts off, make processors ten times as slow.
    x = b.select(isBelow, b.constant(x, -1e4), x);
    ScalarBuilder i = integers(b);
    Value bits = bitsOf(b, shifted(b, x));
    Value n = i.sub(bits, i.constant(bits, llvm::bit_cast<int32_t>(kShifter)));
    Value whole =
        power(b, x, arith::SIToFPOp::create(b.builder, b.loc, x.getType(), n));
    return LLVM::CallIntrinsicOp::create(b.builder, b.loc, x.getType(),
                                         b.builder.getStringAttr("llvm.ldexp"),
                                         ValueRange{whole, n})
        .getResult(0);
  }

  bool scales;
};

/// A function of single precision as `build` makes it of the argument.
template <typename Op, Value (*build)(ScalarBuilder &, Value)>
struct InSinglePrecision : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type single = rewriter.getF32Type();
    if (getElementTypeOrSelf(op.getType()) != single)
      return rewriter.notifyMatchFailure(op, "not single precision");
    ScalarBuilder b(rewriter, op.getLoc(), single, single);
    rewriter.replaceOp(op, build(b, op.getOperand()));
    return success();
  }
};

/// The rest of |x| loses q |y|, with q the whole part of their quotient in
/// double precision, until it is less than |y|: once if q has 53 bits or less.
/// As x and y have 24 bits, all of this is exact, but for q: it may be rounded
/// up to the next whole number, which makes the rest negative, and y is added
/// at the end.
struct RemainderByQuotients : OpRewritePattern<arith::RemFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::RemFOp op,
                                PatternRewriter &rewriter) const override {
    Type single = rewriter.getF32Type(), twice = rewriter.getF64Type();
    if (getElementTypeOrSelf(op.getType()) != single)
      return rewriter.notifyMatchFailure(op, "not single precision");
    ScalarBuilder b(rewriter, op.getLoc(), twice, twice);
    auto sizeOf = [&](Value value) {
      Type type = withElement(op.getType(), twice);
      return b.abs(arith::ExtFOp::create(rewriter, b.loc, type, value));
    };
    Value y = sizeOf(op.getRhs());
    auto isLarge = [&](Value rest) { return b.compare(P::ge, b.abs(rest), y); };
    auto loop = scf::WhileOp::create(
        rewriter, b.loc, y.getType(), sizeOf(op.getLhs()),
        [&](OpBuilder &, Location, ValueRange state) {
          Value isAny = anyLane(rewriter, b.loc, isLarge(state[0]));
          scf::ConditionOp::create(rewriter, b.loc, isAny, state);
        },
        [&](OpBuilder &, Location, ValueRange state) {
          Value rest = state[0];
          Value q = b.math<math::TruncOp>(b.div(rest, y));
          // Of an infinite divisor there is no product with 0.
          Value next = b.select(isLarge(rest), fma(b, b.neg(q), y, rest), rest);
          scf::YieldOp::create(rewriter, b.loc, next);
        });
    Value rest = loop.getResult(0);
    rest = b.select(b.compare(P::lt, rest, b.zero(rest)), b.add(rest, y), rest);
    rest = b.select(b.isNaN(y), y, rest);
    rest = arith::TruncFOp::create(rewriter, b.loc, op.getType(), rest);
    rewriter.replaceOp(op, withSign(b, rest, op.getLhs()));
    return success();
  }
};

/// Quotients of vectors of integers, for which processors have no instruction.
/// Double precision is exact for up to 32 bits, and single precision for up to
/// 16: a quotient that is no whole number is further from one than it is
/// rounded by. Constant divisors are left to LLVM, which multiplies or shifts
/// instead.
template <typename Op, typename ToFloat, typename FromFloat>
struct QuotientOfFloats : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = dyn_cast<VectorType>(op.getType());
    if (!type || !type.getElementType().isInteger() ||
        type.getElementTypeBitWidth() > 32 ||
        matchPattern(op.getRhs(), m_Constant()))
      return rewriter.notifyMatchFailure(op, "no vectors of up to 32 bits");
    Location loc = op.getLoc();
    bool isShort = type.getElementTypeBitWidth() <= 16;
    Type wide = withElement(type, isShort ? Type(rewriter.getF32Type())
                                          : rewriter.getF64Type());
    Value lhs = ToFloat::create(rewriter, loc, wide, op.getLhs());
    Value rhs = ToFloat::create(rewriter, loc, wide, op.getRhs());
    Value quotient = arith::DivFOp::create(rewriter, loc, lhs, rhs);
    rewriter.replaceOpWithNewOp<FromFloat>(op, type, quotient);
    return success();
  }
};
} // namespace

void glow::populateKernelMathPatterns(RewritePatternSet &patterns,
                                      bool scalesVectors) {
  // Its error: 4.2 units in the last place.
  static constexpr llvm::StringLiteral polynomials[] = {"math.tanh"};
  // Those that are made below.
  static constexpr llvm::StringLiteral made[] = {
      "math.exp",  "math.expm1", "math.log",   "math.log1p",
      "math.erf",  "math.sin",   "math.cos",   "math.tan",
      "math.asin", "math.acos",  "math.atan",  "math.sinh",
      "math.cosh", "math.asinh", "math.acosh", "math.atanh"};
  auto isAccurate = [](StringRef name) {
    return llvm::is_contained(polynomials, name);
  };
  auto isWidened = [&](StringRef name) {
    return isAccurate(name) || llvm::is_contained(made, name);
  };
  populateMathPolynomialApproximationPatterns(patterns, isAccurate);
  populateMathF32ExpansionPatterns(patterns, isWidened);
  populateFloatPowerPatterns(patterns);
  populateIntegerPowerPatterns(patterns);
  patterns
      .add<SineByReduction<math::SinOp, 0>, SineByReduction<math::CosOp, 1>,
           InSinglePrecision<math::ExpM1Op, expm1ByReduction>,
           InSinglePrecision<math::LogOp, logByReduction>,
           InSinglePrecision<math::Log1pOp, log1pByReduction>,
           InSinglePrecision<math::ErfOp, erfByPolynomial>,
           InSinglePrecision<math::AsinOp, asinByRoot>,
           InSinglePrecision<math::AcosOp, acosByRoot>,
           InSinglePrecision<math::AtanOp, atanByPolynomial>,
           InSinglePrecision<math::TanOp, tanBySine>,
           InSinglePrecision<math::SinhOp, sinhByPower>,
           InSinglePrecision<math::CoshOp, coshByPower>,
           InSinglePrecision<math::AsinhOp, asinhByLog>,
           InSinglePrecision<math::AcoshOp, acoshByLog>,
           InSinglePrecision<math::AtanhOp, atanhByLog>, RemainderByQuotients,
           QuotientOfFloats<arith::DivSIOp, arith::SIToFPOp, arith::FPToSIOp>,
           QuotientOfFloats<arith::DivUIOp, arith::UIToFPOp, arith::FPToUIOp>>(
          patterns.getContext());
  patterns.add<ExpByReduction>(patterns.getContext(), scalesVectors);
  if (scalesVectors)
    populateCoarseMathPatterns(patterns);
}
