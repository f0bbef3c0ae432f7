//===- NarrowFloats.h - conversion of narrow floats ------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TARGET_LLVM_NARROWFLOATS_H
#define GLOW_LIB_TARGET_LLVM_NARROWFLOATS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::glow {

/// Conversions between f32 and floats of 8 bits, as integer arithmetic.
void populateNarrowFloatPatterns(RewritePatternSet &patterns);

/// Conversions from f32 to bf16 that keep denormals, as integer arithmetic.
void populateRoundToBfloat16Patterns(RewritePatternSet &patterns);

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_NARROWFLOATS_H
