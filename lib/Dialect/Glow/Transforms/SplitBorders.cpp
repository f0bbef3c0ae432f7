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
/// Results begin … end - 1 along an axis, for which taps firstTap … endTap - 1
/// lie within the image.
struct Segment {
  int64_t begin, end, firstTap, endTap;
  bool hasZeros = false; // around the image

  int64_t results() const { return end - begin; }
  int64_t taps() const { return endTap - firstTap; }
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
    Segment segment{begin, end, taps, 0};
    for (int64_t tap = 0; tap < taps; ++tap)
      if (firstAt(0, tap) <= begin && end <= firstAt(input, tap)) {
        segment.firstTap = std::min(segment.firstTap, tap);
        segment.endTap = tap + 1;
      }
    if (segment.taps() < 1 || all.size() == kMostSegments)
      return {};
    all.push_back(segment);
    begin = end;
  }
  return all;
}

/// The part of the products along an axis that are in its segments.
static double partLeft(const Axis &axis, ArrayRef<Segment> segments) {
  int64_t products = 0;
  for (const Segment &segment : segments)
    products += segment.results() * segment.taps();
  return double(products) / double(axis.results * axis.taps);
}

namespace {
struct Split {
  SmallVector<SmallVector<Segment>> segments; // of each axis
  double left = 1;                            // the part of all products
};
} // namespace

/// How to split, if it is worth the parts. Rows of zeros are left out by
/// kernels, so it is the last axis that decides.
static std::optional<Split> worthwhileSplit(ConvOp conv) {
  if (!canMovePlaces(conv) || conv.getDilations().back() == 1)
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
    last = segments.empty() ? 1 : partLeft(axis, segments);
    if (last > kMostLeftOfOthers) {
      segments.assign({{0, axis.results, 0, axis.taps, true}});
      last = 1;
    }
    split.left *= last;
    split.segments.push_back(std::move(segments));
  }
  bool isWorth = products >= kLeastProducts && last <= kMostLeft;
  return isWorth ? std::optional(split) : std::nullopt;
}

double glow::productsLeft(ConvOp conv) {
  auto split = worthwhileSplit(conv);
  return split ? split->left : 1;
}

/// Parts of `value` along spatial axes, as many as there are of `intervals`,
/// each its begin and end. `first` is the axis of the first one.
static Value partOf(GraphBuilder &b, Value value, int64_t first,
                    ArrayRef<std::pair<int64_t, int64_t>> intervals) {
  for (auto [i, interval] : llvm::enumerate(intervals)) {
    int64_t axis = first + static_cast<int64_t>(i);
    if (interval != std::pair<int64_t, int64_t>(0, dimsOf(value)[axis]))
      value = b.slice(value, axis, interval.first, interval.second);
  }
  return value;
}

/// The convolution for one segment of each axis.
static Value partOfResult(GraphBuilder &b, ConvOp conv,
                          ArrayRef<Segment> segments) {
  using Intervals = SmallVector<std::pair<int64_t, int64_t>>;
  Intervals places, taps, results;
  SmallVector<int64_t> kernel, dims{dimsOf(conv.getResult()).front()};
  SmallVector<int64_t> pads(conv.getPads());
  for (auto [i, segment] : llvm::enumerate(segments)) {
    Axis axis(conv, i);
    if (segment.hasZeros) {
      places.emplace_back(0, axis.input);
    } else {
      places.emplace_back(axis.place(segment.begin, segment.firstTap),
                          axis.place(segment.end - 1, segment.endTap - 1) + 1);
      pads[i] = pads[segments.size() + i] = 0;
    }
    taps.emplace_back(segment.firstTap, segment.endTap);
    results.emplace_back(segment.begin, segment.end);
    kernel.push_back(segment.taps());
    dims.push_back(segment.results());
  }
  dims.push_back(dimsOf(conv.getResult()).back());
  Value filter = moveWeights(b, conv.getFilter(), [&](Value weights) {
    return partOf(b, weights, 0, taps);
  });
  auto part = cast<ConvOp>(b.builder.clone(*conv));
  part.getInputMutable().assign(partOf(b, conv.getInput(), 1, places));
  part.getFilterMutable().assign(filter);
  for (OpOperand &input : part.getEpilogueInputsMutable())
    if (!isPerChannel(input.get()))
      input.set(partOf(b, input.get(), 1, results));
  part.setKernelShape(kernel);
  part.setPads(pads);
  part.getResult().setType(
      RankedTensorType::get(dims, elementType(conv.getResult())));
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
  // Where an image ends is not known then.
  if (hasOpenExtents(getOperation()))
    return;
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
