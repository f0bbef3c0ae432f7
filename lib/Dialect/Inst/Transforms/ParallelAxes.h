//===- ParallelAxes.h - along which axes an instruction is parallel -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_PARALLELAXES_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_PARALLELAXES_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include <optional>

namespace mlir::glow::inst {

/// The axes along which an instruction computes slices independently, and what
/// a slice needs of each operand.
struct ParallelAxes {
  SmallVector<int64_t> extents;
  /// For each operand and each axis the operand's axis that moves along, or
  /// kNone where every slice needs all of it.
  SmallVector<SmallVector<int64_t>> operandAxes;

  static constexpr int64_t kNone = -1;

  /// Nothing for an instruction that cannot be sliced. The axis that kernels
  /// walk innermost is left whole.
  static std::optional<ParallelAxes> of(Operation *op);

  /// Every slice has all of the last axis.
  void dropLast() {
    extents.pop_back();
    for (SmallVector<int64_t> &axes : operandAxes)
      axes.pop_back();
  }
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_PARALLELAXES_H
