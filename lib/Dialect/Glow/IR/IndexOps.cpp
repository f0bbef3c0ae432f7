//===- IndexOps.cpp - ops that address elements by index tensors ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace mlir::glow;

#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowIndexOps.cpp.inc"

void GlowDialect::registerIndexOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowIndexOps.cpp.inc"
      >();
}

LogicalResult GatherOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                   TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(location, axis, input.size())))
    return failure();
  Dims dims(input.take_front(axis));
  llvm::append_range(dims, dimsOf(adaptor.getIndices()));
  llvm::append_range(dims, input.drop_front(axis + 1));
  types.push_back(RankedTensorType::get(dims, elementType(adaptor.getInput())));
  return success();
}
LogicalResult GatherOp::verify() {
  if (failed(verifyIndexExtents(*this, getIndexExtents(),
                                dimsOf(getIndices()).size())))
    return failure();
  int64_t extent = dimsOf(getInput())[getAxis()];
  auto indices = constantInts(getIndices());
  if (!indices || ShapedType::isDynamic(extent))
    return success();
  for (int64_t index : *indices)
    if (index < -extent || index >= extent)
      return emitOpError("index ") << index << " is out of range for axis "
                                   << getAxis() << " of extent " << extent;
  return success();
}

/// Indices of single elements: of the input's rank, and on other axes than
/// `axis` within it, where the places of elements are their own.
template <typename Op> static LogicalResult verifyPlaces(Op op) {
  ArrayRef<int64_t> input = dimsOf(op.getInput()),
                    indices = dimsOf(op.getIndices());
  int64_t rank = input.size(), axis = op.getAxis();
  if (static_cast<int64_t>(indices.size()) != rank)
    return op.emitOpError("indices need the input's rank ") << rank;
  if (failed(checkAxis(op.getLoc(), axis, rank)))
    return failure();
  for (int64_t i = 0; i < rank; ++i)
    if (i != axis && !ShapedType::isDynamic(input[i]) &&
        !ShapedType::isDynamic(indices[i]) && indices[i] > input[i])
      return op.emitOpError("has indices for ")
             << indices[i] << " elements on axis " << i
             << ", where the input has " << input[i];
  return success();
}

LogicalResult GatherElementsOp::inferTypes(MaybeLocation location,
                                           Adaptor adaptor, TypeList &types) {
  types.push_back(RankedTensorType::get(dimsOf(adaptor.getIndices()),
                                        elementType(adaptor.getInput())));
  return success();
}
LogicalResult GatherElementsOp::verify() { return verifyPlaces(*this); }

LogicalResult WalkTreesOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                      TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput()),
                    roots = dimsOf(adaptor.getRoots());
  if (input.size() != 2 || roots.size() != 2)
    return emitOptionalError(location,
                             "needs rows of features, and of roots and steps");
  types.push_back(RankedTensorType::get({input[0], roots[0]},
                                        elementType(adaptor.getRoots())));
  return success();
}
LogicalResult WalkTreesOp::verify() {
  ArrayRef<int64_t> thresholds = dimsOf(getThresholds());
  if (elementType(getThresholds()) != elementType(getInput()))
    return emitOpError("thresholds need the features' type");
  if (thresholds.size() != 1 || thresholds[0] == 0 ||
      dimsOf(getInput())[1] == 0)
    return emitOpError("needs a feature, and a vector of thresholds");
  auto isTable = [](Value table, int64_t rows, int64_t columns) {
    return succeeded(verifyCompatibleShape(dimsOf(table), {rows, columns}));
  };
  if (!isTable(getLinks(), thresholds[0], 3) ||
      !isTable(getRoots(), ShapedType::kDynamic, 2))
    return emitOpError("needs three links per threshold, and two numbers per "
                       "tree, not ")
           << getLinks().getType() << " and " << getRoots().getType();
  return success();
}

LogicalResult GatherNDOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                     TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput());
  ArrayRef<int64_t> indices = dimsOf(adaptor.getIndices());
  int64_t batch = adaptor.getBatchDims();
  if (indices.empty() || ShapedType::isDynamic(indices.back()))
    return emitOptionalError(location,
                             "the last extent of the indices must be known");
  if (batch < 0 || batch >= static_cast<int64_t>(indices.size()))
    return emitOptionalError(location, "batch_dims ", batch,
                             " is not less than the rank of the indices, ",
                             indices.size());
  int64_t used = batch + indices.back();
  if (used > static_cast<int64_t>(input.size()))
    return emitOptionalError(location, "indices address ", used,
                             " axes of an input of rank ", input.size());
  if (indices.back() == 0)
    return emitOptionalError(location, "the last extent of the indices is 0, "
                                       "but each needs an axis");
  Dims dims(indices.drop_back());
  llvm::append_range(dims, input.drop_front(used));
  types.push_back(RankedTensorType::get(dims, elementType(adaptor.getInput())));
  return success();
}
LogicalResult GatherNDOp::verify() {
  ArrayRef<int64_t> input = dimsOf(getInput()), indices = dimsOf(getIndices());
  if (failed(verifyCompatibleShape(input.take_front(getBatchDims()),
                                   indices.take_front(getBatchDims()))))
    return emitOpError("the first ")
           << getBatchDims() << " axes of " << getInput().getType() << " and "
           << getIndices().getType() << " must agree";
  return success();
}

/// What is only moved can replace each other, but not be added.
template <typename Op> static LogicalResult verifyUpdates(Op op) {
  Type element = elementType(op.getInput());
  if (elementType(op.getUpdates()) != element)
    return op.emitOpError("updates must have the input's element type ")
           << element;
  if (isOnlyMoved(element) && op.getKind() != ScatterKind::None)
    return op.emitOpError("cannot combine elements of type ") << element;
  return success();
}

LogicalResult ScatterElementsOp::verify() {
  if (failed(verifyUpdates(*this)))
    return failure();
  if (failed(verifyPlaces(*this)))
    return failure();
  ArrayRef<int64_t> indices = dimsOf(getIndices()),
                    updates = dimsOf(getUpdates());
  if (failed(verifyCompatibleShape(indices, updates)))
    return emitOpError("needs an update for each index, but they have the "
                       "shapes ")
           << getUpdates().getType() << " and " << getIndices().getType();
  return success();
}

LogicalResult ScatterNDOp::verify() {
  if (failed(verifyUpdates(*this)))
    return failure();
  ArrayRef<int64_t> input = dimsOf(getInput()), indices = dimsOf(getIndices());
  if (indices.empty() || ShapedType::isDynamic(indices.back()) ||
      indices.back() < 1 || indices.back() > static_cast<int64_t>(input.size()))
    return emitOpError("the last extent of the indices must be known and 1 to ")
           << input.size();
  if (getCount() && indices.size() < 2)
    return emitOpError("a count needs an axis of places, not one tuple");
  Dims wanted(indices.drop_back());
  llvm::append_range(wanted, input.drop_front(indices.back()));
  auto type = RankedTensorType::get(wanted, elementType(getInput()));
  if (!areCompatible({type}, {getUpdates().getType()}))
    return emitOpError("updates must be ")
           << type << ", not " << getUpdates().getType();
  return success();
}

LogicalResult ReverseSequenceOp::verify() {
  ArrayRef<int64_t> dims = dimsOf(getInput());
  int64_t rank = dims.size(), time = getTimeAxis(), batch = getBatchAxis();
  if (failed(checkAxis(getLoc(), time, rank)) ||
      failed(checkAxis(getLoc(), batch, rank)))
    return failure();
  if (time == batch)
    return emitOpError("'time_axis' and 'batch_axis' are both ") << time;
  int64_t count = dimsOf(getLengths())[0], wanted = dims[batch];
  if (ShapedType::isStatic(count) && ShapedType::isStatic(wanted) &&
      count != wanted)
    return emitOpError("has ")
           << count << " lengths, but " << wanted << " sequences";
  return success();
}

LogicalResult OneHotOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                   TypeList &types) {
  Dims dims(dimsOf(adaptor.getIndices()));
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(location, axis, dims.size() + 1)))
    return failure();
  auto depth = constantInts(adaptor.getDepth());
  int64_t extent = ShapedType::kDynamic;
  if (depth && depth->size() == 1) {
    extent = depth->front();
    if (extent < 1)
      return emitOptionalError(location, "depth ", extent, " is not positive");
  }
  dims.insert(dims.begin() + axis, extent);
  types.push_back(
      RankedTensorType::get(dims, elementType(adaptor.getValues())));
  return success();
}
LogicalResult OneHotOp::verify() {
  int64_t count = dimsOf(getValues())[0];
  if (count != 2 && !ShapedType::isDynamic(count))
    return emitOpError("'values' must hold the two values off and on");
  return success();
}

LogicalResult NonZeroOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                    TypeList &types) {
  int64_t rank = dimsOf(adaptor.getInput()).size();
  types.push_back(RankedTensorType::get(
      {rank, ShapedType::kDynamic},
      IntegerType::get(adaptor.getInput().getContext(), 64)));
  return success();
}

LogicalResult NonMaxSuppressionOp::inferTypes(MaybeLocation location,
                                              Adaptor adaptor,
                                              TypeList &types) {
  Dims dims(dimsOf(adaptor.getScores()));
  if (dims.size() != 3)
    return emitOptionalError(location, "scores need 3 axes, not ", dims.size());
  Type i64 = IntegerType::get(adaptor.getScores().getContext(), 64);
  RankedTensorType counts =
      RankedTensorType::get(ArrayRef(dims).drop_back(), i64);
  if (auto limit = adaptor.getLimit())
    dims.back() = *limit;
  types.push_back(RankedTensorType::get(dims, i64));
  types.push_back(counts);
  return success();
}

LogicalResult NonMaxSuppressionOp::verify() {
  ArrayRef<int64_t> scores = dimsOf(getScores());
  auto wanted =
      RankedTensorType::get({scores[0], 4, scores[2]}, elementType(getBoxes()));
  if (!areCompatible({wanted}, {getBoxes().getType()}))
    return emitOpError("boxes are not 4 edges for each batch and place of the "
                       "scores");
  if (!dimsOf(getMost()).empty() || !dimsOf(getThreshold()).empty())
    return emitOpError("most and threshold must be scalars");
  if (getLimit().value_or(0) < 0)
    return emitOpError("limit is ") << *getLimit();
  return success();
}
