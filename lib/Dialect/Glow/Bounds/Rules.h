//===- Rules.h - how each op works on bounded dimensions --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One function per op, each in the file of its family. `Rules.cpp` attaches
// them.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_DIALECT_GLOW_BOUNDS_RULES_H
#define GLOW_LIB_DIALECT_GLOW_BOUNDS_RULES_H

#include "glow/Dialect/Glow/Transforms/BoundedGraph.h"

namespace mlir::glow {

// BoundContractions.cpp
LogicalResult boundThis(MatMulOp op, BoundedGraph &graph);
LogicalResult boundThis(GemmOp op, BoundedGraph &graph);
LogicalResult boundThis(ConvOp op, BoundedGraph &graph);
LogicalResult boundThis(ConvTransposeOp op, BoundedGraph &graph);
LogicalResult boundThis(Col2ImOp op, BoundedGraph &graph);
LogicalResult boundThis(PoolOp op, BoundedGraph &graph);

// BoundReductions.cpp
LogicalResult boundThis(ReduceOp op, BoundedGraph &graph);
LogicalResult boundThis(SoftmaxOp op, BoundedGraph &graph);
LogicalResult boundThis(LayerNormOp op, BoundedGraph &graph);
LogicalResult boundThis(GroupNormOp op, BoundedGraph &graph);
LogicalResult boundThis(BatchNormOp op, BoundedGraph &graph);
LogicalResult boundThis(QuantizeOp op, BoundedGraph &graph);
LogicalResult boundThis(DequantizeOp op, BoundedGraph &graph);
LogicalResult boundThis(ArgReduceOp op, BoundedGraph &graph);
LogicalResult boundThis(ScanOp op, BoundedGraph &graph);
LogicalResult boundThis(TopKOp op, BoundedGraph &graph);
LogicalResult boundThis(RecurrentOp op, BoundedGraph &graph);

// BoundReshape.cpp
LogicalResult boundThis(ReshapeOp op, BoundedGraph &graph);
LogicalResult boundThis(SqueezeOp op, BoundedGraph &graph);
LogicalResult boundThis(UnsqueezeOp op, BoundedGraph &graph);
LogicalResult boundThis(FlattenOp op, BoundedGraph &graph);

// BoundMovement.cpp
LogicalResult boundThis(TransposeOp op, BoundedGraph &graph);
LogicalResult boundThis(ExpandOp op, BoundedGraph &graph);
LogicalResult boundThis(TileOp op, BoundedGraph &graph);
LogicalResult boundThis(SplatOp op, BoundedGraph &graph);
LogicalResult boundThis(RangeOp op, BoundedGraph &graph);
LogicalResult boundThis(TriluOp op, BoundedGraph &graph);
LogicalResult boundThis(ShapeOfOp op, BoundedGraph &graph);

// BoundResize.cpp
LogicalResult boundThis(ResizeOp op, BoundedGraph &graph);

// BoundJoins.cpp
LogicalResult boundThis(ConcatOp op, BoundedGraph &graph);
LogicalResult boundThis(PadOp op, BoundedGraph &graph);

// BoundSlices.cpp
LogicalResult boundThis(SliceOp op, BoundedGraph &graph);

// BoundIndexed.cpp
LogicalResult boundThis(GatherOp op, BoundedGraph &graph);
LogicalResult boundThis(GatherElementsOp op, BoundedGraph &graph);
LogicalResult boundThis(WalkTreesOp op, BoundedGraph &graph);
LogicalResult boundThis(GatherNDOp op, BoundedGraph &graph);
LogicalResult boundThis(ScatterElementsOp op, BoundedGraph &graph);
LogicalResult boundThis(ScatterNDOp op, BoundedGraph &graph);
LogicalResult boundThis(ReverseSequenceOp op, BoundedGraph &graph);
LogicalResult boundThis(OneHotOp op, BoundedGraph &graph);

// BoundSteps.cpp
LogicalResult boundThis(ForStepsOp op, BoundedGraph &graph);

// BoundData.cpp
LogicalResult boundThis(NonZeroOp op, BoundedGraph &graph);
LogicalResult boundThis(NonMaxSuppressionOp op, BoundedGraph &graph);

// BoundHost.cpp
LogicalResult boundThis(CallHostOp op, BoundedGraph &graph);
LogicalResult boundThis(RequireOp op, BoundedGraph &graph);

// BoundMerged.cpp
/// An element-wise op repeats its operands itself: where one of another
/// operand's shape has been expanded to that, the op reads what it was before.
void readUnexpanded(Operation *op, BoundedGraph &graph);
/// Bounds an op on rows that are merged axes by one on these axes. Nothing for
/// other ops.
std::optional<LogicalResult> boundOnSplitAxes(Operation *op,
                                              BoundedGraph &graph);

/// `value` with other axes of the same elements.
Value reshapeTo(GraphBuilder &b, BoundedGraph &graph, Value value,
                const BoundedDims &dims);

/// Makes a number of elements along an axis, if any is given, end where valid
/// ones do.
void stopAtExtent(Operation *op, MutableOperandRange count, BoundedGraph &graph,
                  const BoundedDim &dim);

/// The same for an op that has a `count`.
template <typename Op>
void stopAtExtent(Op op, BoundedGraph &graph, const BoundedDim &dim) {
  stopAtExtent(op, op.getCountMutable(), graph, dim);
}

/// The least or the greatest value of a type, as a scalar.
Value lowestOrHighest(GraphBuilder b, Type type, bool highest);

/// Elements `start`, `start + step` … along an axis, `count` of them: by index,
/// as the start is known at run time only. Places outside the tensor give its
/// first or last element.
Value gatherRange(GraphBuilder &b, BoundedGraph &graph, Value input,
                  int64_t axis, AffineExpr start, int64_t step, int64_t count);

/// Where the valid elements with these numbers stand along an axis; numbers of
/// others give some place of the axis.
Value placesOf(GraphBuilder &b, BoundedGraph &graph, Value numbers,
               const BoundedDim &dim);

/// Elements at places with these extents, behind which nothing matters.
Value gatherValid(GraphBuilder &b, BoundedGraph &graph, Value input,
                  Value places, const BoundedDims &dims, int64_t axis);

/// Moves valid elements together along an axis, or all, where they are not a
/// prefix.
Value makePrefix(GraphBuilder &b, BoundedGraph &graph, Value value,
                 int64_t axis);
Value makePrefixes(GraphBuilder &b, BoundedGraph &graph, Value value);

} // namespace mlir::glow

#endif // GLOW_LIB_DIALECT_GLOW_BOUNDS_RULES_H
