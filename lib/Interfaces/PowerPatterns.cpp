//===- PowerPatterns.cpp - powers as products and roots -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Interfaces/PowerPatterns.h"
#include "glow/Interfaces/ScalarBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

using P = ScalarBuilder::Predicate;

/// pow(x, 0.5), which is positive for the zero and the infinity that are not.
static Value rootOf(ScalarBuilder &b, Value x) {
  Value root = b.add(b.math<math::SqrtOp>(x), b.zero(x));
  Value isLeast = b.compare(P::eq, x, b.constant(x, -INFINITY));
  return b.select(isLeast, b.constant(x, INFINITY), root);
}

/// x^exponent; null if that takes more than a few products.
static Value powerOf(ScalarBuilder &b, Value x, double exponent) {
  auto square = [&] { return b.mul(x, x); };
  if (exponent == 0)
    return b.one(x);
  if (exponent == 1)
    return x;
  if (exponent == 2)
    return square();
  if (exponent == 3)
    return b.mul(square(), x);
  if (exponent == 4) {
    Value squared = square();
    return b.mul(squared, squared);
  }
  if (exponent == -1)
    return b.reciprocal(x);
  if (exponent == -2)
    return b.reciprocal(square());
  if (exponent == 0.5)
    return rootOf(b, x);
  if (exponent == -0.5)
    return b.reciprocal(rootOf(b, x));
  if (exponent == 0.75) {
    Value root = rootOf(b, x);
    return b.mul(root, b.math<math::SqrtOp>(root));
  }
  return {};
}

/// A negative power of an integer: `power` of 1 and -1, which are their own
/// inverses, and otherwise 0.
static Value ofUnits(ScalarBuilder &b, Value base, Value power) {
  Value isUnit = b.ori(b.compare(P::eq, base, b.one(base)),
                       b.compare(P::eq, base, b.constant(base, -1)));
  return b.select(isUnit, power, b.zero(base));
}

namespace {
struct ConstantFloatPower : OpRewritePattern<math::PowFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::PowFOp op,
                                PatternRewriter &rewriter) const override {
    APFloat exponent(0.0);
    if (!matchPattern(op.getRhs(), m_ConstantFloat(&exponent)))
      return rewriter.notifyMatchFailure(op, "the exponent is not constant");
    Type element = getElementTypeOrSelf(op.getType());
    ScalarBuilder b(rewriter, op.getLoc(), element, element);
    Value power = powerOf(b, op.getLhs(), exponent.convertToDouble());
    if (!power)
      return rewriter.notifyMatchFailure(op, "takes more than a few products");
    rewriter.replaceOp(op, power);
    return success();
  }
};

struct ConstantIntegerPower : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &rewriter) const override {
    APInt exponent;
    if (!matchPattern(op.getRhs(), m_ConstantInt(&exponent)))
      return rewriter.notifyMatchFailure(op, "the exponent is not constant");
    Value base = op.getLhs();
    Type element = getElementTypeOrSelf(base);
    ScalarBuilder b(rewriter, op.getLoc(), element, element);
    Value one = b.one(base);
    if (exponent.isNegative()) {
      rewriter.replaceOp(op, ofUnits(b, base, exponent[0] ? base : one));
      return success();
    }
    Value power = one, factor = base;
    for (unsigned bit = 0; bit < exponent.getActiveBits(); ++bit) {
      if (bit)
        factor = b.mul(factor, factor);
      if (exponent[bit])
        power = power == one ? factor : b.mul(power, factor);
    }
    rewriter.replaceOp(op, power);
    return success();
  }
};

/// One bit of the exponent after the other.
struct PowerBySquaring : OpRewritePattern<math::IPowIOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(math::IPowIOp op,
                                PatternRewriter &rewriter) const override {
    if (matchPattern(op.getRhs(), m_Constant()))
      return rewriter.notifyMatchFailure(op, "the exponent is constant");
    Location loc = op.getLoc();
    Value base = op.getLhs(), exponent = op.getRhs();
    Type element = getElementTypeOrSelf(base);
    ScalarBuilder b(rewriter, loc, element, element);
    auto index = [&](int64_t value) {
      return arith::ConstantIndexOp::create(rewriter, loc, value);
    };
    auto isOdd = [&](Value rest) {
      return b.compare(P::ne, b.andi(rest, b.one(rest)), b.zero(rest));
    };
    auto loop = scf::ForOp::create(
        rewriter, loc, index(0), index(element.getIntOrFloatBitWidth()),
        index(1), ValueRange{b.one(base), base, exponent},
        [&](OpBuilder &, Location, Value, ValueRange state) {
          Value rest = state[2];
          Value power =
              b.select(isOdd(rest), b.mul(state[0], state[1]), state[0]);
          rest = arith::ShRUIOp::create(rewriter, loc, rest, b.one(rest));
          scf::YieldOp::create(
              rewriter, loc,
              ValueRange{power, b.mul(state[1], state[1]), rest});
        });
    Value isNegative = b.compare(P::lt, exponent, b.zero(exponent));
    Value power = loop.getResult(0);
    rewriter.replaceOp(op,
                       b.select(isNegative, ofUnits(b, base, power), power));
    return success();
  }
};
} // namespace

void glow::populateFloatPowerPatterns(RewritePatternSet &patterns) {
  patterns.add<ConstantFloatPower>(patterns.getContext());
}

void glow::populateIntegerPowerPatterns(RewritePatternSet &patterns) {
  patterns.add<ConstantIntegerPower, PowerBySquaring>(patterns.getContext());
}
