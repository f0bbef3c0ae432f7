//===- LayoutChoices.cpp - the layouts of convolution and pooling ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Channels last lets a vector of channels meet a vector of weights, so a
// convolution is several times as fast as with channels first. A pool is nearly
// as fast with those, if its lines fill vectors. The figures are rough
// estimates for one core; only their ratios to each other and to the price of
// reordering matter.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"

using namespace mlir;
using namespace mlir::glow;

/// Operations per nanosecond.
static constexpr double kConvLast = 100, kConvFirst = 20;
static constexpr double kPoolLast = 10, kPoolFullLine = 8, kPoolByElement = 2;

/// Of a pool with channels first.
static double poolRate(int64_t line, int64_t stride) {
  // Further apart than KernelBuilder::kMostShuffled, elements are loaded one by
  // one.
  constexpr double kFullLine = 16;
  constexpr int64_t kMostStride = 8;
  if (ShapedType::isDynamic(line) || stride > kMostStride)
    return kPoolByElement;
  return std::clamp(kPoolFullLine * line / kFullLine, kPoolByElement,
                    kPoolFullLine);
}

static double elements(ArrayRef<int64_t> dims) {
  double product = 1;
  for (int64_t dim : dims)
    product *= ShapedType::isDynamic(dim) ? 1 : dim;
  return product;
}

/// What has channels last keeps them, see `checkChange`.
static void addChoices(MLIRContext *context, double operations, double last,
                       double first, bool isLast,
                       SmallVectorImpl<LayoutChoice> &choices) {
  if (!isLast)
    choices.push_back({LayoutAttr::get(context, LayoutKind::ChannelsFirst, 1),
                       operations / first});
  choices.push_back({LayoutAttr::get(context, LayoutKind::ChannelsLast, 1),
                     operations / last});
}

void ConvOp::getLayoutChoices(SmallVectorImpl<LayoutChoice> &choices) {
  // Each element of the result meets a window of one group's channels.
  double perElement = elements(getKernelShape());
  ArrayRef<int64_t> dims = dimsOf(getInput());
  int64_t channels = isChannelsLast() ? dims.back() : dims[1];
  if (!ShapedType::isDynamic(channels))
    perElement *= static_cast<double>(channels) / getGroup();
  addChoices(getContext(), 2 * perElement * elements(dimsOf(getResult())),
             kConvLast, kConvFirst, isChannelsLast(), choices);
}

void PoolOp::getLayoutChoices(SmallVectorImpl<LayoutChoice> &choices) {
  int64_t line = dimsOf(getResult()).drop_back(isChannelsLast()).back();
  addChoices(getContext(),
             elements(getKernelShape()) * elements(dimsOf(getResult())),
             kPoolLast, poolRate(line, getStrides().back()), isChannelsLast(),
             choices);
}

/// Window…, C, O from O, C, window….
static SmallVector<int64_t> filterPermutation(int64_t rank) {
  SmallVector<int64_t> permutation;
  for (int64_t axis = 2; axis < rank; ++axis)
    permutation.push_back(axis);
  permutation.append({1, 0});
  return permutation;
}

/// Both ops can go from channels first to channels last and not back: the pass
/// runs on imported graphs, which are all channels first.
static LogicalResult checkChange(Operation *op, LayoutAttr layout) {
  if (layout.getKind() == LayoutKind::ChannelsLast && layout.getBlock() == 1)
    return success();
  return op->emitOpError("cannot change from channels first to ") << layout;
}

/// What is broadcast to a result, for one whose axes are permuted.
static Value transposeBroadcast(GraphBuilder &b, Value input,
                                ArrayRef<int64_t> permutation) {
  int64_t rank = dimsOf(input).size(), missing = permutation.size() - rank;
  if (rank == 0)
    return input;
  return b.transpose(
      b.unsqueeze(input, llvm::to_vector(llvm::seq<int64_t>(0, missing))),
      permutation);
}

LogicalResult ConvOp::applyLayout(RewriterBase &rewriter, LayoutAttr layout) {
  if (isChannelsLast() == (layout.getKind() == LayoutKind::ChannelsLast))
    return success();
  if (failed(checkChange(*this, layout)))
    return failure();
  if (getPacked() || getWinograd() || getPieces())
    return emitOpError("already has a packed filter; assign layouts before");
  GraphBuilder b(rewriter, getLoc());
  int64_t rank = dimsOf(getInput()).size();
  SmallVector<int64_t> toLast = channelsLastPermutation(rank);
  auto epilogueInputs =
      llvm::map_to_vector(getEpilogueInputs(), [&](Value input) {
        return transposeBroadcast(b, input, toLast);
      });
  auto conv = ConvOp::create(
      rewriter, getLoc(), b.transpose(getInput(), toLast),
      b.transpose(getFilter(), filterPermutation(rank)), getBias(),
      epilogueInputs, getKernelShape(), getStrides(), getPads(), getDilations(),
      getGroup(), layout, IntegerAttr(), IntegerAttr(), WinogradAttr(),
      IntegerAttr());
  conv.getEpilogue().takeBody(getEpilogue());
  auto last = cast<RankedTensorType>(conv.getType());
  conv.getResult().setType(last.clone(elementType(getResult())));
  Value result = b.transpose(conv, inversePermutation(toLast));
  result.setType(getType());
  rewriter.replaceOp(*this, result);
  return success();
}

LogicalResult PoolOp::applyLayout(RewriterBase &rewriter, LayoutAttr layout) {
  if (isChannelsLast() == (layout.getKind() == LayoutKind::ChannelsLast))
    return success();
  if (failed(checkChange(*this, layout)))
    return failure();
  GraphBuilder b(rewriter, getLoc());
  SmallVector<int64_t> toLast =
      channelsLastPermutation(dimsOf(getInput()).size());
  Value pool = b.create<PoolOp>(getKind(), b.transpose(getInput(), toLast),
                                getKernelShape(), getStrides(), getPads(),
                                getDilations(), getCeilMode(),
                                getCountIncludePad(), layout);
  Value result = b.transpose(pool, inversePermutation(toLast));
  result.setType(getType());
  rewriter.replaceOp(*this, result);
  return success();
}
