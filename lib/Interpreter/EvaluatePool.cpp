//===- EvaluatePool.cpp - maximum and mean over windows -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include "Lanes.h"
#include "WindowPlaces.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// The values under one window, combined.
template <typename Lane> struct Pooled {
  Lane value;
  /// Elements of the input, and of the padding, that the window covers.
  int64_t inside = 0, padding = 0;
};
} // namespace

template <typename Lane>
static Pooled<Lane> poolWindow(PoolOp op, const SlidingWindow &window,
                               ArrayRef<int64_t> at, const Lane *channel,
                               int64_t stride, Lane neutral) {
  Pooled<Lane> pooled{neutral};
  PlaceWalker tap(window.kernel);
  for (int64_t t = 0; t < window.kernelSize(); ++t, tap.next()) {
    int64_t place = window.place(at, *tap);
    pooled.padding += place == -1;
    if (place < 0)
      continue;
    ++pooled.inside;
    Lane element = channel[place * stride];
    pooled.value = op.getKind() == PoolKind::Max
                       ? maxLanes(pooled.value, element)
                       : addLanes(pooled.value, element);
  }
  return pooled;
}

/// Pools all channels of one image, in the op's layout.
template <typename Lane>
static std::vector<Lane> poolImage(PoolOp op, const SlidingWindow &window,
                                   const std::vector<Lane> &image,
                                   int64_t channels, Lane neutral) {
  bool last = op.isChannelsLast();
  int64_t places = window.outputSize(), size = window.inputSize();
  std::vector<Lane> out(channels * places);
  for (int64_t c = 0; c < channels; ++c) {
    const Lane *channel = image.data() + c * (last ? 1 : size);
    PlaceWalker at(window.output);
    for (int64_t i = 0; i < places; ++i, at.next()) {
      Pooled<Lane> pooled =
          poolWindow(op, window, *at, channel, last ? channels : 1, neutral);
      int64_t count =
          pooled.inside + (op.getCountIncludePad() ? pooled.padding : 0);
      if (op.getKind() == PoolKind::Average)
        pooled.value = count ? pooled.value / static_cast<Lane>(count) : 0;
      out[last ? i * channels + c : c * places + i] = pooled.value;
    }
  }
  return out;
}

LogicalResult PoolOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  bool last = isChannelsLast();
  SlidingWindow window = slidingWindow(
      *this, spatialPart(input.getShape(), last), getKernelShape());
  if (failed(window.inferOutput(getLoc(), getCeilMode())))
    return failure();
  int64_t channels = last ? input.getShape().back() : input.getDim(1);
  Dims dims = activationShape(last, input.getDim(0), channels, window.output);
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  if (out[0].size() == 0)
    return success();
  int64_t inSize = input.size() / input.getDim(0);
  int64_t outSize = out[0].size() / input.getDim(0);
  withLane(input.format(), [&](auto zero) {
    using Lane = decltype(zero);
    Lane neutral =
        getKind() == PoolKind::Max ? lowestLane<Lane>(input.format()) : Lane(0);
    std::vector<Lane> image(inSize);
    for (int64_t n = 0; n < input.getDim(0); ++n) {
      readLanes(input, n * inSize, inSize, image.data());
      std::vector<Lane> result =
          poolImage(*this, window, image, channels, neutral);
      writeLanes(out[0], n * outSize, outSize, result.data());
    }
  });
  return success();
}
