//===- LoopPoints.h - how many points a loop should have -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_LOOPPOINTS_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_LOOPPOINTS_H

#include "mlir/IR/Operation.h"

namespace mlir::glow::inst {

/// Fewer points than this do not keep the threads of a common machine busy.
inline constexpr int64_t kLeastPoints = 4;

/// How many of `extent` images, or what else a loop's outer axis is, there are
/// at least when the function around `op` runs. Its symbols are taken for what
/// divides the extent; in a function without, all.
int64_t leastExtent(Operation *op, int64_t extent);

/// Whether an axis of `extent` may have fewer elements: where other axes than
/// the batch are open, what has been made of them is not seen from its bound.
bool mayBeOpen(Operation *op, int64_t extent);

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_LOOPPOINTS_H
