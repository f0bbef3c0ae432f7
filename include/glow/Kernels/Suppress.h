//===- Suppress.h - non-maximum suppression --------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_SUPPRESS_H
#define GLOW_KERNELS_SUPPRESS_H

#include "glow/Kernels/LoopNest.h"

namespace mlir::glow {

/// Chooses the boxes of each batch and class. Operands are those of
/// `glow_inst.non_max_suppression`.
class SuppressKernel : public Kernel {
public:
  /// The room for chosen boxes is a multiple of so many.
  static constexpr int64_t kMostLanes = 16;

  SuppressKernel(ValueRange operands, const KernelTarget &target);

  int64_t tickets() const override { return nest.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;

private:
  static SmallVector<LoopAxis> axesOf(ValueRange operands);

  int64_t lanes = 1;
  LoopNest nest;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_SUPPRESS_H
