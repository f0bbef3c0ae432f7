//===- OpList.h - the ops that have an evaluation ---------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line per op. Element-wise ops are not here: their scalar body is
// evaluated; neither are composite ops, which are decomposed.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_INTERPRETER_OPLIST_H
#define GLOW_LIB_INTERPRETER_OPLIST_H

#include "Evaluators.h"

#define GLOW_EVALUATED_OPS(X)                                                  \
  X(ArgReduceOp)                                                               \
  X(ConcatOp)                                                                  \
  X(ConstantOp)                                                                \
  X(ConvOp)                                                                    \
  X(ConvTransposeOp)                                                           \
  X(CumSumOp)                                                                  \
  X(ExpandOp)                                                                  \
  X(FlattenOp)                                                                 \
  X(GatherOp)                                                                  \
  X(GatherElementsOp)                                                          \
  X(GatherNDOp)                                                                \
  X(MapOp)                                                                     \
  X(MatMulOp)                                                                  \
  X(NonZeroOp)                                                                 \
  X(OneHotOp)                                                                  \
  X(PackOp)                                                                    \
  X(PadOp)                                                                     \
  X(PoolOp)                                                                    \
  X(RangeOp)                                                                   \
  X(ReduceOp)                                                                  \
  X(ReshapeOp)                                                                 \
  X(ResizeOp)                                                                  \
  X(ScatterElementsOp)                                                         \
  X(ScatterNDOp)                                                               \
  X(ShapeOfOp)                                                                 \
  X(SliceOp)                                                                   \
  X(SplatOp)                                                                   \
  X(SqueezeOp)                                                                 \
  X(TileOp)                                                                    \
  X(TopKOp)                                                                    \
  X(TransposeOp)                                                               \
  X(TriluOp)                                                                   \
  X(UnsqueezeOp)

namespace mlir::glow {
#define GLOW_DECLARE_EVALUATE(Op)                                              \
  LogicalResult evaluate(Op op, Inputs<Op> in, Outputs out);
GLOW_EVALUATED_OPS(GLOW_DECLARE_EVALUATE)
#undef GLOW_DECLARE_EVALUATE
} // namespace mlir::glow

#endif // GLOW_LIB_INTERPRETER_OPLIST_H
