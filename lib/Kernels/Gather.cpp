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
                              Value position, ArrayRef<IndexedAxis> axes,
                              int64_t lanes, Value mask) {
  auto number = [&](int64_t value) {
    return b.broadcast(b.index(value), lanes);
  };
  Value offset = number(0);
  for (const IndexedAxis &axis : axes) {
    Value at = b.add(position, axis.indexOffset);
    Value index = b.toIndex(b.load(indices, at, lanes, 1, mask));
    Value wrapped = b.add(index, number(axis.extent));
    Value isNegative = b.less(index, number(0));
    index =
        arith::SelectOp::create(b.builder, b.loc, isNegative, wrapped, index);
    index = b.min(b.max(index, number(0)), number(axis.extent - 1));
    if (axis.stride != 1)
      index = b.mul(index, number(axis.stride));
    offset = b.add(offset, index);
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
  int64_t extent = nest.inner().extent;
  if (strides[Out] == 1 && strides[In] == 1 && strides[Indices] == 0)
    strip = Strip::choose(target, 8 * BufferShape(buffers[0]).bytes(), extent,
                          4, true);
  else if (strides[Indices] == 1)
    indexStrip = Strip::choose(target, 64, extent, 1, true);
  if (indexStrip.lanes > 1)
    strip.unroll = indexStrip.lanes;
}

void GatherKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                        Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  ArrayRef<int64_t> strides = nest.inner().strides;
  KernelBuffer selected;
  if (indexStrip.lanes > 1)
    selected = b.scratch(b.builder.getI64Type(), kBlock);
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    auto indexAt = [&](Value at) {
      return b.add(offsets[Indices], b.mul(at, strides[Indices]));
    };
    if (selected.flat)
      return emitBlocks(b, buffers, selected, offsets, low, high);
    // One index for the whole row, or one per element.
    if (strides[Indices] == 0) {
      Value common =
          emitIndexedOffset(b, buffers[1], offsets[Indices], indexed);
      return emitElements(b, buffers, offsets, low, high,
                          [&](Value, int64_t) { return common; });
    }
    emitElements(b, buffers, offsets, low, high, [&](Value at, int64_t v) {
      return emitIndexedOffset(b, buffers[1], indexAt(b.add(at, v)), indexed);
    });
  });
}

void GatherKernel::emitBlocks(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                              const KernelBuffer &selected,
                              ArrayRef<Value> offsets, Value low,
                              Value high) const {
  b.loop(low, high, kBlock, [&](Value first) {
    Value last = b.min(b.add(first, kBlock), high);
    indexStrip.emit(
        b, first, last, [&](Value at, int64_t lanes, int64_t, Value mask) {
          Value places = emitIndexedOffset(
              b, buffers[1], b.add(offsets[Indices], at), indexed, lanes, mask);
          b.store(b.fromIndex(places, b.shaped(selected.type, lanes)), selected,
                  b.sub(at, first), 1, mask);
        });
    emitElements(b, buffers, offsets, first, last, [&](Value at, int64_t v) {
      return b.toIndex(b.load(selected, b.add(b.sub(at, first), v)));
    });
  });
}

void GatherKernel::emitElements(
    KernelBuilder &b, ArrayRef<KernelBuffer> buffers, ArrayRef<Value> offsets,
    Value low, Value high,
    function_ref<Value(Value at, int64_t vector)> placeOf) const {
  ArrayRef<int64_t> strides = nest.inner().strides;
  strip.emit(
      b, low, high, [&](Value at, int64_t lanes, int64_t count, Value mask) {
        Value from = b.add(offsets[In], b.mul(at, strides[In]));
        Value to = b.add(offsets[Out], b.mul(at, strides[Out]));
        SmallVector<Value> values;
        for (int64_t v = 0; v < count; ++v) {
          Value place =
              b.add(b.add(from, v * lanes * strides[In]), placeOf(at, v));
          values.push_back(b.load(buffers[0], place, lanes, 1, mask));
        }
        for (int64_t v = 0; v < count; ++v)
          b.store(values[v], buffers[2], b.add(to, v * lanes * strides[Out]), 1,
                  mask);
      });
}
