//===- Reduce.cpp - reductions along axes ---------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// If the input is contiguous along a kept axis, vectors hold neighbouring
// results ("columns"). If it is contiguous along a reduced one, vectors hold
// partial results of one row. The order of a sum depends on the shape and the
// target alone.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/Reduce.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

SmallVector<LoopAxis> ReduceKernel::keptAxes(Value input, Value output,
                                             ArrayRef<int64_t> axes,
                                             const BoundedAxes &bounded) {
  BufferShape in(input), out(output);
  SmallVector<LoopAxis> kept;
  int64_t results = 0;
  for (int64_t i = 0; i < in.rank(); ++i)
    if (!llvm::is_contained(axes, i)) {
      kept.push_back({in.shape[i], {in.strides[i], out.strides[results]}});
      if (bounded.contains(results))
        kept.back().bound = results;
      ++results;
    }
  kept.push_back(LoopAxis::unit(2));
  orderAxes(kept, 1);
  return kept;
}

SmallVector<LoopAxis> ReduceKernel::reducedAxes(Value input,
                                                ArrayRef<int64_t> axes) {
  BufferShape in(input);
  SmallVector<LoopAxis> reduced;
  for (int64_t axis : axes)
    reduced.push_back({in.shape[axis], {in.strides[axis]}});
  orderAxes(reduced, 0);
  reduced = mergeAxes(reduced);
  if (reduced.empty())
    reduced.push_back({1, {1}});
  return reduced;
}

int64_t ReduceKernel::extentOf(ArrayRef<LoopAxis> axes) {
  int64_t extent = 1;
  for (const LoopAxis &axis : axes)
    extent *= axis.extent;
  return extent;
}

ReduceKernel::ReduceKernel(ReduceKind kind, Value input, Value output,
                           ArrayRef<int64_t> axes, const BoundedAxes &bounded,
                           const KernelTarget &target)
    : combiner(kind, BufferShape(input).element),
      reduced(reducedAxes(input, axes)),
      nest(keptAxes(input, output, axes, bounded), 0.5 * extentOf(reduced), 64),
      elements(BufferShape(input).elements()) {
  int64_t bits = combiner.accumulator().getIntOrFloatBitWidth();
  if (bits < 8)
    bits = 8;
  const LoopAxis &column = nest.inner();
  if (column.strides[0] == 1 && column.strides[1] == 1) {
    strip = Strip::choose(target, bits, column.extent, 4, true);
  } else if (reduced.back().strides[0] == 1) {
    alongRow = true;
    strip = Strip::choose(target, bits, reduced.back().extent, 4, true);
  }
}

void ReduceKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                        Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    if (!alongRow)
      return emitColumns(b, buffers, offsets, low, high);
    ArrayRef<int64_t> strides = nest.inner().strides;
    b.loop(low, high, 1, [&](Value i) {
      emitRow(b, buffers, b.add(offsets[0], b.mul(i, strides[0])),
              b.add(offsets[1], b.mul(i, strides[1])));
    });
  });
}

SmallVector<Value> ReduceKernel::emitAxes(KernelBuilder &b, size_t axis,
                                          size_t last, Value offset,
                                          ValueRange init, Inner inner) const {
  if (axis == last)
    return inner(offset, init);
  Value extent = b.index(reduced[axis].extent);
  return b.loop(b.index(0), extent, 1, init, [&](Value i, ValueRange values) {
    Value at = b.add(offset, b.mul(i, reduced[axis].strides[0]));
    return emitAxes(b, axis + 1, last, at, values, inner);
  });
}

void ReduceKernel::emitColumns(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                               ArrayRef<Value> offsets, Value low,
                               Value high) const {
  ArrayRef<int64_t> strides = nest.inner().strides;
  auto emit = [&](Value at, int64_t lanes, int64_t count, Value mask) {
    Value input = b.add(offsets[0], b.mul(at, strides[0]));
    Value output = b.add(offsets[1], b.mul(at, strides[1]));
    SmallVector<Value> init(count, combiner.neutral(b, lanes));
    auto step = [&](Value offset, ValueRange values) {
      SmallVector<Value> next;
      for (int64_t v = 0; v < count; ++v) {
        Value at = b.add(offset, v * lanes * strides[0]);
        Value element = b.load(buffers[0], at, lanes, strides[0], mask);
        next.push_back(
            combiner.combine(b, values[v], combiner.widen(b, element)));
      }
      return next;
    };
    SmallVector<Value> sums = emitAxes(b, 0, reduced.size(), input, init, step);
    for (int64_t v = 0; v < count; ++v)
      b.store(combiner.narrow(b, sums[v]), buffers[1],
              b.add(output, v * lanes * strides[1]), strides[1], mask);
  };
  strip.emit(b, low, high, emit);
}

void ReduceKernel::emitRow(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                           Value input, Value output) const {
  // Several vectors of partial results, and one scalar for the rest.
  SmallVector<Value> init(strip.unroll, combiner.neutral(b, strip.lanes));
  if (strip.lanes > 1 && !strip.masked)
    init.push_back(combiner.neutral(b, 1));
  SmallVector<Value> sums =
      emitAxes(b, 0, reduced.size() - 1, input, init,
               [&](Value offset, ValueRange values) {
                 return emitContiguous(b, buffers[0], offset, values);
               });
  Value total = sums[0];
  for (int64_t v = 1; v < strip.unroll; ++v)
    total = combiner.combine(b, total, sums[v]);
  total = combiner.combineLanes(b, total);
  if (static_cast<int64_t>(sums.size()) > strip.unroll)
    total = combiner.combine(b, total, sums.back());
  b.store(combiner.narrow(b, total), buffers[1], output);
}

SmallVector<Value> ReduceKernel::emitContiguous(KernelBuilder &b,
                                                const KernelBuffer &input,
                                                Value offset,
                                                ValueRange init) const {
  int64_t extent = reduced.back().extent, lanes = strip.lanes;
  int64_t step = lanes * strip.unroll;
  auto combineAt = [&](Value at, int64_t width, Value sum) {
    Value element = b.load(input, b.add(offset, at), width);
    return combiner.combine(b, sum, combiner.widen(b, element));
  };
  SmallVector<Value> sums =
      b.loop(b.index(0), b.index(extent / step * step), step, init,
             [&](Value i, ValueRange values) {
               SmallVector<Value> next(values);
               for (int64_t v = 0; v < strip.unroll; ++v)
                 next[v] = combineAt(b.add(i, v * lanes), lanes, values[v]);
               return next;
             });
  int64_t whole = extent / lanes * lanes;
  sums[0] = b.loop(b.index(extent / step * step), b.index(whole), lanes,
                   sums[0], [&](Value i, ValueRange values) {
                     return SmallVector<Value>{combineAt(i, lanes, values[0])};
                   })[0];
  if (whole == extent)
    return sums;
  if (!strip.masked) {
    sums.back() =
        b.loop(b.index(whole), b.index(extent), 1, sums.back(),
               [&](Value i, ValueRange values) {
                 return SmallVector<Value>{combineAt(i, 1, values[0])};
               })[0];
    return sums;
  }
  Value mask = b.mask(b.index(extent - whole), lanes);
  Value element =
      combiner.widen(b, b.load(input, b.add(offset, whole), lanes, 1, mask));
  Value padded = arith::SelectOp::create(b.builder, b.loc, mask, element,
                                         combiner.neutral(b, lanes));
  sums[0] = combiner.combine(b, sums[0], padded);
  return sums;
}
