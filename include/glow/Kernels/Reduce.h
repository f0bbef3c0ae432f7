//===- Reduce.h - reductions along axes ------------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_REDUCE_H
#define GLOW_KERNELS_REDUCE_H

#include "glow/Kernels/Combiner.h"
#include "glow/Kernels/LoopNest.h"
#include "glow/Kernels/ScalarRegion.h"
#include "glow/Kernels/Strip.h"

namespace mlir::glow {

/// Combines the elements of one input along axes, or what a scalar region makes
/// of several inputs that are broadcast to the shape `space`.
class ReduceKernel : public Kernel {
public:
  ReduceKernel(ReduceKind kind, ValueRange inputs, Value output,
               ArrayRef<int64_t> space, ArrayRef<int64_t> axes,
               ScalarRegion body, const BoundedAxes &bounded,
               const KernelTarget &target);

  bool staysWithinLimits(size_t) const override { return true; }
  int64_t tickets() const override { return nest.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;
  int64_t flops() const override { return elements * (1 + body.cost()); }

private:
  static SmallVector<LoopAxis> keptAxes(ValueRange inputs, Value output,
                                        ArrayRef<int64_t> space,
                                        ArrayRef<int64_t> axes,
                                        const BoundedAxes &bounded);
  static SmallVector<LoopAxis> reducedAxes(ValueRange inputs,
                                           ArrayRef<int64_t> space,
                                           ArrayRef<int64_t> axes,
                                           const BoundedAxes &bounded);
  static int64_t extentOf(ArrayRef<LoopAxis> axes);

  using Offsets = SmallVector<Value>;
  using Inner =
      function_ref<SmallVector<Value>(ArrayRef<Value> offsets, ValueRange)>;
  /// The inputs' offsets `steps` further along an axis.
  Offsets moved(KernelBuilder &builder, ArrayRef<Value> offsets,
                const LoopAxis &axis, Value steps) const;
  /// The element that is combined, or a vector of them along `axis`.
  Value elementAt(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                  ArrayRef<Value> offsets, const LoopAxis &axis, int64_t lanes,
                  Value mask = {}) const;
  /// Adds to `sums` what `emit` makes of zeros.
  SmallVector<Value>
  emitChain(KernelBuilder &builder, ValueRange sums,
            function_ref<SmallVector<Value>(ValueRange zeros)> emit) const;
  /// Runs `inner` over reduced axes [axis, last) with accumulators.
  SmallVector<Value> emitAxes(KernelBuilder &builder, size_t axis, size_t last,
                              ArrayRef<Value> offsets, ValueRange init,
                              Inner inner) const;
  void emitColumns(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                   ArrayRef<Value> offsets, Value low, Value high) const;
  void emitRow(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
               ArrayRef<Value> inputs, Value output) const;
  SmallVector<Value> emitContiguous(KernelBuilder &builder,
                                    ArrayRef<KernelBuffer> buffers,
                                    ArrayRef<Value> offsets,
                                    ValueRange init) const;

  Combiner combiner;
  ScalarRegion body;
  size_t numInputs;
  SmallVector<LoopAxis> reduced;
  LoopNest nest;
  int64_t elements;
  /// Vectors run along the innermost reduced axis, else along the kept one.
  bool alongRow = false;
  Strip strip;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_REDUCE_H
