//===- MathPatterns.h - what polynomials are made of -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_KERNELS_MATHPATTERNS_H
#define GLOW_LIB_KERNELS_MATHPATTERNS_H

#include "glow/Interfaces/ScalarBuilder.h"
#include "mlir/Dialect/Math/IR/Math.h"

namespace mlir::glow {

/// a factor + c, rounded once.
Value fma(ScalarBuilder &b, Value a, Value factor, Value c);

/// c0 + x (c1 + x (c2 + ...)). Each step is rounded once, or its product too.
Value polynomial(ScalarBuilder &b, Value x, ArrayRef<double> coefficients,
                 bool isFused = true);

/// Within -bound and bound; NaN stays. One instruction for each, where clamp
/// takes more for NaN.
Value limit(ScalarBuilder &b, Value x, double bound);

/// Builds integers of 32 bits, which the functions below are numbers of.
ScalarBuilder integers(ScalarBuilder &b);
/// The bits of single precision, and the number that has these.
Value bitsOf(ScalarBuilder &b, Value x);
Value numberOf(ScalarBuilder &b, Value bits);

/// log x and log(1 + x) in single precision.
Value logByReduction(ScalarBuilder &b, Value x);
Value log1pByReduction(ScalarBuilder &b, Value x);

/// x p(2 x^2 / bound^2 - 1) for a function that is 1 or -1 beyond the bound.
Value oddPolynomial(ScalarBuilder &b, Value x, double bound,
                    ArrayRef<double> coefficients);

} // namespace mlir::glow

#endif // GLOW_LIB_KERNELS_MATHPATTERNS_H
