//===- Strip.h - a range in vectors and a rest -----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_STRIP_H
#define GLOW_KERNELS_STRIP_H

#include "glow/Kernels/KernelBuilder.h"

namespace mlir::glow {

/// How a contiguous range is cut: `unroll` vectors of `lanes`, single vectors,
/// then a masked vector if `masked`, else half of one and single elements.
struct Strip {
  int64_t lanes = 1, unroll = 1;
  bool masked = false;

  /// Lanes of `bits` each for a range of at most `extent` elements; the rest is
  /// masked where the target does that cheaply and `maskable` allows it.
  static Strip choose(const KernelTarget &target, int64_t bits, int64_t extent,
                      int64_t unroll, bool maskable);

  /// Calls `body` for `count` vectors of `width` lanes from `at` on.
  using Body =
      function_ref<void(Value at, int64_t width, int64_t count, Value mask)>;
  void emit(KernelBuilder &builder, Value low, Value high, Body body) const;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_STRIP_H
