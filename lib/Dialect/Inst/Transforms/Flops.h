//===- Flops.h - the arithmetic of an instruction ---------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_FLOPS_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_FLOPS_H

#include "mlir/IR/Operation.h"

namespace mlir::glow::inst {

/// The operations on numbers that an instruction does, a loop at all of its
/// points.
double flopsOf(Operation *op);

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_FLOPS_H
