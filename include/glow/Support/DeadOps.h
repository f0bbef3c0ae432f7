//===- DeadOps.h - ops that nobody reads -----------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_DEADOPS_H
#define GLOW_SUPPORT_DEADOPS_H

#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/STLExtras.h"

namespace mlir::glow {

/// Erases what no op of the block needs, whole chains at once.
inline void eraseDeadOps(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isOpTriviallyDead(&op))
      op.erase();
}

} // namespace mlir::glow

#endif // GLOW_SUPPORT_DEADOPS_H
