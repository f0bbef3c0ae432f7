//===- SplitFrames.cpp - convolutions of clips, frame by frame ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window of k frames is the sum of k windows of one frame, each of which may
// be computed by what serves images only. Frames are then images.
//
//===----------------------------------------------------------------------===//
#include "SplitFrames.h"
#include "ConvWeights.h"
#include "glow/Dialect/Glow/Transforms/Epilogues.h"

using namespace mlir;
using namespace mlir::glow;

/// Batch, frames, lines, places, channels.
static constexpr int64_t kFrameAxis = 1, kClipRank = 5;

SmallVector<FrameTap> glow::frameTaps(ConvOp conv) {
  if (!canMovePlaces(conv) || conv.getSpatialRank() != kClipRank - 2 ||
      conv.getStrides()[0] != 1 || !isComputedFromConstants(conv.getFilter()))
    return {};
  int64_t in = dimsOf(conv.getInput())[kFrameAxis];
  int64_t out = dimsOf(conv.getResult())[kFrameAxis];
  int64_t before = conv.getPads()[0];
  SmallVector<FrameTap> taps;
  std::optional<FrameTap> whole;
  for (int64_t tap = 0; tap < conv.getKernelShape()[0]; ++tap) {
    int64_t shift = before - tap * conv.getDilations()[0];
    FrameTap range{std::max<int64_t>(0, shift), std::min(out, in + shift),
                   shift};
    if (range.frames() == out && !whole)
      whole = range;
    else if (range.frames() > 0)
      taps.push_back(range);
  }
  if (!whole)
    return {};
  taps.push_back(*whole);
  return taps;
}

/// Some frames of a clip, as images.
static Value imagesOf(GraphBuilder &b, Value clip, int64_t first,
                      int64_t last) {
  SmallVector<int64_t> dims(dimsOf(clip));
  if (first != 0 || last != dims[kFrameAxis])
    clip = b.slice(clip, kFrameAxis, first, last);
  dims[kFrameAxis] = dims[0] * (last - first);
  return b.reshape(clip, ArrayRef(dims).drop_front());
}

static Value clipOf(GraphBuilder &b, Value images, int64_t clips) {
  SmallVector<int64_t> dims(dimsOf(images));
  dims[0] /= clips;
  dims.insert(dims.begin(), clips);
  return b.reshape(images, dims);
}

/// Without the entries of the first axis, of one or two for each axis.
static SmallVector<int64_t> ofImages(ArrayRef<int64_t> values) {
  SmallVector<int64_t> result(values);
  if (values.size() > kClipRank - 2)
    result.erase(result.begin() + kClipRank - 2);
  result.erase(result.begin());
  return result;
}

/// The convolution of the frames that one tap reads, without an epilogue.
static ConvOp convOfTap(GraphBuilder &b, ConvOp conv, const FrameTap &tap) {
  int64_t index = (conv.getPads()[0] - tap.shift) / conv.getDilations()[0];
  Value taps = moveWeights(b, conv.getFilter(), [&](Value filter) {
    return b.reshape(b.slice(filter, 0, index, index + 1),
                     dimsOf(filter).drop_front());
  });
  Value images =
      imagesOf(b, conv.getInput(), tap.first - tap.shift, tap.last - tap.shift);
  Value result = b.create<ConvOp>(
      images, taps, Value(), ValueRange(), ofImages(conv.getKernelShape()),
      ofImages(conv.getStrides()), ofImages(conv.getPads()),
      ofImages(conv.getDilations()), /*group=*/1, conv.getLayoutAttr(),
      IntegerAttr(), IntegerAttr(), WinogradAttr(), IntegerAttr());
  return result.getDefiningOp<ConvOp>();
}

void glow::splitFrames(ConvOp conv, ArrayRef<FrameTap> taps) {
  OpBuilder builder(conv);
  GraphBuilder b(builder, conv.getLoc());
  SmallVector<int64_t> result(dimsOf(conv.getResult()));
  int64_t clips = result[0], frames = result[kFrameAxis];
  SmallVector<Value> others;
  for (const FrameTap &tap : taps.drop_back()) {
    ConvOp part = convOfTap(b, conv, tap);
    epilogueOf(part, part.getEpilogue());
    part.getResult().setType(
        cast<RankedTensorType>(part.getType()).clone(builder.getF32Type()));
    // Zeros for the frames to which it adds nothing.
    SmallVector<int64_t> pads(2 * kClipRank, 0);
    pads[kFrameAxis] = tap.first;
    pads[kClipRank + kFrameAxis] = frames - tap.last;
    Value sums = b.create<PadOp>(PadMode::Constant, clipOf(b, part, clips),
                                 b.ints(pads), Value());
    others.push_back(imagesOf(b, sums, 0, frames));
  }
  ConvOp last = convOfTap(b, conv, taps.back());
  last.getEpilogue().takeBody(conv.getEpilogue());
  if (conv.getBias())
    last.getBiasMutable().assign(conv.getBias());
  for (Value input : conv.getEpilogueInputs())
    last.getEpilogueInputsMutable().append(isPerChannel(input)
                                               ? channelsOf(b, input)
                                               : imagesOf(b, input, 0, frames));
  last->moveBefore(conv);
  last.getResult().setType(cast<RankedTensorType>(last.getType())
                               .clone(elementType(conv.getResult())));
  for (Value sums : others)
    addToSums(last, last.getEpilogue(), last.getEpilogueInputsMutable(), sums);
  builder.setInsertionPoint(conv);
  conv.replaceAllUsesWith(clipOf(b, last, clips));
  conv.erase();
}
