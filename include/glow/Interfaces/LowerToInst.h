//===- LowerToInst.h - from values to addresses ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_LOWERTOINST_H
#define GLOW_INTERFACES_LOWERTOINST_H

#include "mlir/IR/OpDefinition.h"
namespace mlir::glow {
class InstLowering;
} // namespace mlir::glow

#include "glow/Interfaces/LowerToInst.h.inc"

#endif // GLOW_INTERFACES_LOWERTOINST_H
