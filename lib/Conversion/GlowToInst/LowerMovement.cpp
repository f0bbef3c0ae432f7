//===- LowerMovement.cpp - views, and copies between strided views --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ops that keep the order of elements bind their result to a view. All others
// are copies; `glow-inst-eliminate-copies` later removes those that need no
// memory of their own.
//
//===----------------------------------------------------------------------===//
#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"

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

LogicalResult ReshapeOp::lower(InstLowering &lowering) {
  return lowerAsView(getInput(), getResult(), lowering);
}
LogicalResult SqueezeOp::lower(InstLowering &lowering) {
  return lowerAsView(getInput(), getResult(), lowering);
}
LogicalResult UnsqueezeOp::lower(InstLowering &lowering) {
  return lowerAsView(getInput(), getResult(), lowering);
}
LogicalResult FlattenOp::lower(InstLowering &lowering) {
  return lowerAsView(getInput(), getResult(), lowering);
}

LogicalResult TransposeOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  lowering.copy(lowering.transpose(input, getPermutation()),
                lowering.allocate(getResult()));
  return success();
}

LogicalResult SliceOp::lower(InstLowering &lowering) {
  auto starts = constantInts(getStarts()), ends = constantInts(getEnds());
  auto steps = constantInts(getSteps());
  if (!starts || !ends || !steps)
    return emitOpError("has a range that is not constant, which has no "
                       "lowering to instructions");
  Value input = lowering.buffer(getInput());
  Value output = lowering.allocate(getResult());
  if (cast<MemRefType>(output.getType()).getNumElements() == 0)
    return success();
  for (auto [i, axis] : llvm::enumerate(getAxes())) {
    SliceRange range =
        sliceRange(shapeOf(input)[axis], (*starts)[i], (*ends)[i], (*steps)[i]);
    input = lowering.slice(input, axis, range.start, range.size, range.step);
  }
  lowering.copy(input, output);
  return success();
}

LogicalResult ConcatOp::lower(InstLowering &lowering) {
  Value output = lowering.allocate(getResult());
  int64_t axis = getAxis(), start = 0;
  for (Value tensor : getInputs()) {
    Value input = lowering.buffer(tensor);
    int64_t size = shapeOf(input)[axis];
    if (cast<MemRefType>(input.getType()).getNumElements() != 0)
      lowering.copy(input, lowering.slice(output, axis, start, size));
    start += size;
  }
  return success();
}

LogicalResult ExpandOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  Value output = lowering.allocate(getResult());
  lowering.copy(lowering.broadcast(input, shapeOf(output)), output);
  return success();
}

/// Both sides get an axis for the repeats before every axis of the input; the
/// source does not move along it.
LogicalResult TileOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  Value output = lowering.allocate(getResult());
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

LogicalResult SplatOp::lower(InstLowering &lowering) {
  Value output = lowering.allocate(getResult());
  lowering.copy(
      lowering.broadcast(lowering.buffer(getValue()), shapeOf(output)), output);
  return success();
}

LogicalResult ShapeOfOp::lower(InstLowering &lowering) {
  auto extents = shapeOf(getInput()).slice(getStart(), getEnd() - getStart());
  lowering.bind(getResult(), lowering.constantInts(extents));
  return success();
}
