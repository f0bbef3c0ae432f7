//===- WaitingRows.h - rows that are done later ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_WAITINGROWS_H
#define GLOW_KERNELS_WAITINGROWS_H

#include "glow/Kernels/KernelBuilder.h"

namespace mlir::glow {

/// Rows that wait to be done, and what is known of all of them: indices in the
/// function's frame, so that code anywhere in its loops can go on with them.
class WaitingRows {
public:
  /// None wait where `b` stands.
  WaitingRows(KernelBuilder &b, size_t numValues);

  /// Those from `first` on and below `end`; earlier ones must be done.
  void put(Value first, Value end, ValueRange values) const;
  /// Of the values that were put last.
  Value value(size_t place) const;
  /// Does up to `count` of them.
  void take(int64_t count, function_ref<void(Value row)> body) const;

private:
  Value get(size_t place) const;
  void set(size_t place, Value index) const;

  KernelBuilder &b;
  KernelBuffer memory;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_WAITINGROWS_H
