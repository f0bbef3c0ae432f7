//===- LowerReductions.cpp - reductions, scans and sorting along axes -----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"

using namespace mlir;
using namespace mlir::glow;

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
  Type element = inst::typeOf(sums).getElementType();
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

LogicalResult ReduceOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  if (getAxes().empty()) {
    lowering.copy(input, lowering.allocate(getResult()));
    return success();
  }
  ArrayRef<int64_t> shape = inst::typeOf(input).getShape();
  if (inst::typeOf(input).getNumElements() == 0) {
    inst::FillOp::create(lowering.builder, getLoc(),
                         lowering.allocate(getResult()),
                         neutralElement(*this, lowering.builder));
    return success();
  }
  Value output =
      dropAxes(lowering, lowering.allocate(getResult()), shape, getAxes());
  bool isMean = getKind() == ReduceKind::Mean;
  inst::ReduceOp::create(lowering.builder, getLoc(),
                         isMean ? ReduceKind::Sum : getKind(), input, output,
                         getAxes());
  if (isMean) {
    double count = 1;
    for (int64_t axis : getAxes())
      count *= static_cast<double>(shape[axis]);
    divide(lowering, output, count);
  }
  return success();
}

LogicalResult ArgReduceOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  int64_t axis = getAxis();
  Value output = dropAxes(lowering, lowering.allocate(getResult()),
                          inst::typeOf(input).getShape(), axis);
  inst::ArgReduceOp::create(lowering.builder, getLoc(), getKind(), input,
                            output, lowering.bufferOrNone(getCount()), axis,
                            getSelectLast());
  return success();
}

LogicalResult ScanOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  inst::ScanOp::create(lowering.builder, getLoc(), getKind(), input,
                       lowering.allocate(getResult()),
                       lowering.bufferOrNone(getCount()), getAxis(),
                       getExclusive(), getReverse());
  return success();
}

LogicalResult TopKOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  Value values = lowering.allocate(getValues());
  Value indices = lowering.allocate(getIndices());
  inst::TopKOp::create(lowering.builder, getLoc(), input, values, indices,
                       lowering.bufferOrNone(getCount()), getAxis(),
                       getLargest());
  return success();
}
