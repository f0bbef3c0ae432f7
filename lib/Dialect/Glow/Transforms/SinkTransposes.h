//===- SinkTransposes.h - shared by the files of transpose sinking --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_GLOW_TRANSFORMS_SINKTRANSPOSES_H
#define GLOW_LIB_DIALECT_GLOW_TRANSFORMS_SINKTRANSPOSES_H

#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::glow {

/// True for ops that can run on another order of their operands' axes, so that
/// a transpose may move through them.
bool isTransparentToTransposes(Operation *op);

/// The transpose that defines `value`, if it is worth moving: what it moves is
/// not a constant, and no reader would keep it in its place.
TransposeOp sinkableTranspose(Value value);

/// The extents of `dims` in the order of `permutation`.
Dims permute(ArrayRef<int64_t> dims, ArrayRef<int64_t> permutation);

/// Whether the result is known to have more elements than the input, so that it
/// takes longer to reorder.
bool enlarges(ResizeOp op);

/// Resizes `reordered`, from which the permutation gives the op's input, and
/// transposes the result.
void replaceByReordered(ResizeOp op, Value reordered,
                        ArrayRef<int64_t> permutation, RewriterBase &rewriter);

/// op(transpose(x)) becomes transpose(op(x)).
template <typename Op> struct SinkThrough : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter &rewriter) const final {
    TransposeOp transpose = sinkableTranspose(op.getInput());
    return transpose ? sink(op, transpose, rewriter)
                     : rewriter.notifyMatchFailure(op, "no transpose");
  }
  virtual LogicalResult sink(Op op, TransposeOp transpose,
                             PatternRewriter &rewriter) const = 0;
};

void populateSinkTransposesThroughReshape(RewritePatternSet &patterns);

} // namespace mlir::glow

#endif // GLOW_LIB_DIALECT_GLOW_TRANSFORMS_SINKTRANSPOSES_H
