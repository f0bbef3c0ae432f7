//===- SliceRanges.h - what slices cover ------------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_SLICERANGES_H
#define GLOW_DIALECT_GLOW_IR_SLICERANGES_H

#include "glow/Dialect/Glow/IR/Glow.h"

namespace mlir::glow {

/// What a slice covers along each of its axes, if all of it is known.
std::optional<SmallVector<SliceRange>> knownRanges(SliceOp op);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_IR_SLICERANGES_H
