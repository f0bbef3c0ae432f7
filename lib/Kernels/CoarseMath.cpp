//===- CoarseMath.cpp - functions of numbers that are rounded then --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is stored in the 8 bits of bf16 need not be computed to 24. Functions
// with `fastmath<afn>` have relative errors of at most 2^-12, and keep
// infinities and NaN.
//
//===----------------------------------------------------------------------===//
#include "MathPatterns.h"
#include "glow/Kernels/Kernels.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
using P = ScalarBuilder::Predicate;

/// Numbers in one register of AVX-512.
constexpr int64_t kLanes = 16;

/// Whether the op may be approximated, on whole registers of f32.
template <typename Op> bool isCoarse(Op op) {
  auto type = dyn_cast<VectorType>(op.getType());
  return type && type.getRank() == 1 && type.getElementType().isF32() &&
         type.getNumElements() % kLanes == 0 &&
         bitEnumContainsAll(op.getFastmath(), arith::FastMathFlags::afn);
}

/// An instruction on registers, whose last operands are what it leaves where it
/// has a mask, the mask, and how it rounds unless `rounds` is false.
Value instruction(ScalarBuilder &b, StringRef name, ValueRange vectors,
                  bool rounds) {
  OpBuilder &builder = b.builder;
  auto type = cast<VectorType>(vectors.front().getType());
  auto part = VectorType::get(kLanes, type.getElementType());
  auto integer = [&](int64_t value, unsigned bits) {
    return LLVM::ConstantOp::create(builder, b.loc,
                                    builder.getIntegerType(bits), value);
  };
  Value result = b.zero(vectors.front());
  for (int64_t lane = 0; lane < type.getNumElements(); lane += kLanes) {
    SmallVector<Value> operands;
    for (Value vector : vectors)
      operands.push_back(vector::ExtractStridedSliceOp::create(
          builder, b.loc, vector, lane, kLanes, 1));
    operands.append({operands.front(), integer(-1, 16)});
    if (rounds)
      // As the processor's mode says.
      operands.push_back(integer(4, 32));
    Value computed =
        LLVM::CallIntrinsicOp::create(builder, b.loc, part,
                                      builder.getStringAttr(name), operands)
            .getResult(0);
    result = vector::InsertStridedSliceOp::create(builder, b.loc, computed,
                                                  result, lane, 1);
  }
  return result;
}

/// The processor's estimate of 14 bits.
Value reciprocal(ScalarBuilder &b, Value x) {
  return instruction(b, "llvm.x86.avx512.rcp14.ps.512", x, /*rounds=*/false);
}

/// exp x = 2^n 2^r with n the largest integer up to x / log 2.
Value coarseExp(ScalarBuilder &b, math::ExpOp op) {
  Value x = op.getOperand();
  Value power = b.mul(x, b.constant(x, M_LOG2E));
  // To where results are 0 instead of subnormal.
  Value isBelow = b.compare(P::lt, power, b.constant(x, -126));
  power = b.select(isBelow, b.constant(x, -1e4), power);
  // Of an infinity the difference would be no number.
  Value isAbove = b.compare(P::gt, power, b.constant(x, 129));
  power = b.select(isAbove, b.constant(x, 129), power);
  Value n = b.math<math::FloorOp>(power);
  Value whole = polynomial(
      b, b.sub(power, n),
      {1.00000262, 0.693003834, 0.24144274, 0.0520114787, 0.0135341613});
  return instruction(b, "llvm.x86.avx512.mask.scalef.ps.512", {whole, n},
                     /*rounds=*/true);
}

/// Nothing for quotients of other numbers than 1.
Value coarseQuotient(ScalarBuilder &b, arith::DivFOp op) {
  bool isReciprocal = matchPattern(op.getLhs(), m_OneFloat());
  return isReciprocal ? reciprocal(b, op.getRhs()) : Value();
}

/// erf x = x p(x^2) up to 3, and there 1. The polynomial, in 2 x^2 / 9 - 1, has
/// a relative error of 2.3e-5.
Value coarseErf(ScalarBuilder &b, math::ErfOp op) {
  return oddPolynomial(b, op.getOperand(), 3,
                       {0.470129997, -0.228699982, 0.157525077, -0.111452222,
                        0.0726925433, -0.0389450565, 0.0228944011,
                        -0.0184125919, 0.00760143856});
}

/// tanh x = x p(x^2) / q(x^2) up to 5, with a relative error of 1.3e-4 and that
/// of the estimate. At 5 the quotient is past 1 by more than that and is cut,
/// so that 1 + tanh x is exactly 0 below.
Value coarseTanh(ScalarBuilder &b, math::TanhOp op) {
  Value x = limit(b, op.getOperand(), 5), z = b.mul(x, x);
  Value p = polynomial(b, z, {0.999964237, 0.103419572, 7.0341659e-4});
  Value q = polynomial(b, z, {1.0, 0.436521649, 0.013134527});
  return limit(b, b.mul(b.mul(x, p), reciprocal(b, q)), 1);
}

/// Puts what `compute` makes in the place of an op that may be approximated.
template <typename Op, Value (*compute)(ScalarBuilder &, Op)>
struct Coarse : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    Type single = rewriter.getF32Type();
    ScalarBuilder b(rewriter, op.getLoc(), single, single);
    Value result = isCoarse(op) ? compute(b, op) : Value();
    if (!result)
      return rewriter.notifyMatchFailure(op, "wants all digits");
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void glow::populateCoarseMathPatterns(RewritePatternSet &patterns) {
  // Before those for all digits.
  patterns.add<
      Coarse<math::ExpOp, coarseExp>, Coarse<arith::DivFOp, coarseQuotient>,
      Coarse<math::ErfOp, coarseErf>, Coarse<math::TanhOp, coarseTanh>>(
      patterns.getContext(),
      /*benefit=*/2);
}
