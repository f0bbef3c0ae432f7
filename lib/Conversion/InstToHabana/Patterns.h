//===- Patterns.h - instructions as commands, by engine -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_CONVERSION_INSTTOHABANA_PATTERNS_H
#define GLOW_LIB_CONVERSION_INSTTOHABANA_PATTERNS_H

#include "mlir/IR/PatternMatch.h"

namespace mlir::glow::habana {

// All patterns expect buffers in `#habana.mem<ddr>`.
void populateMemoryPatterns(RewritePatternSet &patterns);
void populateVectorPatterns(RewritePatternSet &patterns);
void populateConvPatterns(RewritePatternSet &patterns);
void populatePoolPatterns(RewritePatternSet &patterns);
void populateMatrixPatterns(RewritePatternSet &patterns);

} // namespace mlir::glow::habana

#endif // GLOW_LIB_CONVERSION_INSTTOHABANA_PATTERNS_H
