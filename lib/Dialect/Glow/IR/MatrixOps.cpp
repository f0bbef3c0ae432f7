//===- MatrixOps.cpp - matrices in other forms ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Support/Weight24.h"

using namespace mlir;
using namespace mlir::glow;

LogicalResult PackOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                 TypeList &types) {
  Dims dims(dimsOf(adaptor.getInput()));
  int64_t width = adaptor.getWidth(), group = adaptor.getGroup(), row;
  if (dims.size() < 2 || width < 1 || group < 1 ||
      mulOverflows(width, group, row))
    return emitOptionalError(location, "needs a matrix, and a positive width "
                                       "and group");
  int64_t depth = dims[dims.size() - 2], columns = dims.back();
  dims.pop_back_n(2);
  dims.append(
      {ShapedType::isDynamic(columns) ? columns : (columns + width - 1) / width,
       ShapedType::isDynamic(depth) ? depth : (depth + group - 1) / group,
       row});
  types.push_back(RankedTensorType::get(dims, elementType(adaptor.getInput())));
  return success();
}

LogicalResult NarrowWeightsOp::inferTypes(MaybeLocation location,
                                          Adaptor adaptor, TypeList &types) {
  auto type = cast<RankedTensorType>(adaptor.getInput().getType());
  if (type.getRank() != 2 || !type.getElementType().isF32())
    return emitOptionalError(location, "takes a matrix of f32, not ", type);
  types.push_back(type.clone(Weight24::type(type.getContext())));
  types.push_back(type.clone(type.getShape().take_back()));
  return success();
}

LogicalResult Bf16PiecesOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                       TypeList &types) {
  Dims dims(dimsOf(adaptor.getInput()));
  int64_t axis = adaptor.getAxis(), pieces = adaptor.getPieces(),
          multiple = adaptor.getMultiple();
  if (failed(checkAxis(location, axis, dims.size())))
    return failure();
  if (!elementType(adaptor.getInput()).isF32() || pieces < 2 || pieces > 3 ||
      multiple < 1)
    return emitOptionalError(location, "takes f32 into 2 or 3 pieces, filled "
                                       "up to a positive multiple");
  if (!ShapedType::isDynamic(dims[axis]))
    dims[axis] = pieces * llvm::alignTo(dims[axis], multiple);
  types.push_back(RankedTensorType::get(
      dims, BFloat16Type::get(elementType(adaptor.getInput()).getContext())));
  return success();
}

LogicalResult GemmOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                 TypeList &types) {
  ArrayRef<int64_t> a = dimsOf(adaptor.getA()), b = dimsOf(adaptor.getB());
  if (a.size() != 2 || b.size() != 2)
    return emitOptionalError(location, "A and B must be matrices");
  int64_t depthA = a[adaptor.getTransA() ? 0 : 1];
  int64_t depthB = b[adaptor.getTransB() ? 1 : 0];
  if (depthA != depthB && !ShapedType::isDynamic(depthA) &&
      !ShapedType::isDynamic(depthB))
    return emitOptionalError(location, "A' has ", depthA, " columns, B' ",
                             depthB, " rows");
  Dims dims{a[adaptor.getTransA() ? 1 : 0], b[adaptor.getTransB() ? 0 : 1]};
  if (adaptor.getC()) {
    FailureOr<Dims> sum = broadcast(location, dims, dimsOf(adaptor.getC()));
    if (failed(sum))
      return failure();
    auto product = RankedTensorType::get(dims, elementType(adaptor.getA()));
    if (!areCompatible({product.clone(*sum)}, {product}))
      return emitOptionalError(location, "C, ", adaptor.getC().getType(),
                               ", does not broadcast to the product, ",
                               product);
  }
  types.push_back(RankedTensorType::get(dims, elementType(adaptor.getA())));
  return success();
}
