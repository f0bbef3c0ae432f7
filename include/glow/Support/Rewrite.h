//===- Rewrite.h - patterns until none fits --------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_REWRITE_H
#define GLOW_SUPPORT_REWRITE_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace mlir::glow {

/// For functions of one block, in which there is no control flow to simplify.
inline GreedyRewriteConfig withoutControlFlow() {
  return GreedyRewriteConfig().setRegionSimplificationLevel(
      GreedySimplifyRegionLevel::Disabled);
}

/// Rewrites what is within `op` until no pattern fits. An error says that
/// `what` does not come to an end.
inline LogicalResult rewriteAll(Operation *op, RewritePatternSet &&patterns,
                                StringRef what) {
  if (succeeded(
          applyPatternsGreedily(op, std::move(patterns), withoutControlFlow())))
    return success();
  return op->emitError(what) << " does not come to an end";
}

} // namespace mlir::glow

#endif // GLOW_SUPPORT_REWRITE_H
