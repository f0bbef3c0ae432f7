//===- Gather.cpp - elements and slices at indices ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Indexed.h"
#include <numeric>

using namespace mlir;
using namespace mlir::glow;

/// Places among the nest's operands.
enum : size_t { Out, In, Indices };

Value glow::emitIndexedOffset(KernelBuilder &b, const KernelBuffer &indices,
                              Value position, ArrayRef<IndexedAxis> axes) {
  Value offset = b.index(0);
  for (const IndexedAxis &axis : axes) {
    Value at = b.add(position, axis.indexOffset);
    Value index = b.toIndex(b.load(indices, at));
    Value wrapped = b.add(index, axis.extent);
    Value isNegative = b.less(index, b.index(0));
    index =
        arith::SelectOp::create(b.builder, b.loc, isNegative, wrapped, index);
    index = b.min(b.max(index, b.index(0)), b.index(axis.extent - 1));
    offset = b.add(offset, b.mul(index, axis.stride));
  }
  return offset;
}

SmallVector<LoopAxis> glow::unlessEmpty(SmallVector<LoopAxis> axes,
                                        ArrayRef<IndexedAxis> indexed) {
  for (const IndexedAxis &axis : indexed)
    if (axis.extent == 0)
      axes.push_back({0, {0, 0, 0}});
  return axes;
}

/// Where every element has an index, and neighbouring rows have the same ones,
/// each index is looked at once for several rows, which become the innermost
/// axis.
static SmallVector<LoopAxis> shareIndices(SmallVector<LoopAxis> given) {
  constexpr int64_t kMostRows = 8;
  SmallVector<LoopAxis> axes = mergeAxes(given);
  if (axes.size() < 2 || axes.back().strides[Indices] == 0)
    return given;
  LoopAxis &outer = axes.end()[-2];
  if (outer.strides[Indices] != 0)
    return given;
  // No block of rows is cut by a limit.
  int64_t common = outer.extent;
  if (outer.isBounded())
    common = outer.places == 1 ? std::gcd(outer.perBound, common) : 1;
  int64_t rows = kMostRows;
  while (common % rows != 0)
    --rows;
  if (rows == 1)
    return given;
  LoopAxis inner{rows, outer.strides};
  outer.extent /= rows;
  outer.places *= rows;
  for (int64_t &stride : outer.strides)
    stride *= rows;
  axes.push_back(inner);
  return axes;
}

GatherKernel::GatherKernel(SmallVector<LoopAxis> parallel,
                           SmallVector<IndexedAxis> given, ValueRange buffers,
                           const KernelTarget &target)
    : nest(shareIndices(unlessEmpty(std::move(parallel), given)), 1.0, 64),
      indexed(std::move(given)) {
  ArrayRef<int64_t> strides = nest.inner().strides;
  if (strides[Out] == 1 && strides[In] == 1 && strides[Indices] == 0)
    strip = Strip::choose(target, 8 * BufferShape(buffers[0]).bytes(),
                          nest.inner().extent, 4, true);
}

void GatherKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                        Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  const KernelBuffer &input = buffers[0], &indices = buffers[1],
                     &output = buffers[2];
  ArrayRef<int64_t> strides = nest.inner().strides;
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    // One index for the whole row, or one per element.
    Value common;
    if (strides[Indices] == 0)
      common = emitIndexedOffset(b, indices, offsets[Indices], indexed);
    auto emit = [&](Value at, int64_t lanes, int64_t count, Value mask) {
      Value selected = common;
      if (!selected)
        selected = emitIndexedOffset(
            b, indices, b.add(offsets[Indices], b.mul(at, strides[Indices])),
            indexed);
      Value from = b.add(b.add(offsets[In], selected), b.mul(at, strides[In]));
      Value to = b.add(offsets[Out], b.mul(at, strides[Out]));
      SmallVector<Value> values;
      for (int64_t v = 0; v < count; ++v)
        values.push_back(b.load(input, b.add(from, v * lanes), lanes, 1, mask));
      for (int64_t v = 0; v < count; ++v)
        b.store(values[v], output, b.add(to, v * lanes), 1, mask);
    };
    strip.emit(b, low, high, emit);
  });
}
