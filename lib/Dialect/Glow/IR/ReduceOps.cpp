//===- ReduceOps.cpp - reductions and scans along axes ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::glow;

#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowReduceOps.cpp.inc"

void GlowDialect::registerReduceOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowReduceOps.cpp.inc"
      >();
}

/// The shape without `axes`, or with extent 1 there.
static Dims reducedDims(ArrayRef<int64_t> dims, ArrayRef<int64_t> axes,
                        bool keep) {
  Dims result;
  for (auto [i, dim] : llvm::enumerate(dims)) {
    if (!llvm::is_contained(axes, static_cast<int64_t>(i)))
      result.push_back(dim);
    else if (keep)
      result.push_back(1);
  }
  return result;
}

LogicalResult ReduceOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                   TypeList &types) {
  ArrayRef<int64_t> dims = dimsOf(adaptor.getInput());
  if (failed(checkAxes(location, adaptor.getAxes(), dims.size())))
    return failure();
  types.push_back(RankedTensorType::get(
      reducedDims(dims, adaptor.getAxes(), adaptor.getKeepDims()),
      elementType(adaptor.getInput())));
  return success();
}

LogicalResult ArgReduceOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                      TypeList &types) {
  ArrayRef<int64_t> dims = dimsOf(adaptor.getInput());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(location, axis, dims.size())))
    return failure();
  types.push_back(RankedTensorType::get(
      reducedDims(dims, axis, adaptor.getKeepDims()),
      IntegerType::get(adaptor.getInput().getContext(), 64)));
  return success();
}

LogicalResult ArgReduceOp::verify() {
  if (getKind() != ReduceKind::Max && getKind() != ReduceKind::Min)
    return emitOpError("kind must be max or min");
  if (dimsOf(getInput())[getAxis()] == 0)
    return emitOpError("has nothing to choose from along axis ") << getAxis();
  return success();
}

LogicalResult ScanOp::verify() {
  if (getKind() != ReduceKind::Sum && getKind() != ReduceKind::Prod)
    return emitOpError("kind must be sum or prod");
  return checkAxis(getLoc(), getAxis(), dimsOf(getInput()).size());
}

LogicalResult TopKOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                 TypeList &types) {
  Dims dims(dimsOf(adaptor.getInput()));
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(location, axis, dims.size())))
    return failure();
  int64_t &extent = dims[axis];
  auto k = constantInts(adaptor.getK());
  if (k && k->size() == 1) {
    if (k->front() < 0 ||
        (!ShapedType::isDynamic(extent) && k->front() > extent))
      return emitOptionalError(location, "k = ", k->front(),
                               " is not within 0 and the axis's extent ",
                               extent);
    extent = k->front();
  } else {
    extent = ShapedType::kDynamic;
  }
  types.push_back(RankedTensorType::get(dims, elementType(adaptor.getInput())));
  types.push_back(RankedTensorType::get(
      dims, IntegerType::get(adaptor.getInput().getContext(), 64)));
  return success();
}

LogicalResult TopKOp::verify() {
  ArrayRef<int64_t> k = dimsOf(getK());
  if (k[0] != 1 && !ShapedType::isDynamic(k[0]))
    return emitOpError("k must have one element, not ") << k[0];
  return success();
}
