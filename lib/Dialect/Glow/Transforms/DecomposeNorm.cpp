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

/// What a reshape has made the input of: images whose groups of channels are
/// channels there, as some exporters write group normalisation. The input
/// itself if it is nothing else.
static Value imagesOf(GroupNormOp op) {
  auto reshape = op.getInput().getDefiningOp<ReshapeOp>();
  if (!reshape || reshape.getAllowZero())
    return op.getInput();
  auto images = cast<RankedTensorType>(reshape.getInput().getType()),
       own = cast<RankedTensorType>(op.getInput().getType());
  auto shape = constantInts(reshape.getShape());
  int64_t groups = op.getGroups();
  // The batch is the same, also where it is bounded by the number in the type.
  bool keepsBatch = shape && (shape->front() == 0 || own.getDimSize(0) == 1) &&
                    images.getDimSize(0) == own.getDimSize(0);
  bool areGroups = own.getRank() == 3 && own.getDimSize(1) == groups &&
                   images.getRank() > 2 && !images.isDynamicDim(1) &&
                   images.getDimSize(1) % groups == 0;
  return keepsBatch && areGroups ? reshape.getInput() : op.getInput();
}

/// Each element of the last axis so many times.
static Value repeatEach(GraphBuilder &b, Value value, int64_t count) {
  if (count == 1)
    return value;
  int64_t rank = dimsOf(value).size();
  SmallVector<int64_t> column(rank + 1, 1), merged(rank, 0);
  column.back() = count;
  int64_t last = dimsOf(value).back();
  merged.back() = ShapedType::isDynamic(last) ? -1 : last * count;
  Value columns =
      b.create<ExpandOp>(b.unsqueeze(value, {rank}), b.ints(column));
  return b.reshape(columns, merged);
}

/// The mean of each group of channels, for each of its channels: of statistics
/// of channels, in which all other axes but the batch are 1.
static Value meanOfGroups(GraphBuilder &b, Value statistic, int64_t groups) {
  int64_t rank = dimsOf(statistic).size(),
          perGroup = dimsOf(statistic)[1] / groups;
  SmallVector<int64_t> cut(rank - 1, 0), ofGroups(rank, 0);
  cut.append({groups, perGroup});
  ofGroups.back() = groups;
  SmallVector<int64_t> toLast = channelsLastPermutation(rank);
  Value apart = b.reshape(b.transpose(statistic, toLast), cut);
  Value mean = b.reshape(b.reduce(ReduceKind::Mean, apart, rank), ofGroups);
  return b.transpose(repeatEach(b, mean, perGroup), inversePermutation(toLast));
}

/// (x - mean) / sqrt(variance + epsilon) of each group of channels of images.
/// Statistics are taken of the images as they lie, of all channels together or
/// of each by itself, and then of groups of them.
static Value normalizeGroups(GraphBuilder &b, Value images, int64_t groups,
                             const APFloat &epsilon) {
  int64_t rank = dimsOf(images).size(), perGroup = dimsOf(images)[1] / groups;
  auto axes = llvm::to_vector(llvm::seq<int64_t>(groups > 1 ? 2 : 1, rank));
  auto meanOf = [&](Value values) {
    Value mean = b.reduce(ReduceKind::Mean, values, axes);
    return groups > 1 && perGroup > 1 ? meanOfGroups(b, mean, groups) : mean;
  };
  Value centred = b.sub(images, meanOf(images));
  Value variance = meanOf(b.mul(centred, centred));
  return b.mul(centred, inverseDeviation(b, variance, epsilon));
}

Values GroupNormOp::decompose(OpBuilder &builder) {
  GraphBuilder b(builder, getLoc());
  Type own = elementType(getInput());
  Type type = b.accumulatorType(own);
  int64_t groups = getGroups();
  Value images = imagesOf(*this), input = b.castTo(images, type);
  int64_t rank = dimsOf(input).size(), channels = dimsOf(input)[1];
  if (ShapedType::isDynamic(channels))
    return emitOpError(
        "needs a known number of channels; fix the input's shape, "
        "for example with --shape");
  // What are channels to the op may be groups of them to the images.
  int64_t perParameter = images == getInput() ? 1 : channels / groups;
  auto perChannel = [&](Value parameter) {
    Value each = repeatEach(b, b.castTo(parameter, type), perParameter);
    return b.alongAxis(each, 1, rank);
  };
  Value result = normalizeGroups(b, input, groups, getEpsilon());
  result = b.mul(result, perChannel(getScale()));
  result = b.castTo(b.add(result, perChannel(getBias())), own);
  if (images != getInput())
    result = b.reshape(result, {0, groups, -1});
  return SmallVector<Value>{result};
}
