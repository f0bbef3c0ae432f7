//===- Reduce.cpp - reductions along axes ---------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the inputs are contiguous along a kept axis, vectors hold neighbouring
// results ("columns"). If they are contiguous along a reduced one, vectors hold
// partial results of one row. The order of a sum depends on the shape and the
// target alone.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/Reduce.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

/// The operand whose strides decide: the first that is not broadcast.
static size_t mainInput(ValueRange inputs, ArrayRef<int64_t> space) {
  for (auto [i, input] : llvm::enumerate(inputs))
    if (ArrayRef<int64_t>(BufferShape(input).shape) == space)
      return i;
  return 0;
}

/// The strides of each input along the axes of `space`.
static SmallVector<SmallVector<int64_t>> stridesIn(ValueRange inputs,
                                                   ArrayRef<int64_t> space) {
  return llvm::map_to_vector(inputs, [&](Value input) {
    return BufferShape(input).broadcastStrides(space);
  });
}

SmallVector<LoopAxis> ReduceKernel::keptAxes(ValueRange inputs, Value output,
                                             ArrayRef<int64_t> space,
                                             ArrayRef<int64_t> axes,
                                             const BoundedAxes &bounded) {
  BufferShape out(output);
  auto strides = stridesIn(inputs, space);
  SmallVector<LoopAxis> kept;
  int64_t results = 0;
  for (int64_t i = 0, rank = space.size(); i < rank; ++i) {
    if (llvm::is_contained(axes, i))
      continue;
    kept.push_back({space[i], {}});
    for (const auto &input : strides)
      kept.back().strides.push_back(input[i]);
    kept.back().strides.push_back(out.strides[results]);
    if (bounded.contains(results))
      kept.back().bound = results;
    ++results;
  }
  kept.push_back(LoopAxis::unit(inputs.size() + 1));
  orderAxes(kept, inputs.size());
  return kept;
}

SmallVector<LoopAxis> ReduceKernel::reducedAxes(ValueRange inputs,
                                                ArrayRef<int64_t> space,
                                                ArrayRef<int64_t> axes,
                                                const BoundedAxes &bounded) {
  auto strides = stridesIn(inputs, space);
  SmallVector<LoopAxis> reduced;
  int64_t results = space.size() - axes.size();
  for (auto [i, axis] : llvm::enumerate(axes)) {
    reduced.push_back({space[axis], {}});
    if (bounded.contains(results + i))
      reduced.back().bound = results + i;
    for (const auto &input : strides)
      reduced.back().strides.push_back(input[axis]);
  }
  orderAxes(reduced, mainInput(inputs, space));
  reduced = mergeAxes(reduced);
  if (reduced.empty()) {
    reduced.push_back(LoopAxis::unit(inputs.size()));
    reduced.back().strides.assign(inputs.size(), 1);
  }
  return reduced;
}

int64_t ReduceKernel::extentOf(ArrayRef<LoopAxis> axes) {
  int64_t extent = 1;
  for (const LoopAxis &axis : axes)
    extent *= axis.extent;
  return extent;
}

/// Whether vectors along the axis are loaded as they lie in memory.
static bool isContiguous(const LoopAxis &axis, size_t main) {
  return axis.strides[main] == 1 &&
         llvm::all_of(axis.strides, [](int64_t s) { return s == 0 || s == 1; });
}

/// Whether vectors are of neighbouring results.
static bool isOfColumns(const LoopAxis &column, size_t main) {
  return isContiguous(column, main) && column.strides.back() == 1;
}

/// Threads share columns that fill a line of the cache, or single rows.
static LoopNest nestOf(SmallVector<LoopAxis> kept, size_t main, double work) {
  SmallVector<LoopAxis> axes = mergeAxes(kept);
  bool hasColumns = axes.empty() || isOfColumns(axes.back(), main);
  return LoopNest(std::move(kept), work, hasColumns ? 64 : 1);
}

ReduceKernel::ReduceKernel(ReduceKind kind, ValueRange inputs, Value output,
                           ArrayRef<int64_t> space, ArrayRef<int64_t> axes,
                           ScalarRegion region, const BoundedAxes &bounded,
                           const KernelTarget &target)
    : combiner(kind, BufferShape(output).element), body(region),
      numInputs(inputs.size()),
      reduced(reducedAxes(inputs, space, axes, bounded)),
      nest(nestOf(keptAxes(inputs, output, space, axes, bounded),
                  mainInput(inputs, space),
                  (0.5 + body.cost() / 10.0) * extentOf(reduced))),
      elements(ShapedType::getNumElements(space)) {
  if (!body.isVectorizable())
    return;
  int64_t bits = std::max<int64_t>(
      {8, combiner.accumulator().getIntOrFloatBitWidth(), body.width()});
  int64_t unroll = body.cost() <= 8 ? 4 : body.cost() <= 24 ? 2 : 1;
  size_t main = mainInput(inputs, space);
  const LoopAxis &column = nest.inner();
  if (isOfColumns(column, main)) {
    strip = Strip::choose(target, bits, column.extent, unroll, true);
  } else if (isContiguous(reduced.back(), main)) {
    alongRow = true;
    strip = Strip::choose(target, bits, reduced.back().extent, unroll, true);
  }
}

void ReduceKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                        Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    if (!alongRow)
      return emitColumns(b, buffers, offsets, low, high);
    const LoopAxis &axis = nest.inner();
    b.loop(low, high, 1, [&](Value i) {
      emitRow(b, buffers, moved(b, offsets.drop_back(), axis, i),
              b.add(offsets.back(), b.mul(i, axis.strides.back())));
    });
  });
}

ReduceKernel::Offsets ReduceKernel::moved(KernelBuilder &b,
                                          ArrayRef<Value> offsets,
                                          const LoopAxis &axis,
                                          Value steps) const {
  Offsets result;
  for (size_t i = 0; i < numInputs; ++i)
    result.push_back(b.add(offsets[i], b.mul(steps, axis.strides[i])));
  return result;
}

Value ReduceKernel::elementAt(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                              ArrayRef<Value> offsets, const LoopAxis &axis,
                              int64_t lanes, Value mask) const {
  SmallVector<Value> elements;
  for (size_t i = 0; i < numInputs; ++i)
    elements.push_back(
        body.load(b, i, buffers[i], offsets[i], lanes, axis.strides[i], mask));
  return combiner.widen(b, body.emit(b, elements, lanes).front());
}

/// Sums of columns and of several axes are those of chains of about so many
/// elements, if there are many more, whose errors do not add up to as much. A
/// row has the sums of many lanes.
static constexpr int64_t kChain = 256;

SmallVector<Value> ReduceKernel::emitChain(
    KernelBuilder &b, ValueRange sums,
    function_ref<SmallVector<Value>(ValueRange zeros)> emit) const {
  auto zeros = llvm::map_to_vector(sums, [&](Value sum) {
    auto vector = dyn_cast<VectorType>(sum.getType());
    return combiner.neutral(b, vector ? vector.getNumElements() : 1);
  });
  SmallVector<Value> chain = emit(zeros);
  for (auto [part, sum] : llvm::zip_equal(chain, sums))
    part = combiner.combine(b, sum, part);
  return chain;
}

SmallVector<Value> ReduceKernel::emitAxes(KernelBuilder &b, size_t axis,
                                          size_t last, ArrayRef<Value> offsets,
                                          ValueRange init, Inner inner) const {
  if (axis == last)
    return inner(offsets, init);
  int64_t below = 1;
  for (size_t i = axis + 1; i < last; ++i)
    below *= reduced[i].extent;
  auto emit = [&](Value i, ValueRange values) {
    auto inside = [&](ValueRange init) {
      return emitAxes(b, axis + 1, last, moved(b, offsets, reduced[axis], i),
                      init, inner);
    };
    constexpr int64_t kLongEnough = 16;
    bool isChain = combiner.rounds() && below >= kLongEnough;
    return isChain ? emitChain(b, values, inside) : inside(values);
  };
  Value limit = reduced[axis].limit(b);
  if (!combiner.rounds() || reduced[axis].extent < 2 * kChain)
    return b.loop(b.index(0), limit, 1, init, emit);
  auto part = [&](Value start, ValueRange sums) {
    Value end = b.min(b.add(start, kChain), limit);
    return emitChain(b, sums, [&](ValueRange zeros) {
      return b.loop(start, end, 1, zeros, emit);
    });
  };
  return b.loop(b.index(0), limit, kChain, init, part);
}

void ReduceKernel::emitColumns(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                               ArrayRef<Value> offsets, Value low,
                               Value high) const {
  const LoopAxis &axis = nest.inner();
  int64_t step = axis.strides.back();
  auto emit = [&](Value at, int64_t lanes, int64_t count, Value mask) {
    Offsets inputs = moved(b, offsets.drop_back(), axis, at);
    Value output = b.add(offsets.back(), b.mul(at, step));
    SmallVector<Value> init(count, combiner.neutral(b, lanes));
    auto combine = [&](ArrayRef<Value> offsets, ValueRange values) {
      SmallVector<Value> next;
      for (int64_t v = 0; v < count; ++v) {
        Offsets own = moved(b, offsets, axis, b.index(v * lanes));
        Value element = elementAt(b, buffers, own, axis, lanes, mask);
        next.push_back(combiner.combine(b, values[v], element));
      }
      return next;
    };
    SmallVector<Value> sums =
        emitAxes(b, 0, reduced.size(), inputs, init, combine);
    for (int64_t v = 0; v < count; ++v)
      b.store(combiner.narrow(b, sums[v]), buffers.back(),
              b.add(output, v * lanes * step), step, mask);
  };
  strip.emit(b, low, high, emit);
}

void ReduceKernel::emitRow(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                           ArrayRef<Value> inputs, Value output) const {
  // Several vectors of partial results, and one scalar for the rest.
  SmallVector<Value> init(strip.unroll, combiner.neutral(b, strip.lanes));
  if (strip.lanes > 1 && !strip.masked)
    init.push_back(combiner.neutral(b, 1));
  SmallVector<Value> sums =
      emitAxes(b, 0, reduced.size() - 1, inputs, init,
               [&](ArrayRef<Value> offsets, ValueRange values) {
                 return emitContiguous(b, buffers, offsets, values);
               });
  Value total = sums[0];
  for (int64_t v = 1; v < strip.unroll; ++v)
    total = combiner.combine(b, total, sums[v]);
  total = combiner.combineLanes(b, total);
  if (static_cast<int64_t>(sums.size()) > strip.unroll)
    total = combiner.combine(b, total, sums.back());
  b.store(combiner.narrow(b, total), buffers.back(), output);
}

SmallVector<Value> ReduceKernel::emitContiguous(KernelBuilder &b,
                                                ArrayRef<KernelBuffer> buffers,
                                                ArrayRef<Value> offsets,
                                                ValueRange init) const {
  const LoopAxis &axis = reduced.back();
  int64_t lanes = strip.lanes, step = lanes * strip.unroll;
  auto combineAt = [&](Value at, int64_t width, Value sum) {
    Offsets own = moved(b, offsets, axis, at);
    return combiner.combine(b, sum, elementAt(b, buffers, own, axis, width));
  };
  Value limit = axis.limit(b), together = b.mul(b.div(limit, step), step);
  Value whole = b.mul(b.div(limit, lanes), lanes);
  SmallVector<Value> sums =
      b.loop(b.index(0), together, step, init, [&](Value i, ValueRange values) {
        SmallVector<Value> next(values);
        for (int64_t v = 0; v < strip.unroll; ++v)
          next[v] = combineAt(b.add(i, v * lanes), lanes, values[v]);
        return next;
      });
  sums[0] =
      b.loop(together, whole, lanes, sums[0], [&](Value i, ValueRange values) {
        return SmallVector<Value>{combineAt(i, lanes, values[0])};
      })[0];
  if (!strip.masked) {
    sums.back() =
        b.loop(whole, limit, 1, sums.back(), [&](Value i, ValueRange values) {
          return SmallVector<Value>{combineAt(i, 1, values[0])};
        })[0];
    return sums;
  }
  sums[0] =
      b.loop(whole, limit, lanes, sums[0], [&](Value i, ValueRange values) {
        Value mask = b.mask(b.sub(limit, i), lanes);
        Offsets last = moved(b, offsets, axis, i);
        Value element = elementAt(b, buffers, last, axis, lanes, mask);
        Value padded = arith::SelectOp::create(b.builder, b.loc, mask, element,
                                               combiner.neutral(b, lanes));
        return SmallVector<Value>{combiner.combine(b, values[0], padded)};
      })[0];
  return sums;
}
