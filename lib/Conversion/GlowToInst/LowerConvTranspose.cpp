//===- LowerConvTranspose.cpp - transposed convolution as convolution -----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input's elements are spread `stride` apart in a buffer of zeros with a
// border of one window less one, and convolved with the window turned around.
//
//===----------------------------------------------------------------------===//
#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"

using namespace mlir;
using namespace mlir::glow;

static ArrayRef<int64_t> shapeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getShape();
}

/// Zeros, with the input's elements `stride` apart; those that only reach
/// outputs which the pads cut off are left out.
static Value spread(ConvTransposeOp op, Value input, ArrayRef<int64_t> window,
                    InstLowering &lowering) {
  ArrayRef<int64_t> outputShape =
      cast<RankedTensorType>(op.getResult().getType()).getShape();
  SmallVector<int64_t> shape(shapeOf(input));
  int64_t rank = window.size();
  for (int64_t i = 0; i < rank; ++i)
    shape[2 + i] = outputShape[2 + i] + op.getDilations()[i] * (window[i] - 1);
  Type element = cast<MemRefType>(input.getType()).getElementType();
  Value buffer = lowering.scratch(shape, element);
  lowering.fill(buffer, 0.0);
  Value target = buffer;
  for (int64_t i = 0; i < rank; ++i) {
    int64_t stride = op.getStrides()[i], extent = shapeOf(input)[2 + i];
    int64_t first = op.getDilations()[i] * (window[i] - 1) - op.getPads()[i];
    // Input element j lands at first + j stride, inside [0, shape).
    int64_t low = first >= 0 ? 0 : (-first + stride - 1) / stride;
    int64_t high = (shape[2 + i] - 1 - first) / stride;
    int64_t size = std::max<int64_t>(0, std::min(extent - 1, high) - low + 1);
    input = lowering.slice(input, 2 + i, size ? low : 0, size);
    target = lowering.slice(target, 2 + i, size ? first + low * stride : 0,
                            size, stride);
  }
  lowering.copy(input, target);
  return buffer;
}

/// From C, O / group, window to O, C / group, window turned around.
static Value turnFilter(Value filter, int64_t group, InstLowering &lowering) {
  SmallVector<int64_t> shape(shapeOf(filter));
  Type element = cast<MemRefType>(filter.getType()).getElementType();
  int64_t rank = shape.size();
  shape[0] /= group;
  shape.insert(shape.begin(), group);
  Value source = lowering.reshape(filter, shape);
  SmallVector<int64_t> permutation{0, 2, 1};
  for (int64_t axis = 3; axis <= rank; ++axis) {
    permutation.push_back(axis);
    source = lowering.slice(source, axis, shape[axis] - 1, shape[axis], -1);
  }
  source = lowering.transpose(source, permutation);
  std::swap(shape[1], shape[2]);
  Value turned = lowering.scratch(shape, element);
  lowering.copy(source, turned);
  shape[1] *= group;
  shape.erase(shape.begin());
  return lowering.reshape(turned, shape);
}

LogicalResult ConvTransposeOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  Value filter = lowering.buffer(getFilter());
  SmallVector<int64_t> window(shapeOf(filter).drop_front(2));
  SmallVector<int64_t> ones(window.size(), 1), zeros(2 * window.size(), 0);
  Value wide = spread(*this, input, window, lowering);
  Value turned = turnFilter(filter, getGroup(), lowering);
  Value output = lowering.allocate(getResult());
  OpBuilder &builder = lowering.builder;
  SmallVector<Value> extra;
  if (getBias()) {
    SmallVector<int64_t> shape(ones);
    shape.insert(shape.begin(), shapeOf(output)[1]);
    extra.push_back(lowering.reshape(lowering.buffer(getBias()), shape));
  }
  auto conv = inst::ConvOp::create(builder, getLoc(), wide, turned, extra,
                                   output, window, ones, zeros, getDilations(),
                                   getGroup(), LayoutAttr(), IntegerAttr(),
                                   WinogradAttr(), IntegerAttr());
  if (extra.empty())
    return success();
  Type element = cast<MemRefType>(output.getType()).getElementType();
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&conv.getEpilogue(), {},
                                     {element, element}, {getLoc(), getLoc()});
  ScalarBuilder scalars(builder, getLoc(), element, element);
  YieldOp::create(builder, getLoc(),
                  scalars.add(block->getArgument(0), block->getArgument(1)));
  return success();
}
