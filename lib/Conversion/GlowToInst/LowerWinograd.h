//===- LowerWinograd.h - convolutions as transformed products --*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_CONVERSION_GLOWTOINST_LOWERWINOGRAD_H
#define GLOW_LIB_CONVERSION_GLOWTOINST_LOWERWINOGRAD_H

#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"

namespace mlir::glow {

/// Lowers a convolution with the attribute `winograd`.
LogicalResult lowerWinograd(ConvOp op, InstLowering &lowering);

} // namespace mlir::glow

#endif // GLOW_LIB_CONVERSION_GLOWTOINST_LOWERWINOGRAD_H
