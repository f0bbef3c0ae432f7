//===- RegisterModels.cpp - which ops lower to instructions ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line per op. An op that is missing here must be element-wise or
// composite.
//
//===----------------------------------------------------------------------===//
#include "Lowerings.h"
#include "mlir/IR/DialectRegistry.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
template <typename Op>
struct Lowers : LowerToInstOpInterface::ExternalModel<Lowers<Op>, Op> {
  LogicalResult lowerToInst(Operation *op, InstLowering &lowering) const {
    return lower(cast<Op>(op), lowering);
  }
};
} // namespace

template <typename... Ops> static void attach(MLIRContext *context) {
  (Ops::template attachInterface<Lowers<Ops>>(*context), ...);
}

void glow::registerGlowToInstModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GlowDialect *) {
    attach<
        // Contractions, windows and clusters
        ConvOp, ConvTransposeOp, MapOp, MatMulOp, PackOp, PoolOp,
        // Along axes
        ArgReduceOp, CumSumOp, ReduceOp, TopKOp,
        // Movement of elements
        ConcatOp, ExpandOp, FlattenOp, PadOp, ReshapeOp, ResizeOp, ShapeOfOp,
        SliceOp, SplatOp, SqueezeOp, TileOp, TransposeOp, UnsqueezeOp,
        // By index
        GatherElementsOp, GatherNDOp, GatherOp, NonZeroOp, OneHotOp, RangeOp,
        ScatterElementsOp, ScatterNDOp, TriluOp>(context);
  });
}
