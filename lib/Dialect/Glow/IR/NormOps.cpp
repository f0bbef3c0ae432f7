//===- NormOps.cpp - normalisation, softmax and quantisation ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::glow;

#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowNormOps.cpp.inc"

void GlowDialect::registerNormOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowNormOps.cpp.inc"
      >();
}

LogicalResult SoftmaxOp::verify() {
  return checkAxis(getLoc(), getAxis(), dimsOf(getInput()).size());
}

/// `parameter` has one axis, as long as the input's channels (axis 1).
static LogicalResult verifyPerChannel(Operation *op, Value input,
                                      StringRef name, Value parameter) {
  ArrayRef<int64_t> dims = dimsOf(input), own = dimsOf(parameter);
  if (dims.size() < 2)
    return op->emitOpError("input needs a batch and a channel axis, not ")
           << input.getType();
  if (own.size() == 1 && (own[0] == dims[1] || ShapedType::isDynamic(own[0]) ||
                          ShapedType::isDynamic(dims[1])))
    return success();
  return op->emitOpError() << name << " must have one element for each of the "
                           << dims[1] << " channels, not "
                           << parameter.getType();
}

LogicalResult BatchNormOp::verify() {
  if (failed(verifyPerChannel(*this, getInput(), "scale", getScale())) ||
      failed(verifyPerChannel(*this, getInput(), "bias", getBias())) ||
      failed(verifyPerChannel(*this, getInput(), "mean", getMean())))
    return failure();
  return verifyPerChannel(*this, getInput(), "variance", getVariance());
}

/// `parameter` broadcasts to the input and does not widen it.
static LogicalResult verifyBroadcasts(Operation *op, Value input,
                                      StringRef name, Value parameter) {
  ArrayRef<int64_t> dims = dimsOf(input), own = dimsOf(parameter);
  bool fits = own.size() <= dims.size();
  if (fits)
    for (auto [wanted, extent] :
         llvm::zip_equal(dims.take_back(own.size()), own))
      fits &= extent == 1 || extent == wanted ||
              ShapedType::isDynamic(extent) || ShapedType::isDynamic(wanted);
  if (fits)
    return success();
  return op->emitOpError() << name << " must broadcast to the input's "
                           << input.getType() << ", but it is "
                           << parameter.getType();
}

LogicalResult LayerNormOp::verify() {
  if (failed(verifyBroadcasts(*this, getInput(), "scale", getScale())) ||
      (getBias() &&
       failed(verifyBroadcasts(*this, getInput(), "bias", getBias()))))
    return failure();
  return checkAxis(getLoc(), getAxis(), dimsOf(getInput()).size());
}

LogicalResult GroupNormOp::verify() {
  if (failed(verifyPerChannel(*this, getInput(), "scale", getScale())) ||
      failed(verifyPerChannel(*this, getInput(), "bias", getBias())))
    return failure();
  int64_t channels = dimsOf(getInput())[1], groups = getGroups();
  if (groups < 1 || (!ShapedType::isDynamic(channels) && channels % groups))
    return emitOpError("'groups' = ")
           << groups << " does not divide " << channels << " channels";
  return success();
}

LogicalResult QuantizeOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                     TypeList &types) {
  types.push_back(RankedTensorType::get(dimsOf(adaptor.getInput()),
                                        elementType(adaptor.getZeroPoint())));
  return success();
}

LogicalResult DequantizeOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                       TypeList &types) {
  types.push_back(RankedTensorType::get(dimsOf(adaptor.getInput()),
                                        elementType(adaptor.getScale())));
  return success();
}
