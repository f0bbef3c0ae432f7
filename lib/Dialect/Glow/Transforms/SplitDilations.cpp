//===- SplitDilations.cpp - dilated convolutions as dense ones ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results that are a dilation apart read places that are a dilation apart, and
// share none with the others. Each such set, a phase, is an image of which the
// convolution is dense. Of clips the frames have phases.
//
//===----------------------------------------------------------------------===//
#include "SplitDilations.h"
#include "ConvWeights.h"
#include "glow/Dialect/Glow/Transforms/Epilogues.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// How places of images, or of the frames of clips, are shared out along rows
/// and columns, which come before the channels.
struct Phases {
  std::array<int64_t, 2> dilations;
  /// Of one phase.
  std::array<int64_t, 2> extents;

  int64_t count() const { return dilations[0] * dilations[1]; }
};
} // namespace

/// The axes of a clip's frames, if there are any.
static ArrayRef<int64_t> framesOf(ArrayRef<int64_t> dims) {
  return dims.drop_front().drop_back(3);
}

static SmallVector<int64_t> joinDims(std::initializer_list<int64_t> front,
                                     ArrayRef<int64_t> frames,
                                     std::initializer_list<int64_t> back) {
  SmallVector<int64_t> dims(front);
  llvm::append_range(dims, frames);
  llvm::append_range(dims, back);
  return dims;
}

/// The phases of images as images. There are `before` zeros before the first
/// place along each axis, and as many behind the last as are needed.
static Value phasesOf(GraphBuilder &b, Value images, const Phases &phases,
                      ArrayRef<int64_t> before) {
  SmallVector<int64_t> dims(dimsOf(images));
  ArrayRef<int64_t> frames = framesOf(dims);
  size_t rank = dims.size(), rows = frames.size() + 1;
  auto [d, e] = phases;
  SmallVector<int64_t> pads(2 * rank, 0);
  for (size_t axis : {0, 1}) {
    pads[rows + axis] = before[axis];
    pads[rank + rows + axis] =
        d[axis] * e[axis] - before[axis] - dims[rows + axis];
  }
  if (llvm::any_of(pads, [](int64_t n) { return n != 0; }))
    images = b.create<PadOp>(PadMode::Constant, images, b.ints(pads), Value());
  int64_t channels = dims.back();
  images = b.reshape(
      images, joinDims({dims[0]}, frames, {e[0], d[0], e[1], d[1], channels}));
  // Phases go before the frames.
  images = b.transpose(images, frames.empty()
                                   ? ArrayRef<int64_t>{0, 2, 4, 1, 3, 5}
                                   : ArrayRef<int64_t>{0, 3, 5, 1, 2, 4, 6});
  return b.reshape(images, joinDims({dims[0] * phases.count()}, frames,
                                    {e[0], e[1], channels}));
}

/// Images of the shape `dims` from their phases.
static Value joinPhases(GraphBuilder &b, Value results, const Phases &phases,
                        ArrayRef<int64_t> dims) {
  ArrayRef<int64_t> frames = framesOf(dims);
  auto [d, e] = phases;
  results = b.reshape(results, joinDims({dims[0], d[0], d[1]}, frames,
                                        {e[0], e[1], dims.back()}));
  results = b.transpose(results, frames.empty()
                                     ? ArrayRef<int64_t>{0, 3, 1, 4, 2, 5}
                                     : ArrayRef<int64_t>{0, 3, 4, 1, 5, 2, 6});
  results =
      b.reshape(results, joinDims({dims[0]}, frames,
                                  {e[0] * d[0], e[1] * d[1], dims.back()}));
  for (size_t axis : {0, 1}) {
    int64_t place = frames.size() + 1 + axis;
    if (e[axis] * d[axis] != dims[place])
      results = b.slice(results, place, 0, dims[place]);
  }
  return results;
}

/// The spatial axis of an image's rows; those of a clip are behind its frames.
static size_t rowAxisOf(ConvOp conv) { return conv.getSpatialRank() - 2; }

std::array<int64_t, 2> glow::phaseCounts(ConvOp conv) {
  std::array<int64_t, 2> counts;
  for (size_t axis : {0, 1}) {
    size_t place = rowAxisOf(conv) + axis;
    counts[axis] =
        conv.getKernelShape()[place] > 1 ? conv.getDilations()[place] : 1;
  }
  return counts;
}

/// Any dilation at all, and no phase without results.
static bool hasPhases(ConvOp conv) {
  auto [down, right] = phaseCounts(conv);
  ArrayRef<int64_t> extents = dimsOf(conv.getResult()).drop_back().take_back(2);
  return (down > 1 || right > 1) && down <= extents[0] && right <= extents[1];
}

bool glow::canSplitDilations(ConvOp conv) {
  int64_t rank = conv.getSpatialRank();
  return canMovePlaces(conv) && (rank == 2 || rank == 3) && hasPhases(conv) &&
         llvm::all_of(conv.getStrides(), [](int64_t s) { return s == 1; });
}

void glow::splitDilations(ConvOp conv, const WinogradTile &tile) {
  OpBuilder builder(conv);
  GraphBuilder b(builder, conv.getLoc());
  SmallVector<int64_t> dims(dimsOf(conv.getResult()));
  SmallVector<int64_t> pads(conv.getPads()), dilations(conv.getDilations());
  ArrayRef<int64_t> kernel = conv.getKernelShape();
  size_t rows = rowAxisOf(conv);
  Phases in, out;
  for (size_t axis : {0, 1}) {
    int64_t dilation = phaseCounts(conv)[axis];
    in.dilations[axis] = out.dilations[axis] = dilation;
    out.extents[axis] =
        llvm::alignTo(llvm::divideCeil(dims[rows + axis + 1], dilation),
                      tile.along(axis).outputs());
    in.extents[axis] = out.extents[axis] + kernel[rows + axis] - 1;
    dilations[rows + axis] = 1;
  }
  SmallVector<Value> extra;
  for (Value input : conv.getEpilogueInputs())
    extra.push_back(isPerChannel(input) ? channelsOf(b, input)
                                        : phasesOf(b, input, out, {0, 0}));
  SmallVector<int64_t, 2> before(pads.begin() + rows, pads.begin() + rows + 2);
  Value images = phasesOf(b, conv.getInput(), in, before);
  // Zeros around images are theirs now, those around clips are not.
  for (size_t axis : {0, 1})
    pads[rows + axis] = pads[kernel.size() + rows + axis] = 0;
  Value results = denseConv(b, conv, images, conv.getFilter(), extra, kernel,
                            pads, dilations);
  conv.replaceAllUsesWith(joinPhases(b, results, out, dims));
  conv.erase();
}
