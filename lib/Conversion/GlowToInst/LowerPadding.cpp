//===- LowerPadding.cpp - borders, or gathers of what they repeat ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"

using namespace mlir;
using namespace mlir::glow;

static ArrayRef<int64_t> shapeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getShape();
}

/// The border gets the value, the rest a copy of what remains of the input.
static void lowerConstantPad(PadOp op, ArrayRef<int64_t> pads,
                             InstLowering &lowering) {
  Value input = lowering.buffer(op.getInput());
  Value output = lowering.allocate(op.getResult());
  int64_t rank = shapeOf(input).size();
  SmallVector<int64_t> before, after;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t cropBefore = std::max<int64_t>(-pads[axis], 0);
    int64_t cropAfter = std::max<int64_t>(-pads[rank + axis], 0);
    int64_t size = shapeOf(input)[axis] - cropBefore - cropAfter;
    before.push_back(std::max<int64_t>(pads[axis], 0));
    after.push_back(std::max<int64_t>(pads[rank + axis], 0));
    if (size != shapeOf(input)[axis])
      input = lowering.slice(input, axis, cropBefore, size);
  }
  Value interior = lowering.border(output, before, after, [&](Value slab) {
    if (op.getValue())
      lowering.copy(
          lowering.broadcast(lowering.buffer(op.getValue()), shapeOf(slab)),
          slab);
    else
      lowering.fill(slab, 0.0);
  });
  lowering.copy(input, interior);
}

/// The place of the input that stands at `i`, counted from its first element.
static int64_t sourceIndex(PadMode mode, int64_t i, int64_t extent) {
  if (mode == PadMode::Edge)
    return std::clamp<int64_t>(i, 0, extent - 1);
  auto wrap = [](int64_t a, int64_t n) { return ((a % n) + n) % n; };
  if (mode == PadMode::Wrap)
    return wrap(i, extent);
  if (extent == 1)
    return 0;
  // Reflection without repeating the edge has the period 2 (extent - 1).
  int64_t period = 2 * (extent - 1), j = wrap(i, period);
  return j < extent ? j : period - j;
}

LogicalResult PadOp::lower(InstLowering &lowering) {
  auto pads = constantInts(getPads());
  if (!pads)
    return emitOpError("has pads that are not constant, which has no "
                       "lowering to instructions");
  if (getMode() == PadMode::Constant) {
    lowerConstantPad(*this, *pads, lowering);
    return success();
  }
  // One gather along every padded axis.
  Value current = lowering.buffer(getInput());
  ArrayRef<int64_t> input = shapeOf(current);
  int64_t rank = input.size();
  SmallVector<int64_t> axes, shape(input);
  for (int64_t axis = 0; axis < rank; ++axis)
    if ((*pads)[axis] != 0 || (*pads)[rank + axis] != 0)
      axes.push_back(axis);
  Value output = lowering.allocate(getResult());
  if (axes.empty())
    lowering.copy(current, output);
  Type element = cast<MemRefType>(output.getType()).getElementType();
  for (int64_t axis : axes) {
    if (input[axis] == 0)
      return emitOpError("cannot pad an empty axis by repeating elements");
    shape[axis] = shapeOf(output)[axis];
    SmallVector<int64_t> indices;
    for (int64_t i = 0; i < shape[axis]; ++i)
      indices.push_back(sourceIndex(getMode(), i - (*pads)[axis], input[axis]));
    Value next =
        axis == axes.back() ? output : lowering.scratch(shape, element);
    inst::GatherOp::create(lowering.builder, getLoc(), current,
                           lowering.constantInts(indices), next, axis);
    current = next;
  }
  return success();
}
