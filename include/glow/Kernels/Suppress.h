//===- Suppress.h - non-maximum suppression --------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_SUPPRESS_H
#define GLOW_KERNELS_SUPPRESS_H

#include "glow/Kernels/Scan.h"

namespace mlir::glow {

/// Chooses the boxes of each batch and class. Operands are those of
/// `glow_inst.non_max_suppression`; the axis is that of the scores.
class SuppressKernel : public ScanKernel {
public:
  /// The room for chosen boxes is a multiple of so many.
  static constexpr int64_t kMostLanes = 16;

  SuppressKernel(ValueRange operands, const KernelTarget &target);

protected:
  void emitRows(KernelBuilder &builder, const Rows &rows) const override;

private:
  int64_t lanes = 1;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_SUPPRESS_H
