//===- ScalarRegion.h - element-wise regions on vectors --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_SCALARREGION_H
#define GLOW_KERNELS_SCALARREGION_H

#include "glow/Kernels/KernelBuilder.h"

namespace mlir::glow {

/// The body of a map or an epilogue. No region is the identity.
class ScalarRegion {
public:
  explicit ScalarRegion(Region *region = nullptr);

  /// Whether every op exists on vectors.
  bool isVectorizable() const { return vectorizable; }
  /// Width in bits of the widest element that the body computes with.
  int64_t width() const { return maxWidth; }
  /// Ops per element, where a transcendental function counts as several.
  int64_t cost() const { return totalCost; }
  bool isIdentity() const {
    return !block || block->getOperations().size() == 1;
  }

  /// The yielded values.
  size_t numResults() const {
    return block ? block->getTerminator()->getNumOperands() : 1;
  }

  /// Loads what the body takes for an argument. Accesses with gaps are not
  /// masked.
  Value load(KernelBuilder &builder, size_t argument,
             const KernelBuffer &buffer, Value offset, int64_t lanes,
             int64_t stride, Value mask) const;
  /// Emits the body on scalars or vectors; the results are the yielded values.
  SmallVector<Value> emit(KernelBuilder &builder, ValueRange arguments,
                          int64_t lanes) const;
  /// The same on the arguments of each of several vectors, no more than
  /// `vectorsAtOnce`; the steps of a long body are taken side by side.
  SmallVector<SmallVector<Value>>
  emitAll(KernelBuilder &builder, ArrayRef<SmallVector<Value>> arguments,
          int64_t lanes) const;

  /// Whether the steps, each of which waits for the one before, take longer
  /// than it takes to read and write the elements.
  bool isLong() const { return totalCost > 8; }
  /// Vectors to work on at a time, so that their steps hide each other's
  /// latency. Very long bodies are not worth the code.
  int64_t vectorsAtOnce() const { return totalCost <= 128 ? 4 : 1; }

private:
  Block *block = nullptr;
  bool vectorizable = true;
  int64_t maxWidth = 8, totalCost = 0;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_SCALARREGION_H
