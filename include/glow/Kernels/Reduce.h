//===- Reduce.h - reductions along axes ------------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_REDUCE_H
#define GLOW_KERNELS_REDUCE_H

#include "glow/Kernels/Combiner.h"
#include "glow/Kernels/LoopNest.h"
#include "glow/Kernels/Strip.h"

namespace mlir::glow {

class ReduceKernel : public Kernel {
public:
  ReduceKernel(ReduceKind kind, Value input, Value output,
               ArrayRef<int64_t> axes, const BoundedAxes &bounded,
               const KernelTarget &target);

  int64_t tickets() const override { return nest.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;
  int64_t flops() const override { return elements; }

private:
  static SmallVector<LoopAxis> keptAxes(Value input, Value output,
                                        ArrayRef<int64_t> axes,
                                        const BoundedAxes &bounded);
  static SmallVector<LoopAxis> reducedAxes(Value input, ArrayRef<int64_t> axes);
  static int64_t extentOf(ArrayRef<LoopAxis> axes);

  using Inner = function_ref<SmallVector<Value>(Value offset, ValueRange)>;
  /// Runs `inner` over reduced axes [axis, last) with accumulators.
  SmallVector<Value> emitAxes(KernelBuilder &builder, size_t axis, size_t last,
                              Value offset, ValueRange init, Inner inner) const;
  void emitColumns(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                   ArrayRef<Value> offsets, Value low, Value high) const;
  void emitRow(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
               Value input, Value output) const;
  SmallVector<Value> emitContiguous(KernelBuilder &builder,
                                    const KernelBuffer &input, Value offset,
                                    ValueRange init) const;

  Combiner combiner;
  SmallVector<LoopAxis> reduced;
  LoopNest nest;
  int64_t elements;
  /// Vectors run along the innermost reduced axis, else along the kept one.
  bool alongRow = false;
  Strip strip;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_REDUCE_H
