//===- Scatter.cpp - updates of elements and slices at indices ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Indexed.h"

using namespace mlir;
using namespace mlir::glow;

/// Places among the nest's operands.
enum : size_t { Out, Updates, Indices };

static double workOf(ArrayRef<LoopAxis> sequential) {
  double work = 2;
  for (const LoopAxis &axis : sequential)
    work *= axis.extent;
  return work;
}

ScatterKernel::ScatterKernel(ScatterKind kind, SmallVector<LoopAxis> parallel,
                             SmallVector<LoopAxis> given,
                             SmallVector<IndexedAxis> addressed,
                             ValueRange buffers, const KernelTarget &target)
    : kind(kind), sequential(std::move(given)),
      nest(unlessEmpty(std::move(parallel), addressed), workOf(sequential), 64),
      indexed(std::move(addressed)) {
  ArrayRef<int64_t> strides = nest.inner().strides;
  if (strides[Out] == 1 && strides[Updates] == 1 && strides[Indices] == 0)
    strip = Strip::choose(target, 8 * BufferShape(buffers[1]).bytes(),
                          nest.inner().extent, 1, true);
}

void ScatterKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                         Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  // Rows of a bound may lie in one set of a cache, so each is gone through by
  // itself.
  bool areApart = strip.lanes == 1 &&
                  llvm::any_of(sequential, std::mem_fn(&LoopAxis::isBounded));
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    if (!areApart)
      return emitSequence(b, buffers, 0, offsets, low, high);
    b.loop(low, high, 1, [&](Value at) {
      SmallVector<Value> own(offsets);
      for (auto [offset, stride] : llvm::zip(own, nest.inner().strides))
        offset = b.add(offset, b.mul(at, stride));
      emitSequence(b, buffers, 0, own, b.index(0), b.index(1));
    });
  });
}

void ScatterKernel::emitSequence(KernelBuilder &b,
                                 ArrayRef<KernelBuffer> buffers, size_t axis,
                                 ArrayRef<Value> offsets, Value low,
                                 Value high) const {
  if (axis < sequential.size()) {
    b.loop(b.index(0), sequential[axis].limit(b), 1, [&](Value i) {
      SmallVector<Value> inner(offsets);
      for (auto [offset, stride] : llvm::zip(inner, sequential[axis].strides))
        offset = b.add(offset, b.mul(i, stride));
      emitSequence(b, buffers, axis + 1, inner, low, high);
    });
    return;
  }
  ArrayRef<int64_t> strides = nest.inner().strides;
  auto emit = [&](Value at, int64_t lanes, int64_t count, Value mask) {
    Value index = b.add(offsets[Indices], b.mul(at, strides[Indices]));
    Value selected = emitIndexedOffset(b, buffers[0], index, indexed);
    Value output = b.add(offsets[Out], b.mul(at, strides[Out]));
    emitUpdate(b, buffers, b.add(output, selected),
               b.add(offsets[Updates], b.mul(at, strides[Updates])), lanes,
               count, mask);
  };
  strip.emit(b, low, high, emit);
}

void ScatterKernel::emitUpdate(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                               Value output, Value updates, int64_t lanes,
                               int64_t count, Value mask) const {
  assert(count == 1 && "updates are not unrolled");
  const KernelBuffer &target = buffers[2];
  Value update = b.load(buffers[1], updates, lanes, 1, mask);
  if (kind != ScatterKind::None) {
    Value old = b.load(target, output, lanes, 1, mask);
    ScalarBuilder scalars = b.scalars(target.element);
    switch (kind) {
    case ScatterKind::Add:
      update = scalars.add(old, update);
      break;
    case ScatterKind::Mul:
      update = scalars.mul(old, update);
      break;
    case ScatterKind::Max:
      update = scalars.max(old, update);
      break;
    default:
      update = scalars.min(old, update);
      break;
    }
  }
  b.store(update, target, output, 1, mask);
}
