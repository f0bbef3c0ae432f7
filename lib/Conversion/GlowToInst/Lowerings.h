//===- Lowerings.h - the lowering of every primitive op -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One overload per op; RegisterModels.cpp attaches them. Element-wise ops need
// none: the pass maps their scalar body.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_CONVERSION_GLOWTOINST_LOWERINGS_H
#define GLOW_LIB_CONVERSION_GLOWTOINST_LOWERINGS_H

#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"

namespace mlir::glow {

// LowerContractions.cpp
LogicalResult lower(MapOp op, InstLowering &lowering);
LogicalResult lower(MatMulOp op, InstLowering &lowering);
LogicalResult lower(ConvOp op, InstLowering &lowering);
LogicalResult lower(PoolOp op, InstLowering &lowering);
LogicalResult lower(PackOp op, InstLowering &lowering);

// LowerConvTranspose.cpp
LogicalResult lower(ConvTransposeOp op, InstLowering &lowering);

// LowerReductions.cpp
LogicalResult lower(ReduceOp op, InstLowering &lowering);
LogicalResult lower(ArgReduceOp op, InstLowering &lowering);
LogicalResult lower(CumSumOp op, InstLowering &lowering);
LogicalResult lower(TopKOp op, InstLowering &lowering);

// LowerMovement.cpp
LogicalResult lower(ReshapeOp op, InstLowering &lowering);
LogicalResult lower(SqueezeOp op, InstLowering &lowering);
LogicalResult lower(UnsqueezeOp op, InstLowering &lowering);
LogicalResult lower(FlattenOp op, InstLowering &lowering);
LogicalResult lower(TransposeOp op, InstLowering &lowering);
LogicalResult lower(SliceOp op, InstLowering &lowering);
LogicalResult lower(ConcatOp op, InstLowering &lowering);
LogicalResult lower(ExpandOp op, InstLowering &lowering);
LogicalResult lower(TileOp op, InstLowering &lowering);
LogicalResult lower(SplatOp op, InstLowering &lowering);
LogicalResult lower(ShapeOfOp op, InstLowering &lowering);

// LowerPadding.cpp
LogicalResult lower(PadOp op, InstLowering &lowering);

// LowerIndexing.cpp
LogicalResult lower(GatherOp op, InstLowering &lowering);
LogicalResult lower(GatherElementsOp op, InstLowering &lowering);
LogicalResult lower(GatherNDOp op, InstLowering &lowering);
LogicalResult lower(ScatterElementsOp op, InstLowering &lowering);
LogicalResult lower(ScatterNDOp op, InstLowering &lowering);
LogicalResult lower(OneHotOp op, InstLowering &lowering);
LogicalResult lower(TriluOp op, InstLowering &lowering);
LogicalResult lower(RangeOp op, InstLowering &lowering);
LogicalResult lower(NonZeroOp op, InstLowering &lowering);

// LowerResize.cpp
LogicalResult lower(ResizeOp op, InstLowering &lowering);

} // namespace mlir::glow

#endif // GLOW_LIB_CONVERSION_GLOWTOINST_LOWERINGS_H
