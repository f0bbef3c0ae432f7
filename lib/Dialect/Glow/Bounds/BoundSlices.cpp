//===- BoundSlices.cpp - parts of bounded axes ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A range that starts at a known place of an axis is a slice of the bounds. One
// that starts at a computed place is gathered by index; if the place depends on
// data, so does the number of elements.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"

using namespace mlir;
using namespace mlir::glow;

/// Elements `first`, `first + step` … along an axis, `count` of them.
static Value gatherFrom(GraphBuilder &b, Value input, int64_t axis, Value first,
                        int64_t step, int64_t count) {
  SmallVector<int64_t> steps;
  for (int64_t i = 0; i < count; ++i)
    steps.push_back(i * step);
  Type type = b.builder.getI64Type();
  Value places = b.add(first, b.ints(steps));
  Value last = b.scalar(dimsOf(input)[axis] - 1, type);
  places = b.create<ClampOp>(places, b.scalar(0, type), last);
  return b.create<GatherOp>(input, places, axis);
}

Value glow::gatherRange(GraphBuilder &b, BoundedGraph &graph, Value input,
                        int64_t axis, AffineExpr start, int64_t step,
                        int64_t count) {
  Value first = graph.scalar(start);
  return gatherFrom(b, input, axis, first, step, count);
}

namespace {
/// What a slice takes of one axis.
struct Part {
  AffineExpr start, extent;
  int64_t step;
};
} // namespace

/// The part of an axis of `extent`, by ONNX's rules; failure if it depends on
/// the symbols' values in a way that no one expression says.
static FailureOr<Part> resolve(BoundedGraph &graph, AffineExpr extent,
                               AffineExpr start, AffineExpr end, int64_t step) {
  // The position itself, counted from the start and clamped.
  auto clamp = [&](AffineExpr position, AffineExpr low,
                   AffineExpr high) -> AffineExpr {
    auto range = graph.range(position);
    if (!range)
      return {};
    if (range->upper < 0) {
      position = simplifySum(position + extent);
    } else if (range->lower < 0) {
      return {};
    }
    auto above = graph.range(simplifySum(position - high));
    auto below = graph.range(simplifySum(low - position));
    auto room = graph.range(simplifySum(high - low));
    if (above && above->lower >= 0)
      return high;
    // Of an axis that may be empty, there may be nothing in between.
    if (below && below->lower >= 0 && room && room->lower >= 0)
      return low;
    bool isWithin = above && above->upper <= 0 && below && below->upper <= 0;
    return isWithin ? position : AffineExpr();
  };
  AffineExpr low = graph.number(step > 0 ? 0 : -1);
  AffineExpr high = step > 0 ? extent : simplifySum(extent - 1);
  start = clamp(start, graph.number(0), high);
  end = clamp(end, low, high);
  if (!start || !end || step == 0)
    return failure();
  AffineExpr room = simplifySum(step > 0 ? end - start : start - end);
  auto range = graph.range(room);
  if (!range || range->lower < 0)
    return failure();
  uint64_t stride = step > 0 ? step : -step;
  return Part{start, stride == 1 ? room : room.ceilDiv(stride), step};
}

/// A position; far beyond the end is as good as INT64_MAX and does not
/// overflow.
static AffineExpr tame(BoundedGraph &graph, AffineExpr position) {
  auto number = dyn_cast_or_null<AffineConstantExpr>(position);
  constexpr int64_t far = int64_t(1) << 40;
  if (!number)
    return position;
  return graph.number(std::clamp(number.getValue(), -far, far));
}

/// Takes a part of one axis of `value`.
static FailureOr<Value> takePart(SliceOp op, BoundedGraph &graph, Value value,
                                 int64_t axis, const Part &part) {
  BoundedDims dims = graph.dims(value);
  dims[axis] = BoundedDim(part.extent);
  int64_t count = graph.bound(dims[axis]), extent = dimsOf(value)[axis];
  GraphBuilder b = graph.before(op);
  auto start = dyn_cast<AffineConstantExpr>(part.start);
  Value taken;
  if (start && part.step > 0 &&
      start.getValue() + (count - 1) * part.step < extent) {
    int64_t end = std::min(start.getValue() + count * part.step, extent);
    taken = b.create<SliceOp>(value, b.ints(start.getValue()), b.ints(end),
                              b.ints(part.step), ArrayRef<int64_t>(axis));
  } else if (extent == 0) {
    return graph.fail(op, "it takes elements of an axis that has none");
  } else {
    taken = gatherRange(b, graph, value, axis, part.start, part.step, count);
  }
  graph.set(taken, dims);
  return taken;
}

namespace {
/// Where a part of an axis starts and ends: one of the elements of a slice's
/// lists, and what is known of them.
struct Ends {
  unsigned index;
  AffineExpr start, end;
  int64_t step;

  /// How many elements an axis of so many has there, if both ends are known and
  /// counted from the start.
  std::optional<int64_t> of(int64_t extent) const;
};
} // namespace

std::optional<int64_t> Ends::of(int64_t extent) const {
  auto first = dyn_cast_or_null<AffineConstantExpr>(start),
       last = dyn_cast_or_null<AffineConstantExpr>(end);
  if (!first || !last || step < 1 || first.getValue() < 0 ||
      last.getValue() < 0)
    return std::nullopt;
  int64_t room = std::min(extent, last.getValue()) - first.getValue();
  return llvm::divideCeil(std::max<int64_t>(room, 0), step);
}

/// Takes a part of one axis, by ONNX's rules, whose ends are data or may be
/// beyond its own; how many elements that are is computed.
static FailureOr<Value> takeComputed(SliceOp op, BoundedGraph &graph,
                                     Value value, int64_t axis,
                                     const Ends &ends) {
  BoundedDims dims = graph.dims(value);
  int64_t bound = graph.bound(dims[axis]), step = ends.step;
  if (!dims[axis].isPrefix() || step == 0 || bound == 0)
    return graph.fail(op, "where it starts and ends on axis " + Twine(axis) +
                              " is computed from data");
  AffineExpr whole = dims[axis].extent(graph.context());
  Value extent = graph.scalar(whole);
  GraphBuilder b = graph.before(op);
  Type type = b.builder.getI64Type();
  Value zero = b.scalar(0, type), one = b.scalar(1, type);
  Value last = b.sub(extent, one);
  auto resolve = [&](Value places, Value low, Value high) {
    Value place = b.create<GatherOp>(
        places, b.scalar(static_cast<double>(ends.index), type), /*axis=*/0);
    Value fromEnd = b.add(place, extent);
    place = b.create<WhereOp>(b.create<LessOp>(place, zero), fromEnd, place);
    return b.create<ClampOp>(place, low, high);
  };
  auto first = dyn_cast_or_null<AffineConstantExpr>(ends.start);
  bool isPrefix = first && first.getValue() == 0 && step == 1;
  Value start =
      isPrefix ? zero : resolve(op.getStarts(), zero, step > 0 ? extent : last);
  // Equal parts of equal axes have one extent.
  AffineExpr unshared;
  AffineExpr &symbol = ends.start && ends.end
                           ? graph.symbolOf({whole, ends.start, ends.end, step})
                           : unshared;
  if (!symbol) {
    Value end = resolve(op.getEnds(), step > 0 ? zero : b.scalar(-1, type),
                        step > 0 ? extent : last);
    Value room = step > 0 ? b.sub(end, start) : b.sub(start, end);
    int64_t stride = std::abs(step);
    Value count = b.create<DivOp>(
        b.add(b.create<MaximumOp>(room, zero), b.scalar(stride - 1, type)),
        b.scalar(stride, type));
    auto range = graph.range(whole);
    symbol = graph.addSymbol(
        count, ends.of(bound).value_or(llvm::divideCeil(bound, stride)),
        range ? ends.of(range->lower).value_or(0) : 0);
  }
  dims[axis] = BoundedDim(symbol);
  int64_t count = graph.bound(dims[axis]);
  Value taken;
  if (isPrefix)
    taken = b.create<SliceOp>(value, b.ints(0), b.ints(count), b.ints(1),
                              ArrayRef<int64_t>(axis));
  else
    taken = gatherFrom(b, value, axis, start, step, count);
  graph.set(taken, dims);
  return taken;
}

LogicalResult glow::boundThis(SliceOp op, BoundedGraph &graph) {
  ShapeInts starts = graph.elements(op.getStarts());
  ShapeInts ends = graph.elements(op.getEnds());
  ShapeInts steps = graph.elements(op.getSteps());
  Value value = op.getInput();
  for (auto [i, axis] : llvm::enumerate(op.getAxes())) {
    AffineExpr start = starts ? tame(graph, (*starts)[i]) : AffineExpr();
    AffineExpr end = ends ? tame(graph, (*ends)[i]) : AffineExpr();
    auto step = steps ? dyn_cast_or_null<AffineConstantExpr>((*steps)[i])
                      : AffineConstantExpr();
    if (!step)
      return graph.fail(op, "its step on axis " + Twine(axis) +
                                " is computed from data");
    BoundedDim dim = graph.dims(value)[axis];
    AffineExpr extent = dim.extent(graph.context());
    FailureOr<Part> part = failure();
    if (start && end)
      part = resolve(graph, extent, start, end, step.getValue());
    if (failed(part)) {
      Ends places{static_cast<unsigned>(i), start, end, step.getValue()};
      auto taken = takeComputed(op, graph, value, axis, places);
      if (failed(taken))
        return failure();
      value = *taken;
      continue;
    }
    if (part->step == 1 && areEqual(part->extent, extent))
      continue;
    if (!dim.isPrefix())
      return graph.fail(op, "it takes a part of merged axes");
    auto taken = takePart(op, graph, value, axis, *part);
    if (failed(taken))
      return failure();
    value = *taken;
  }
  return graph.replace(op, value, graph.dims(value));
}
