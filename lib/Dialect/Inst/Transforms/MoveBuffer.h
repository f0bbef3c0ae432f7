//===- MoveBuffer.h - let all users of a buffer use another ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_TRANSFORMS_MOVEBUFFER_H
#define GLOW_DIALECT_INST_TRANSFORMS_MOVEBUFFER_H

#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"

namespace mlir::glow::inst {

/// Moves all that touches `from`, but `gone`, to the place in `to`, another
/// root, that `relocation` says; or does nothing, where an instruction would be
/// worse or wrong with the strides that it gets there.
bool moveBuffer(Value from, Value to, const Relocation &relocation,
                Accesses &accesses, Operation *gone = nullptr);

} // namespace mlir::glow::inst

#endif // GLOW_DIALECT_INST_TRANSFORMS_MOVEBUFFER_H
