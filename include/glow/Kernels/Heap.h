//===- Heap.h - elements with their indices, the last one first -*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_HEAP_H
#define GLOW_KERNELS_HEAP_H

#include "glow/Kernels/KernelBuilder.h"

namespace mlir::glow {

/// Elements of a buffer, a stride apart, or those of `lanes` rows side by side,
/// of which there are those that the mask keeps.
struct KernelRow {
  KernelBuffer buffer;
  Value start;
  int64_t stride = 1, lanes = 1;
  Value mask;

  Value offset(KernelBuilder &b, Value at) const {
    return b.add(start, b.mul(at, stride));
  }
  Value load(KernelBuilder &b, Value at) const {
    return b.load(buffer, offset(b, at), lanes, 1, mask);
  }
  void store(KernelBuilder &b, Value value, Value at) const {
    b.store(value, buffer, offset(b, at), 1, mask);
  }
};

/// A heap in two rows, of values and of their indices. Its first element is the
/// last one in an order of both.
class Heap {
public:
  /// Of a value with an index and another one with its index.
  using IsBefore = std::function<Value(Value, Value, Value, Value)>;
  Heap(KernelBuilder &b, KernelRow values, KernelRow indices, IsBefore isBefore)
      : b(b), values(std::move(values)), indices(std::move(indices)),
        isBefore(std::move(isBefore)) {}

  /// Makes a heap of the first elements of the rows.
  void make(Value size);
  /// Puts an element into a heap of `size` at a place from `hole` down.
  void sift(Value hole, Value size, Value value, Value index);
  /// Moves the first element behind the others, of which there are `rest`.
  void pop(Value rest);

  const KernelRow &valueRow() const { return values; }
  const KernelRow &indexRow() const { return indices; }

private:
  KernelBuilder &b;
  KernelRow values, indices;
  IsBefore isBefore;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_HEAP_H
