//===- MathPatterns.cpp - mathematical functions in kernels ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Kernels.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"

using namespace mlir;

void glow::populateKernelMathPatterns(RewritePatternSet &patterns) {
  populateMathPolynomialApproximationPatterns(patterns);
}
