//===- DecomposeQuantize.cpp - quantisation as arithmetic and casts -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"

using namespace mlir;
using namespace mlir::glow;

/// Scale and zero point must be per tensor, per axis or broadcast to the input.
static LogicalResult checkGranularity(Operation *op, int64_t axis,
                                      ValueRange parameters) {
  auto dims = dimsOf(op->getOperand(0));
  bool perAxis = llvm::any_of(parameters, [&](Value parameter) {
    return dimsOf(parameter).size() == 1 && dims.size() > 1;
  });
  if (perAxis && failed(checkAxis(op->getLoc(), axis, dims.size())))
    return failure();
  auto fits = [&](ArrayRef<int64_t> own) {
    if (own.size() == 1 && dims.size() > 1)
      return own[0] == 1 || own[0] == dims[axis];
    return own.size() == dims.size() &&
           llvm::all_of(llvm::zip(own, dims), [](auto pair) {
             return std::get<0>(pair) == 1 ||
                    std::get<0>(pair) == std::get<1>(pair);
           });
  };
  for (Value parameter : parameters)
    if (!dimsOf(parameter).empty() && !fits(dimsOf(parameter)))
      return op->emitOpError("with parameters of type ")
             << parameter.getType()
             << " needs one number, one for each place along axis " << axis
             << ", or so many that they are broadcast to the input; split the "
                "axis of blocks";
  return success();
}

/// Casts to the nearest value of the type instead of overflowing. Casts to
/// integers of a byte and more do that by themselves.
static Value castSaturating(GraphBuilder &b, Value value, Type to) {
  double least, largest;
  unsigned width = to.getIntOrFloatBitWidth();
  if (auto floatType = dyn_cast<FloatType>(to)) {
    largest =
        APFloat::getLargest(floatType.getFloatSemantics()).convertToDouble();
    least = -largest;
  } else if (width < 8) {
    bool isUnsigned = to.isUnsignedInteger();
    largest = std::ldexp(1.0, isUnsigned ? width : width - 1) - 1;
    least = isUnsigned ? 0 : -largest - 1;
  } else {
    return b.castTo(value, to);
  }
  Type type = elementType(value);
  value =
      b.create<ClampOp>(value, b.scalar(least, type), b.scalar(largest, type));
  return b.castTo(value, to);
}

FailureOr<SmallVector<Value>> QuantizeOp::decompose(OpBuilder &builder) {
  if (failed(checkGranularity(*this, getAxis(), {getScale(), getZeroPoint()})))
    return failure();
  GraphBuilder b(builder, getLoc());
  int64_t rank = dimsOf(getInput()).size(), axis = getAxis();
  // Every integer up to 16 bits is exact in f32, but not in f16.
  Type type = b.accumulatorType(elementType(getScale()));
  Type to = elementType(getZeroPoint());
  Value scale = b.alongAxis(b.castTo(getScale(), type), axis, rank);
  Value zero = b.alongAxis(b.castTo(getZeroPoint(), type), axis, rank);
  Value scaled = b.create<DivOp>(b.castTo(getInput(), type), scale);
  if (!isa<FloatType>(to))
    scaled = b.create<RoundOp>(scaled);
  return SmallVector<Value>{castSaturating(b, b.add(scaled, zero), to)};
}

FailureOr<SmallVector<Value>> DequantizeOp::decompose(OpBuilder &builder) {
  Value zero = getZeroPoint();
  if (failed(checkGranularity(*this, getAxis(), getScale())) ||
      (zero && failed(checkGranularity(*this, getAxis(), zero))))
    return failure();
  GraphBuilder b(builder, getLoc());
  int64_t rank = dimsOf(getInput()).size(), axis = getAxis();
  Type own = elementType(getScale());
  Type type = b.accumulatorType(own);
  Value result = b.castTo(getInput(), type);
  if (zero)
    result = b.sub(result, b.alongAxis(b.castTo(zero, type), axis, rank));
  result = b.mul(result, b.alongAxis(b.castTo(getScale(), type), axis, rank));
  return SmallVector<Value>{b.castTo(result, own)};
}
