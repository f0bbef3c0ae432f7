//===- Scan.h - element-by-element walks along an axis ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_SCAN_H
#define GLOW_KERNELS_SCAN_H

#include "glow/Kernels/Combiner.h"
#include "glow/Kernels/Heap.h"
#include "glow/Kernels/LoopNest.h"

namespace mlir::glow {

/// A kernel that walks along one axis of its input, for each position of the
/// others. `row` has the axis's strides in the same operands as `parallel`.
class ScanKernel : public Kernel {
public:
  ScanKernel(SmallVector<LoopAxis> parallel, LoopAxis row, double work);

  int64_t tickets() const override { return nest.tickets(); }
  /// Of a row that is limited more may be computed.
  bool staysWithinLimits(size_t) const override { return !row.isBounded(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;

protected:
  /// `starts` are the operands' offsets at index 0 of the axis.
  virtual void emitRow(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                       ArrayRef<Value> starts) const = 0;
  /// An operand's elements along the axis.
  KernelRow rowOf(ArrayRef<KernelBuffer> buffers, ArrayRef<Value> starts,
                  size_t operand) const {
    return {buffers[operand], starts[operand], row.strides[operand]};
  }

  LoopAxis row;
  LoopNest nest;
};

/// Operands input, output.
class ArgReduceKernel : public ScanKernel {
public:
  ArgReduceKernel(ReduceKind kind, bool selectLast,
                  SmallVector<LoopAxis> parallel, LoopAxis row);

protected:
  void emitRow(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
               ArrayRef<Value> starts) const override;

private:
  ReduceKind kind;
  bool selectLast;
};

/// Operands input, output.
class RunningKernel : public ScanKernel {
public:
  RunningKernel(ReduceKind kind, bool exclusive, bool reverse,
                SmallVector<LoopAxis> parallel, LoopAxis row);

  bool staysWithinLimits(size_t) const override {
    return !reverse || !row.isBounded();
  }

protected:
  void emitRow(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
               ArrayRef<Value> starts) const override;

private:
  ReduceKind kind;
  bool exclusive, reverse;
};

/// Operands input, values, indices.
class TopKKernel : public ScanKernel {
public:
  TopKKernel(int64_t k, bool largest, SmallVector<LoopAxis> parallel,
             LoopAxis row);

protected:
  void emitRow(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
               ArrayRef<Value> starts) const override;

private:
  Value isBetter(KernelBuilder &builder, const KernelBuffer &input, Value a,
                 Value b) const;
  void emitInsertion(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                     ArrayRef<Value> starts, Value value, Value index) const;
  void emitHeap(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                ArrayRef<Value> starts) const;

  int64_t k;
  bool largest;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_SCAN_H
