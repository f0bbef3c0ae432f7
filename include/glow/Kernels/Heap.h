//===- Heap.h - elements with their indices, the worst one first -*- C++-*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_HEAP_H
#define GLOW_KERNELS_HEAP_H

#include "glow/Kernels/KernelBuilder.h"

namespace mlir::glow {

/// Elements of a buffer, a stride apart.
struct KernelRow {
  KernelBuffer buffer;
  Value start;
  int64_t stride = 1;

  Value offset(KernelBuilder &b, Value at) const {
    return b.add(start, b.mul(at, stride));
  }
  Value load(KernelBuilder &b, Value at) const {
    return b.load(buffer, offset(b, at));
  }
  void store(KernelBuilder &b, Value value, Value at) const {
    b.store(value, buffer, offset(b, at));
  }
};

/// A heap in two rows, of values and of their indices, which tell equal values
/// apart: the lower one is better.
class Heap {
public:
  using IsBetter = std::function<Value(Value, Value)>;
  Heap(KernelBuilder &b, KernelRow values, KernelRow indices, IsBetter isBetter)
      : b(b), values(std::move(values)), indices(std::move(indices)),
        isBetter(std::move(isBetter)) {}

  /// Puts an element into a heap of `size` at a place from `hole` down.
  void sift(Value hole, Value size, Value value, Value index);
  /// Makes the best element of a heap the first, and so on.
  void sort(Value size);

  const KernelRow &valueRow() const { return values; }
  const KernelRow &indexRow() const { return indices; }

private:
  Value isBefore(Value x, Value i, Value y, Value j);

  KernelBuilder &b;
  KernelRow values, indices;
  IsBetter isBetter;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_HEAP_H
