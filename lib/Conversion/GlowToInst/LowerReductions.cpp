//===- LowerReductions.cpp - reductions, scans and sorting along axes -----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lowerings.h"

using namespace mlir;
using namespace mlir::glow;

static MemRefType typeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType());
}

/// The output of an instruction that drops `axes`, which the op may keep.
static Value dropAxes(InstLowering &lowering, Value output,
                      ArrayRef<int64_t> inputShape, ArrayRef<int64_t> axes) {
  SmallVector<int64_t> shape;
  for (auto [i, extent] : llvm::enumerate(inputShape))
    if (!llvm::is_contained(axes, static_cast<int64_t>(i)))
      shape.push_back(extent);
  return lowering.reshape(output, shape);
}

/// Divides the sums in place by the number of summands.
static void divide(InstLowering &lowering, Value sums, double count) {
  Type element = typeOf(sums).getElementType();
  ScalarBuilder scalars(lowering.builder, lowering.loc, element, element);
  lowering.map(sums, sums, [&](ValueRange args) {
    if (isa<FloatType>(element))
      return scalars.mul(args[0], scalars.constant(args[0], 1.0 / count));
    return scalars.div(args[0], scalars.constant(args[0], count));
  });
}

/// What the reduction of no elements gives.
static TypedAttr neutralElement(ReduceOp op, OpBuilder &builder) {
  Type element = elementType(op.getResult());
  Type type = ScalarBuilder::signless(element);
  bool isMax = op.getKind() == ReduceKind::Max;
  bool isExtreme = isMax || op.getKind() == ReduceKind::Min;
  if (auto floats = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floats.getFloatSemantics();
    if (isExtreme)
      return builder.getFloatAttr(type, APFloat::getInf(semantics, isMax));
    if (op.getKind() == ReduceKind::Mean)
      return builder.getFloatAttr(type, APFloat::getNaN(semantics));
    return builder.getFloatAttr(type, op.getKind() == ReduceKind::Prod ? 1 : 0);
  }
  unsigned width = type.getIntOrFloatBitWidth();
  bool isUnsigned = element.isUnsignedInteger() || element.isInteger(1);
  if (isMax)
    return builder.getIntegerAttr(type, isUnsigned
                                            ? APInt::getMinValue(width)
                                            : APInt::getSignedMinValue(width));
  if (isExtreme)
    return builder.getIntegerAttr(type, isUnsigned
                                            ? APInt::getMaxValue(width)
                                            : APInt::getSignedMaxValue(width));
  return builder.getIntegerAttr(type, op.getKind() == ReduceKind::Prod ? 1 : 0);
}

LogicalResult glow::lower(ReduceOp op, InstLowering &lowering) {
  Value input = lowering.buffer(op.getInput());
  if (op.getAxes().empty()) {
    lowering.copy(input, lowering.allocate(op.getResult()));
    return success();
  }
  ArrayRef<int64_t> shape = typeOf(input).getShape();
  if (typeOf(input).getNumElements() == 0) {
    inst::FillOp::create(lowering.builder, op.getLoc(),
                         lowering.allocate(op.getResult()),
                         neutralElement(op, lowering.builder));
    return success();
  }
  Value output = dropAxes(lowering, lowering.allocate(op.getResult()), shape,
                          op.getAxes());
  bool isMean = op.getKind() == ReduceKind::Mean;
  inst::ReduceOp::create(lowering.builder, op.getLoc(),
                         isMean ? ReduceKind::Sum : op.getKind(), input, output,
                         op.getAxes());
  if (isMean) {
    double count = 1;
    for (int64_t axis : op.getAxes())
      count *= static_cast<double>(shape[axis]);
    divide(lowering, output, count);
  }
  return success();
}

LogicalResult glow::lower(ArgReduceOp op, InstLowering &lowering) {
  Value input = lowering.buffer(op.getInput());
  int64_t axis = op.getAxis();
  Value output = dropAxes(lowering, lowering.allocate(op.getResult()),
                          typeOf(input).getShape(), axis);
  inst::ArgReduceOp::create(lowering.builder, op.getLoc(), op.getKind(), input,
                            output, axis, op.getSelectLast());
  return success();
}

LogicalResult glow::lower(CumSumOp op, InstLowering &lowering) {
  Value input = lowering.buffer(op.getInput());
  inst::CumSumOp::create(lowering.builder, op.getLoc(), input,
                         lowering.allocate(op.getResult()), op.getAxis(),
                         op.getExclusive(), op.getReverse());
  return success();
}

LogicalResult glow::lower(TopKOp op, InstLowering &lowering) {
  Value input = lowering.buffer(op.getInput());
  Value values = lowering.allocate(op.getValues());
  Value indices = lowering.allocate(op.getIndices());
  inst::TopKOp::create(lowering.builder, op.getLoc(), input, values, indices,
                       op.getAxis(), op.getLargest());
  return success();
}
