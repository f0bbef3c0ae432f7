//===- Pool.cpp - maximum or mean over windows ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Pool.h"

using namespace mlir;
using namespace mlir::glow;

/// Places among the nest's operands.
enum : size_t { Out, In, FirstIndex };

static int64_t product(ArrayRef<Window> windows) {
  int64_t taps = 1;
  for (const Window &window : windows)
    taps *= window.kernel;
  return taps;
}

PoolKernel::PoolKernel(PoolKind kind, bool countPadding,
                       SmallVector<LoopAxis> parallel,
                       SmallVector<Window> given, ValueRange buffers,
                       const KernelTarget &target)
    : isMean(kind == PoolKind::Average), countPadding(countPadding),
      combiner(isMean ? ReduceKind::Sum : ReduceKind::Max,
               BufferShape(buffers[0]).element),
      windows(std::move(given)),
      nest(std::move(parallel), 0.5 * product(windows), 64),
      elements(BufferShape(buffers.back()).elements()),
      lastInside(nest.inner().extent) {
  ArrayRef<int64_t> strides = nest.inner().strides;
  if (strides[Out] != 1 || strides[In] < 1 ||
      strides[In] > KernelBuilder::kMostShuffled)
    return;
  for (auto [step, window] :
       llvm::zip(strides.drop_front(FirstIndex), windows)) {
    if (!step)
      continue;
    firstInside = std::max(firstInside, window.firstInside());
    lastInside = std::min(lastInside, window.lastInside());
  }
  int64_t bits = combiner.accumulator().getIntOrFloatBitWidth();
  // Few processors shuffle vectors of smaller elements in one instruction.
  if (strides[In] != 1)
    bits = std::max<int64_t>(bits, 32);
  strip = Strip::choose(target, bits, nest.inner().extent, 4, true);
}

int64_t PoolKernel::taps() const { return product(windows); }

void PoolKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                      Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    auto emitRange = [&](const Strip &strip, Value first, Value last) {
      strip.emit(b, first, last,
                 [&](Value at, int64_t lanes, int64_t count, Value mask) {
                   emitElements(b, buffers, offsets, at, lanes, count, mask);
                 });
    };
    // Neighbours in a vector have the same taps.
    Value first = b.min(high, b.max(low, b.index(firstInside))),
          last = b.max(first, b.min(high, b.index(lastInside)));
    if (firstInside > 0)
      emitRange(Strip(), low, first);
    emitRange(strip, first, last);
    if (lastInside < nest.inner().extent)
      emitRange(Strip(), last, high);
  });
}

void PoolKernel::emitElements(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                              ArrayRef<Value> offsets, Value at, int64_t lanes,
                              int64_t count, Value mask) const {
  ArrayRef<int64_t> strides = nest.inner().strides;
  SmallVector<Value> positions;
  Ranges ranges;
  for (auto [i, window] : llvm::enumerate(windows)) {
    positions.push_back(
        b.add(offsets[FirstIndex + i], b.mul(at, strides[FirstIndex + i])));
    ranges.push_back(window.range(b, positions.back()));
  }
  SmallVector<Value> sums(count, combiner.neutral(b, lanes));
  Value input =
      b.add(b.add(offsets[In], b.mul(at, strides[In])), paddingShift(windows));
  sums = emitTaps(b, buffers[0], ranges, 0, input, lanes, mask, sums);
  Value divisor;
  if (isMean)
    divisor = b.broadcast(emitDivisor(b, positions), lanes);
  for (int64_t v = 0; v < count; ++v) {
    Value result = sums[v];
    if (isMean)
      result = b.scalars(combiner.accumulator()).div(result, divisor);
    Value offset = b.add(b.add(offsets[Out], b.mul(at, strides[Out])),
                         v * lanes * strides[Out]);
    b.store(combiner.narrow(b, result), buffers[1], offset, strides[Out], mask);
  }
}

SmallVector<Value> PoolKernel::emitTaps(KernelBuilder &b,
                                        const KernelBuffer &input,
                                        const Ranges &ranges, size_t axis,
                                        Value offset, int64_t lanes, Value mask,
                                        ValueRange sums) const {
  SmallVector<Value> next;
  int64_t step = nest.inner().strides[In];
  if (axis == windows.size()) {
    for (auto [v, sum] : llvm::enumerate(sums)) {
      Value element =
          b.load(input, b.add(offset, v * lanes * step), lanes, step, mask);
      next.push_back(combiner.combine(b, sum, combiner.widen(b, element)));
    }
    return next;
  }
  int64_t stride = windows[axis].dilation * windows[axis].inputStride;
  auto [first, last] = ranges[axis];
  return b.loop(first, last, 1, sums, [&](Value i, ValueRange values) {
    return emitTaps(b, input, ranges, axis + 1, b.add(offset, b.mul(i, stride)),
                    lanes, mask, values);
  });
}

Value PoolKernel::emitDivisor(KernelBuilder &b,
                              ArrayRef<Value> positions) const {
  Value count = b.index(1);
  for (auto [window, position] : llvm::zip(windows, positions)) {
    auto [first, last] = window.range(b, position, countPadding);
    count = b.mul(count, b.sub(last, first));
  }
  Value taps = b.fromIndex(b.max(count, b.index(1)), b.builder.getI64Type());
  return b.convert(taps, b.builder.getI64Type(), combiner.accumulator());
}
