//===- Pool.h - maximum or mean over windows -------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_POOL_H
#define GLOW_KERNELS_POOL_H

#include "glow/Kernels/Combiner.h"
#include "glow/Kernels/LoopNest.h"
#include "glow/Kernels/Strip.h"
#include "glow/Kernels/Window.h"

namespace mlir::glow {

class PoolKernel : public Kernel {
public:
  /// `parallel` has operands output, input and one index per window.
  PoolKernel(PoolKind kind, bool countPadding, SmallVector<LoopAxis> parallel,
             SmallVector<Window> windows, ValueRange buffers,
             const KernelTarget &target);

  int64_t tickets() const override { return nest.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;
  int64_t flops() const override { return elements * taps(); }

private:
  int64_t taps() const;
  using Ranges = SmallVector<std::pair<Value, Value>>;
  void emitElements(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                    ArrayRef<Value> offsets, Value at, int64_t lanes,
                    int64_t count, Value mask) const;
  SmallVector<Value> emitTaps(KernelBuilder &builder, const KernelBuffer &input,
                              const Ranges &ranges, size_t axis, Value offset,
                              int64_t lanes, Value mask, ValueRange sums) const;
  /// How many taps the mean is taken over, in the accumulator's type.
  Value emitDivisor(KernelBuilder &builder, ArrayRef<Value> positions) const;

  bool isMean, countPadding;
  Combiner combiner;
  SmallVector<Window> windows;
  LoopNest nest;
  int64_t elements;
  /// Along the innermost axis: vectors between these positions, if they can be,
  /// where windows have all of their taps.
  Strip strip;
  int64_t firstInside = 0, lastInside;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_POOL_H
