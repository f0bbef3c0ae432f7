//===- LowerMovement.cpp - views, and copies between strided views --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that keep the order of elements bind their result to a view. All others
// are copies; `glow-inst-eliminate-copies` later removes those that need no
// memory of their own.
//
//===----------------------------------------------------------------------===//
#include "Lowerings.h"

using namespace mlir;
using namespace mlir::glow;

static ArrayRef<int64_t> shapeOf(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

/// The same elements in the result's shape.
static LogicalResult lowerAsView(Value input, Value result,
                                 InstLowering &lowering) {
  lowering.bind(result,
                lowering.reshape(lowering.buffer(input), shapeOf(result)));
  return success();
}

LogicalResult glow::lower(ReshapeOp op, InstLowering &lowering) {
  return lowerAsView(op.getInput(), op.getResult(), lowering);
}
LogicalResult glow::lower(SqueezeOp op, InstLowering &lowering) {
  return lowerAsView(op.getInput(), op.getResult(), lowering);
}
LogicalResult glow::lower(UnsqueezeOp op, InstLowering &lowering) {
  return lowerAsView(op.getInput(), op.getResult(), lowering);
}
LogicalResult glow::lower(FlattenOp op, InstLowering &lowering) {
  return lowerAsView(op.getInput(), op.getResult(), lowering);
}

LogicalResult glow::lower(TransposeOp op, InstLowering &lowering) {
  Value input = lowering.buffer(op.getInput());
  lowering.copy(lowering.transpose(input, op.getPermutation()),
                lowering.allocate(op.getResult()));
  return success();
}

LogicalResult glow::lower(SliceOp op, InstLowering &lowering) {
  auto starts = constantInts(op.getStarts()), ends = constantInts(op.getEnds());
  auto steps = constantInts(op.getSteps());
  if (!starts || !ends || !steps)
    return op.emitOpError("has a range that is not constant, which has no "
                          "lowering to instructions");
  Value input = lowering.buffer(op.getInput());
  Value output = lowering.allocate(op.getResult());
  if (cast<MemRefType>(output.getType()).getNumElements() == 0)
    return success();
  for (auto [i, axis] : llvm::enumerate(op.getAxes())) {
    SliceRange range =
        sliceRange(shapeOf(input)[axis], (*starts)[i], (*ends)[i], (*steps)[i]);
    input = lowering.slice(input, axis, range.start, range.size, range.step);
  }
  lowering.copy(input, output);
  return success();
}

LogicalResult glow::lower(ConcatOp op, InstLowering &lowering) {
  Value output = lowering.allocate(op.getResult());
  int64_t axis = op.getAxis(), start = 0;
  for (Value tensor : op.getInputs()) {
    Value input = lowering.buffer(tensor);
    int64_t size = shapeOf(input)[axis];
    if (cast<MemRefType>(input.getType()).getNumElements() != 0)
      lowering.copy(input, lowering.slice(output, axis, start, size));
    start += size;
  }
  return success();
}

LogicalResult glow::lower(ExpandOp op, InstLowering &lowering) {
  Value input = lowering.buffer(op.getInput());
  Value output = lowering.allocate(op.getResult());
  lowering.copy(lowering.broadcast(input, shapeOf(output)), output);
  return success();
}

/// Both sides get an axis for the repeats before every axis of the input; the
/// source does not move along it.
LogicalResult glow::lower(TileOp op, InstLowering &lowering) {
  Value input = lowering.buffer(op.getInput());
  Value output = lowering.allocate(op.getResult());
  inst::StridedLayout layout = inst::layoutOf(input);
  SmallVector<int64_t> shape, strides;
  for (auto [in, out, stride] :
       llvm::zip(shapeOf(input), shapeOf(output), layout.strides)) {
    shape.append({in == 0 ? 0 : out / in, in});
    strides.append({0, stride});
  }
  lowering.copy(lowering.view(input, shape, strides, layout.offset),
                lowering.reshape(output, shape));
  return success();
}

LogicalResult glow::lower(SplatOp op, InstLowering &lowering) {
  Value output = lowering.allocate(op.getResult());
  lowering.copy(
      lowering.broadcast(lowering.buffer(op.getValue()), shapeOf(output)),
      output);
  return success();
}

LogicalResult glow::lower(ShapeOfOp op, InstLowering &lowering) {
  auto extents =
      shapeOf(op.getInput()).slice(op.getStart(), op.getEnd() - op.getStart());
  lowering.bind(op.getResult(), lowering.constantInts(extents));
  return success();
}
