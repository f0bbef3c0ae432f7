//===- LayoutChoices.cpp - the layouts of convolution and pooling ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Channels last lets a vector of channels meet a vector of weights, so a
// convolution of several channels is several times as fast as with channels
// first. With those, pools and convolutions of channels by themselves are fast
// if their lines fill vectors. The figures are rough estimates for one core;
// only their ratios to each other and to the price of reordering matter.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include <numeric>

using namespace mlir;
using namespace mlir::glow;

/// Operations per nanosecond, with channels last, and with channels first along
/// lines of so many elements, or along short lines.
struct Rates {
  double last, fullLine, fullLineElements, shortLine;
};
static constexpr Rates kConv{130, 60, 28, 20}, kPool{60, 25, 56, 2};

/// With channels first, where vectors lie along `line`.
static double rateFirst(const Rates &rates, int64_t line) {
  if (ShapedType::isDynamic(line))
    return rates.shortLine;
  return std::clamp(rates.fullLine * line / rates.fullLineElements,
                    rates.shortLine, rates.fullLine);
}

/// The part of a vector that few channels fill.
static double filledPart(int64_t channels) {
  constexpr double kLanes = 16;
  return ShapedType::isDynamic(channels) ? 1.0
                                         : std::min(1.0, channels / kLanes);
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
  ArrayRef<int64_t> dims = dimsOf(getInput()), result = dimsOf(getResult());
  bool isLast = isChannelsLast();
  int64_t channels = isLast ? dims.back() : dims[1];
  if (!ShapedType::isDynamic(channels))
    perElement *= static_cast<double>(channels) / getGroup();
  // Vectors lie along the result's channels or, if these are few, the input's.
  double filled = std::max(filledPart(channels),
                           filledPart(isLast ? result.back() : result[1]));
  // Of elements with others between them two vectors are loaded for each.
  double first =
      rateFirst(kConv, result.drop_back(isLast).back()) / getStrides().back();
  addChoices(getContext(), 2 * perElement * elements(result),
             kConv.last * filled, first, isLast, choices);
}

void PoolOp::getLayoutChoices(SmallVectorImpl<LayoutChoice> &choices) {
  // Further apart than KernelBuilder::kMostShuffled, elements are loaded one by
  // one.
  constexpr int64_t kMostStride = 8;
  ArrayRef<int64_t> result = dimsOf(getResult()), kernel = getKernelShape();
  bool isLast = isChannelsLast();
  double perElement = elements(kernel);
  // A maximum may be taken along one axis after the other.
  if (getKind() == PoolKind::Max &&
      llvm::all_of(getStrides(), [](int64_t stride) { return stride == 1; }))
    perElement = std::min<double>(
        perElement, std::accumulate(kernel.begin(), kernel.end(), int64_t(0)));
  double first = getStrides().back() > kMostStride
                     ? kPool.shortLine
                     : rateFirst(kPool, result.drop_back(isLast).back());
  addChoices(getContext(), perElement * elements(result), kPool.last, first,
             isLast, choices);
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
