//===- Trees.h - walks through decision trees ------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_TREES_H
#define GLOW_KERNELS_TREES_H

#include "glow/Kernels/LoopNest.h"

namespace mlir::glow {

/// Rows of features walk down trees, several at a time: each step waits for
/// the loads of the one before. Buffers are input, thresholds, links, roots and
/// output, as of `glow_inst.walk_trees`.
class TreesKernel : public Kernel {
public:
  /// The axes have operands output, input and roots.
  TreesKernel(LoopAxis rows, LoopAxis trees, bool missing);

  int64_t tickets() const override { return nest.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;

private:
  /// The node after `node`, for the row that begins at `row`.
  Value emitStep(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                 Value row, Value node) const;
  /// Those up to `high` that begin at `first` of the innermost axis.
  void emitGroup(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                 ArrayRef<Value> offsets, Value first, Value high) const;

  bool missing;
  LoopNest nest;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_TREES_H
