//===- Evaluate.h - the meaning of a primitive op ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_EVALUATE_H
#define GLOW_INTERFACES_EVALUATE_H

#include "mlir/IR/OpDefinition.h"
namespace mlir::glow {
class Tensor;
} // namespace mlir::glow

#include "glow/Interfaces/Evaluate.h.inc"

#endif // GLOW_INTERFACES_EVALUATE_H
