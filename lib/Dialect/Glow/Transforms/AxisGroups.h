//===- AxisGroups.h - which axes a reshape makes of which -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_GLOW_TRANSFORMS_AXISGROUPS_H
#define GLOW_LIB_DIALECT_GLOW_TRANSFORMS_AXISGROUPS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"

namespace mlir::glow {

/// Axes from, …, to - 1 of the one shape become axes of the other.
struct AxisGroup {
  int64_t fromBegin, fromEnd, toBegin, toEnd;
};

/// The smallest groups in which `from` becomes `to`; empty if there are none,
/// as for tensors without elements.
SmallVector<AxisGroup> matchGroups(ArrayRef<int64_t> from,
                                   ArrayRef<int64_t> to);

} // namespace mlir::glow

#endif // GLOW_LIB_DIALECT_GLOW_TRANSFORMS_AXISGROUPS_H
