//===- SplitDilations.cpp - dilated convolutions as dense ones ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results that are a dilation apart read places that are a dilation apart, and
// share none with the others. Each such set, a phase, is an image of which the
// convolution is dense.
//
//===----------------------------------------------------------------------===//
#include "SplitDilations.h"
#include "ConvWeights.h"
#include "glow/Dialect/Glow/Transforms/Epilogues.h"

using namespace mlir;
using namespace mlir::glow;

/// Batch, rows, columns, channels.
static constexpr int64_t kImageRank = 4;

namespace {
/// How places of an image are shared out, along rows and columns.
struct Phases {
  std::array<int64_t, 2> dilations;
  /// Of one phase.
  std::array<int64_t, 2> extents;

  int64_t count() const { return dilations[0] * dilations[1]; }
};
} // namespace

/// The phases of images as images. There are `before` zeros before the first
/// place along each axis, and as many behind the last as are needed.
static Value phasesOf(GraphBuilder &b, Value images, const Phases &phases,
                      ArrayRef<int64_t> before) {
  ArrayRef<int64_t> dims = dimsOf(images);
  auto [d, e] = phases;
  SmallVector<int64_t> pads(2 * kImageRank, 0);
  for (int64_t axis : {0, 1}) {
    pads[axis + 1] = before[axis];
    pads[kImageRank + axis + 1] =
        d[axis] * e[axis] - before[axis] - dims[axis + 1];
  }
  if (llvm::any_of(pads, [](int64_t n) { return n != 0; }))
    images = b.create<PadOp>(PadMode::Constant, images, b.ints(pads), Value());
  images = b.reshape(images, {dims[0], e[0], d[0], e[1], d[1], dims[3]});
  images = b.transpose(images, {0, 2, 4, 1, 3, 5});
  return b.reshape(images, {dims[0] * phases.count(), e[0], e[1], dims[3]});
}

/// Images of the shape `dims` from their phases.
static Value joinPhases(GraphBuilder &b, Value results, const Phases &phases,
                        ArrayRef<int64_t> dims) {
  auto [d, e] = phases;
  results = b.reshape(results, {dims[0], d[0], d[1], e[0], e[1], dims[3]});
  results = b.transpose(results, {0, 3, 1, 4, 2, 5});
  results = b.reshape(results, {dims[0], e[0] * d[0], e[1] * d[1], dims[3]});
  for (int64_t axis : {0, 1})
    if (e[axis] * d[axis] != dims[axis + 1])
      results = b.slice(results, axis + 1, 0, dims[axis + 1]);
  return results;
}

std::array<int64_t, 2> glow::phaseCounts(ConvOp conv) {
  std::array<int64_t, 2> counts;
  for (size_t axis : {0, 1})
    counts[axis] =
        conv.getKernelShape()[axis] > 1 ? conv.getDilations()[axis] : 1;
  return counts;
}

/// Any dilation at all, and no phase without results.
static bool hasPhases(ConvOp conv) {
  auto [down, right] = phaseCounts(conv);
  ArrayRef<int64_t> extents = dimsOf(conv.getResult()).drop_front();
  return (down > 1 || right > 1) && down <= extents[0] && right <= extents[1];
}

bool glow::canSplitDilations(ConvOp conv) {
  return canMovePlaces(conv) && conv.getSpatialRank() == kImageRank - 2 &&
         hasPhases(conv) &&
         llvm::all_of(conv.getStrides(), [](int64_t s) { return s == 1; });
}

void glow::splitDilations(ConvOp conv, const WinogradTile &tile) {
  OpBuilder builder(conv);
  GraphBuilder b(builder, conv.getLoc());
  SmallVector<int64_t> dims(dimsOf(conv.getResult()));
  ArrayRef<int64_t> kernel = conv.getKernelShape(), pads = conv.getPads();
  Phases in, out;
  for (int64_t axis : {0, 1}) {
    int64_t dilation = phaseCounts(conv)[axis];
    in.dilations[axis] = out.dilations[axis] = dilation;
    out.extents[axis] = llvm::alignTo(
        llvm::divideCeil(dims[axis + 1], dilation), tile.along(axis).outputs());
    in.extents[axis] = out.extents[axis] + kernel[axis] - 1;
  }
  SmallVector<Value> extra;
  for (Value input : conv.getEpilogueInputs())
    extra.push_back(isPerChannel(input) ? channelsOf(b, input)
                                        : phasesOf(b, input, out, {0, 0}));
  Value images = phasesOf(b, conv.getInput(), in, pads.take_front(2));
  Value results = denseConv(b, conv, images, conv.getFilter(), extra, kernel,
                            SmallVector<int64_t>(4, 0));
  conv.replaceAllUsesWith(joinPhases(b, results, out, dims));
  conv.erase();
}
