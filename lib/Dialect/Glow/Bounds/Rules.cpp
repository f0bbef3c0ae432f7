//===- Rules.cpp - attaches the rules for bounded dimensions to ops -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rules.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
template <typename Op>
struct Rule : BoundShapesOpInterface::ExternalModel<Rule<Op>, Op> {
  LogicalResult boundShapes(Operation *op, BoundedGraph &graph) const {
    return boundThis(cast<Op>(op), graph);
  }
};

template <typename... Ops> void attach(MLIRContext &context) {
  (Ops::template attachInterface<Rule<Ops>>(context), ...);
}
} // namespace

void glow::registerBoundShapesModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GlowDialect *) {
    attach<MatMulOp, GemmOp, ConvOp, ConvTransposeOp, Col2ImOp, PoolOp>(
        *context);
    attach<ReduceOp, SoftmaxOp, LayerNormOp, GroupNormOp, BatchNormOp,
           QuantizeOp, DequantizeOp, ArgReduceOp, ScanOp, TopKOp, RecurrentOp>(
        *context);
    attach<ReshapeOp, SqueezeOp, UnsqueezeOp, FlattenOp, TransposeOp, ExpandOp,
           TileOp, SplatOp, RangeOp, TriluOp, ShapeOfOp, ResizeOp>(*context);
    attach<ConcatOp, PadOp, SliceOp, GatherOp, GatherElementsOp, GatherNDOp,
           WalkTreesOp, ScatterElementsOp, ScatterNDOp, ReverseSequenceOp,
           OneHotOp, NonZeroOp, NonMaxSuppressionOp, CallHostOp, RequireOp,
           ForStepsOp>(*context);
  });
}
