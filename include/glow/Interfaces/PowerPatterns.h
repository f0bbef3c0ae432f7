//===- PowerPatterns.h - powers as products and roots -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_POWERPATTERNS_H
#define GLOW_INTERFACES_POWERPATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::glow {

/// x^y with a constant y of 0 to 4, -1, -2, 0.5, -0.5 or 0.75 as products and
/// roots. Infinities and zeros give what IEEE 754's pow gives.
void populateFloatPowerPatterns(RewritePatternSet &patterns);

/// Powers of integers by squaring, modulo 2^width. A negative power is a
/// fraction, of which the whole part is left: 0 unless the base is 1 or -1.
void populateIntegerPowerPatterns(RewritePatternSet &patterns);

} // namespace mlir::glow

#endif // GLOW_INTERFACES_POWERPATTERNS_H
