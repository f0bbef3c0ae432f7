//===- DecomposeNorm.cpp - softmax and normalisation as smaller ops -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats narrower than 32 bits are widened first: sums of many elements lose
// too much in them.
//
//===----------------------------------------------------------------------===//
#include "BatchNorm.h"

using namespace mlir;
using namespace mlir::glow;

using Values = FailureOr<SmallVector<Value>>;

Values SoftmaxOp::decompose(OpBuilder &builder) {
  GraphBuilder b(builder, getLoc());
  Type own = elementType(getInput());
  int64_t axis = getAxis();
  Value input = b.castTo(getInput(), b.accumulatorType(own));
  // Subtracting the maximum keeps exp in range and changes nothing else.
  Value shifted = b.sub(input, b.reduce(ReduceKind::Max, input, axis));
  Value exp = b.create<ExpOp>(shifted);
  Value sum = b.reduce(ReduceKind::Sum, exp, axis);
  // One division for all elements of a sum.
  Value result = getLog() ? b.sub(shifted, b.create<LogOp>(sum))
                          : b.mul(exp, b.create<ReciprocalOp>(sum));
  return SmallVector<Value>{b.castTo(result, own)};
}

/// 1 / sqrt(variance + epsilon).
static Value inverseDeviation(GraphBuilder &b, Value variance,
                              const APFloat &epsilon) {
  Value guarded = b.add(
      variance, b.scalar(epsilon.convertToDouble(), elementType(variance)));
  return b.create<RsqrtOp>(guarded);
}

ChannelLine glow::channelLine(GraphBuilder &b, BatchNormOp op) {
  Type type = b.accumulatorType(elementType(op.getScale()));
  Value factor = b.mul(
      b.castTo(op.getScale(), type),
      inverseDeviation(b, b.castTo(op.getVariance(), type), op.getEpsilon()));
  Value offset = b.sub(b.castTo(op.getBias(), type),
                       b.mul(b.castTo(op.getMean(), type), factor));
  return {factor, offset};
}

Values BatchNormOp::decompose(OpBuilder &builder) {
  GraphBuilder b(builder, getLoc());
  Type own = elementType(getInput());
  Type type = b.accumulatorType(own);
  int64_t rank = dimsOf(getInput()).size();
  ChannelLine line = channelLine(b, *this);
  Value factor = b.alongAxis(b.castTo(line.factor, type), 1, rank);
  Value offset = b.alongAxis(b.castTo(line.offset, type), 1, rank);
  Value result = b.add(b.mul(b.castTo(getInput(), type), factor), offset);
  return SmallVector<Value>{b.castTo(result, own)};
}

/// (x - mean) / sqrt(variance + epsilon) over `axes`; with `rms` the mean is
/// taken as zero.
static Value normalize(GraphBuilder &b, Value input, ArrayRef<int64_t> axes,
                       const APFloat &epsilon, bool rms) {
  Value centred = input;
  if (!rms)
    centred = b.sub(input, b.reduce(ReduceKind::Mean, input, axes));
  Value variance = b.reduce(ReduceKind::Mean, b.mul(centred, centred), axes);
  return b.mul(centred, inverseDeviation(b, variance, epsilon));
}

Values LayerNormOp::decompose(OpBuilder &builder) {
  GraphBuilder b(builder, getLoc());
  Type own = elementType(getInput());
  Type type = b.accumulatorType(own);
  auto axes = llvm::to_vector(llvm::seq<int64_t>(
      getAxis(), static_cast<int64_t>(dimsOf(getInput()).size())));
  Value result =
      normalize(b, b.castTo(getInput(), type), axes, getEpsilon(), getRms());
  result = b.mul(result, b.castTo(getScale(), type));
  if (getBias())
    result = b.add(result, b.castTo(getBias(), type));
  return SmallVector<Value>{b.castTo(result, own)};
}

Values GroupNormOp::decompose(OpBuilder &builder) {
  GraphBuilder b(builder, getLoc());
  Type own = elementType(getInput());
  Type type = b.accumulatorType(own);
  int64_t rank = dimsOf(getInput()).size();
  Value input = b.castTo(getInput(), type);
  Value grouped = b.reshape(input, {0, static_cast<int64_t>(getGroups()), -1});
  Value normal = normalize(b, grouped, 2, getEpsilon(), /*rms=*/false);
  Value result = b.reshapeLike(normal, input);
  result = b.mul(result, b.alongAxis(b.castTo(getScale(), type), 1, rank));
  result = b.add(result, b.alongAxis(b.castTo(getBias(), type), 1, rank));
  return SmallVector<Value>{b.castTo(result, own)};
}
