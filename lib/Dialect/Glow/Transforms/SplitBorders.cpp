//===- SplitBorders.cpp - no products with zeros around images ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Taps that are far apart often lie beside the image: those of the results near
// a border at one side of the window, all but the middle ones if the image is
// small. Results for which the same taps lie within the image are a convolution
// of their own, of these taps.
//
//===----------------------------------------------------------------------===//
#include "SplitBorders.h"
#include "ConvWeights.h"
#include "ReadParts.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/Transforms/Epilogues.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow {
#define GEN_PASS_DEF_SPLITBORDERS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// Smaller convolutions have too few rows to share out.
static constexpr int64_t kLeastProducts = 1 << 24;
/// Of the products along the last axis, the part that may be left. Along
/// another one, parts of which more is left stay together, with zeros around
/// them.
static constexpr double kMostLeft = 0.85, kMostLeftOfOthers = 0.95;
/// Along an axis.
static constexpr size_t kMostSegments = 3;

namespace {
/// Results along an axis for which these taps lie within the image.
struct Segment {
  Interval results, taps;
  bool hasZeros = false; // around the image
};

/// One spatial axis of a convolution.
struct Axis {
  int64_t input, results, taps, stride, dilation, padBefore;

  Axis(ConvOp conv, int64_t i)
      : input(dimsOf(conv.getInput())[1 + i]),
        results(dimsOf(conv.getResult())[1 + i]),
        taps(conv.getKernelShape()[i]), stride(conv.getStrides()[i]),
        dilation(conv.getDilations()[i]), padBefore(conv.getPads()[i]) {}

  /// Where a tap of a result lies.
  int64_t place(int64_t result, int64_t tap) const {
    return result * stride + tap * dilation - padBefore;
  }
  /// The first result of which a tap lies at `place` or behind it.
  int64_t firstAt(int64_t place, int64_t tap) const {
    int64_t result =
        llvm::divideCeilSigned(place + padBefore - tap * dilation, stride);
    return std::clamp<int64_t>(result, 0, results);
  }
  SmallVector<Segment> segments() const;
  /// The part of all pairs of a result and a tap that lie within the image.
  double partWithin() const {
    int64_t within = 0;
    for (int64_t tap = 0; tap < taps; ++tap)
      within += firstAt(input, tap) - firstAt(0, tap);
    return double(within) / (taps * results);
  }
};

struct SplitBorders : glow::impl::SplitBordersBase<SplitBorders> {
  using SplitBordersBase::SplitBordersBase;
  void runOnOperation() override;
};
} // namespace

/// None if there is a result without taps, or if there are too many.
SmallVector<Segment> Axis::segments() const {
  SmallVector<int64_t> ends{results};
  for (int64_t tap = 0; tap < taps; ++tap) {
    ends.push_back(firstAt(0, tap));
    ends.push_back(firstAt(input, tap));
  }
  llvm::sort(ends);
  SmallVector<Segment> all;
  int64_t begin = 0;
  for (int64_t end : ends) {
    if (end == begin)
      continue;
    Interval within{taps, 0};
    for (int64_t tap = 0; tap < taps; ++tap)
      if (firstAt(0, tap) <= begin && end <= firstAt(input, tap))
        within = {std::min(within.begin, tap), tap + 1};
    if (within.size() < 1 || all.size() == kMostSegments)
      return {};
    all.push_back({{begin, end}, within});
    begin = end;
  }
  return all;
}

namespace {
struct Split {
  SmallVector<SmallVector<Segment>> segments; // of each axis
  double left = 1;                            // the part of all products
};
} // namespace

/// How to split, if it is worth the parts. Rows of zeros are left out by
/// kernels, so it is the last axis that decides. Where an image ends is not
/// known of open extents.
static std::optional<Split> worthwhileSplit(ConvOp conv) {
  if (!canMovePlaces(conv) || conv.getDilations().back() == 1 ||
      hasOpenExtents(conv->getParentOfType<func::FuncOp>()))
    return std::nullopt;
  Split split;
  ArrayRef<int64_t> results = dimsOf(conv.getResult());
  double products = double(dimsOf(conv.getInput()).back()), last = 1;
  for (int64_t extent : results)
    products *= double(extent);
  for (int64_t i = 0; i < conv.getSpatialRank(); ++i) {
    Axis axis(conv, i);
    SmallVector<Segment> segments = axis.segments();
    products *= double(axis.taps);
    last = segments.empty() ? 1 : axis.partWithin();
    if (last > kMostLeftOfOthers) {
      segments.assign({{{0, axis.results}, {0, axis.taps}, true}});
      last = 1;
    }
    split.left *= last;
    split.segments.push_back(std::move(segments));
  }
  bool isWorth = products >= kLeastProducts && last <= kMostLeft;
  return isWorth ? std::optional(split) : std::nullopt;
}

double glow::tapsWithin(ConvOp conv, int64_t axis) {
  return Axis(conv, axis).partWithin();
}

double glow::productsLeft(ConvOp conv) {
  auto split = worthwhileSplit(conv);
  return split ? split->left : 1;
}

/// The convolution for one segment of each axis.
static Value partOfResult(GraphBuilder &b, ConvOp conv,
                          ArrayRef<Segment> segments) {
  Part places = wholeOf(conv.getInput()), taps = wholeOf(conv.getFilter()),
       results = wholeOf(conv.getResult());
  SmallVector<int64_t> kernel, pads(conv.getPads());
  for (auto [i, segment] : llvm::enumerate(segments)) {
    Axis axis(conv, i);
    taps[i] = segment.taps;
    results[1 + i] = segment.results;
    kernel.push_back(segment.taps.size());
    if (segment.hasZeros)
      continue;
    places[1 + i] = {axis.place(segment.results.begin, segment.taps.begin),
                     axis.place(segment.results.end - 1, segment.taps.end - 1) +
                         1};
    pads[i] = pads[segments.size() + i] = 0;
  }
  auto take = [&](Value value, const Part &part) {
    return takePart(b, value, wholeOf(value), part);
  };
  Value filter = moveWeights(
      b, conv.getFilter(), [&](Value weights) { return take(weights, taps); });
  auto part = cast<ConvOp>(b.builder.clone(*conv));
  part.getInputMutable().assign(take(conv.getInput(), places));
  part.getFilterMutable().assign(filter);
  for (OpOperand &input : part.getEpilogueInputsMutable())
    if (!isPerChannel(input.get()))
      input.set(take(input.get(), results));
  part.setKernelShape(kernel);
  part.setPads(pads);
  part.getResult().setType(
      RankedTensorType::get(sizesOf(results), elementType(conv.getResult())));
  // Behind what has been made for it.
  part->moveBefore(conv);
  return part.getResult();
}

/// All parts along the axes behind those of `known`, side by side.
static Value joinParts(GraphBuilder &b, ConvOp conv,
                       ArrayRef<SmallVector<Segment>> segments,
                       SmallVector<Segment> &known) {
  size_t axis = known.size();
  if (axis == segments.size())
    return partOfResult(b, conv, known);
  SmallVector<Value> parts;
  for (const Segment &segment : segments[axis]) {
    known.push_back(segment);
    parts.push_back(joinParts(b, conv, segments, known));
    known.pop_back();
  }
  return b.concat(parts, 1 + static_cast<int64_t>(axis));
}

void SplitBorders::runOnOperation() {
  getOperation().walk([](ConvOp conv) {
    auto split = worthwhileSplit(conv);
    if (!split)
      return;
    OpBuilder builder(conv);
    GraphBuilder b(builder, conv.getLoc());
    SmallVector<Segment> known;
    conv.replaceAllUsesWith(joinParts(b, conv, split->segments, known));
    conv.erase();
  });
}
