//===- CoarseFunctions.h - what need not have all digits -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_GLOW_TRANSFORMS_COARSEFUNCTIONS_H
#define GLOW_LIB_DIALECT_GLOW_TRANSFORMS_COARSEFUNCTIONS_H

#include "mlir/IR/Block.h"

namespace mlir::glow {

/// Gives `fastmath<afn>` to functions of a region whose result is rounded to
/// bf16, where their error stays what it is on the way to the result.
void permitCoarseFunctions(Block &block);

} // namespace mlir::glow

#endif // GLOW_LIB_DIALECT_GLOW_TRANSFORMS_COARSEFUNCTIONS_H
