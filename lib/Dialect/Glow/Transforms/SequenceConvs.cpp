//===- SequenceConvs.cpp - convolutions along one axis --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A window along the first spatial axis, channels last, reads places that are
// a multiple of the dilation apart. If that many places are a row of an image,
// the window is a column of neighbours: nothing has to be moved for it.
//
//===----------------------------------------------------------------------===//
#include "SequenceConvs.h"
#include "ConvWeights.h"
#include "glow/Dialect/Glow/Transforms/Epilogues.h"

using namespace mlir;
using namespace mlir::glow;
using llvm::divideCeil;

/// Batch and the axis of the windows.
static constexpr int64_t kAxis = 1;

/// Places along the other spatial axes.
static int64_t placesBeside(Value value) {
  ArrayRef<int64_t> dims = dimsOf(value);
  return ShapedType::getNumElements(dims.slice(kAxis + 1).drop_back());
}

/// Whether no window reaches beyond one place of any axis but the first.
static bool isAlongFirstAxis(ConvOp conv) {
  auto areAll = [](ArrayRef<int64_t> values, int64_t wanted) {
    return llvm::all_of(values, [&](int64_t v) { return v == wanted; });
  };
  size_t rank = conv.getSpatialRank();
  ArrayRef<int64_t> pads = conv.getPads();
  return areAll(conv.getStrides(), 1) &&
         areAll(conv.getKernelShape().drop_front(), 1) &&
         areAll(pads.slice(1, rank - 1), 0) && areAll(pads.slice(rank + 1), 0);
}

std::optional<SequenceImage> SequenceImage::of(ConvOp conv) {
  if (!canMovePlaces(conv) || !isAlongFirstAxis(conv))
    return std::nullopt;
  int64_t rank = conv.getSpatialRank(), dilation = conv.getDilations()[0];
  int64_t length = dimsOf(conv.getResult())[kAxis];
  if ((rank == 2 && dilation == 1) || dilation > length)
    return std::nullopt;
  return SequenceImage{llvm::divideCeilSigned(length, dilation),
                       dilation * placesBeside(conv.getResult())};
}

bool glow::isWholeImage(ConvOp conv) {
  int64_t dilation = conv.getDilations()[0];
  return llvm::all_of(ArrayRef<int64_t>{conv.getPads()[0],
                                        dimsOf(conv.getInput())[kAxis],
                                        dimsOf(conv.getResult())[kAxis]},
                      [&](int64_t n) { return n % dilation == 0; });
}

/// Images of `rows` rows, with `before` zeros before the first place and as
/// many behind the last as are needed.
static Value imagesOf(GraphBuilder &b, Value sequences, int64_t dilation,
                      int64_t rows, int64_t before) {
  ArrayRef<int64_t> dims = dimsOf(sequences);
  int64_t columns = dilation * placesBeside(sequences);
  int64_t after = rows * dilation - before - dims[kAxis];
  if (before != 0 || after != 0) {
    SmallVector<int64_t> pads(2 * dims.size(), 0);
    pads[kAxis] = before;
    pads[dims.size() + kAxis] = after;
    sequences =
        b.create<PadOp>(PadMode::Constant, sequences, b.ints(pads), Value());
  }
  return b.reshape(sequences, {dims.front(), rows, columns, dims.back()});
}

/// Sequences of the shape `dims`.
static Value sequencesOf(GraphBuilder &b, Value images, int64_t dilation,
                         ArrayRef<int64_t> dims) {
  SmallVector<int64_t> whole(dims);
  whole[kAxis] = dimsOf(images)[kAxis] * dilation;
  Value sequences = b.reshape(images, whole);
  return whole[kAxis] == dims[kAxis]
             ? sequences
             : b.slice(sequences, kAxis, 0, dims[kAxis]);
}

void glow::makeImages(ConvOp conv, std::optional<int64_t> multiple) {
  OpBuilder builder(conv);
  GraphBuilder b(builder, conv.getLoc());
  SmallVector<int64_t> dims(dimsOf(conv.getResult()));
  int64_t dilation = conv.getDilations()[0], taps = conv.getKernelShape()[0];
  int64_t rows = divideCeil(dims[kAxis], dilation), before = conv.getPads()[0];
  SmallVector<int64_t> pads(4, 0);
  int64_t rowsIn;
  if (!multiple) {
    // The convolution's own border does.
    rowsIn = dimsOf(conv.getInput())[kAxis] / dilation;
    pads[0] = std::exchange(before, 0) / dilation;
    pads[2] = rows + taps - 1 - pads[0] - rowsIn;
  } else {
    rows = llvm::alignTo(rows, *multiple);
    rowsIn = rows + taps - 1;
  }
  SmallVector<Value> extra;
  for (Value input : conv.getEpilogueInputs())
    extra.push_back(isPerChannel(input)
                        ? channelsOf(b, input)
                        : imagesOf(b, input, dilation, rows, 0));
  Value filter = moveWeights(b, conv.getFilter(), [&](Value weights) {
    ArrayRef<int64_t> channels = dimsOf(weights).take_back(2);
    return b.reshape(weights, {taps, 1, channels[0], channels[1]});
  });
  Value images = imagesOf(b, conv.getInput(), dilation, rowsIn, before);
  Value results =
      denseConv(b, conv, images, filter, extra, {taps, 1}, pads, {1, 1});
  conv.replaceAllUsesWith(sequencesOf(b, results, dilation, dims));
  conv.erase();
}
