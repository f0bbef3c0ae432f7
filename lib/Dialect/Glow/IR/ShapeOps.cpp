//===- ShapeOps.cpp - ops that move elements or change shapes ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::glow;

#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowShapeOps.cpp.inc"

void GlowDialect::registerShapeOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowShapeOps.cpp.inc"
      >();
}

static RankedTensorType withDims(Value like, ArrayRef<int64_t> dims) {
  return RankedTensorType::get(dims, elementType(like));
}

/// The number of entries of a shape operand; its rank is 1.
static int64_t length(Value shape) { return dimsOf(shape)[0]; }

static LogicalResult checkShape(MaybeLocation location,
                                ArrayRef<int64_t> shape) {
  int64_t count = 1;
  for (int64_t extent : shape)
    if (!ShapedType::isDynamic(extent) &&
        (extent < 0 || mulOverflows(count, extent, count)))
      return emitOptionalError(location, "the shape has an extent of ", extent,
                               ", or more elements than can be addressed");
  return success();
}

static LogicalResult unknownRank(MaybeLocation location, Value shape) {
  return emitOptionalError(location,
                           "the rank of the result is not known: the "
                           "shape operand has type ",
                           shape.getType());
}

/// The extents that `shape` states, dynamic where they are not known.
static FailureOr<Dims> statedDims(MaybeLocation location, Value shape) {
  auto dims = partialInts(shape);
  if (!dims)
    return unknownRank(location, shape);
  if (failed(checkShape(location, *dims)))
    return failure();
  return Dims(*dims);
}

/// Puts the one extent that is still unknown in `dims` so that there are as
/// many elements as in `input`, if everything else is known.
static LogicalResult solveExtent(MaybeLocation location,
                                 ArrayRef<int64_t> input, Dims &dims) {
  std::optional<int64_t> count = numElements(input);
  int64_t *unknown = llvm::find_if(dims, ShapedType::isDynamic);
  if (!count || unknown == dims.end() ||
      std::any_of(unknown + 1, dims.end(), ShapedType::isDynamic))
    return success();
  int64_t others = 1;
  for (int64_t &extent : dims)
    if (&extent != unknown && mulOverflows(others, extent, others))
      return emitOptionalError(location, "the shape overflows");
  if (others == 0 ? *count != 0 : *count % others != 0)
    return emitOptionalError(location, *count, " elements do not divide by ",
                             others);
  *unknown = others == 0 ? 0 : *count / others;
  return success();
}

LogicalResult ReshapeOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                    TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput());
  auto shape = partialInts(adaptor.getShape());
  if (!shape)
    return unknownRank(location, adaptor.getShape());
  Dims dims(*shape);
  bool inferred = false;
  for (auto [i, extent] : llvm::enumerate(dims)) {
    if (ShapedType::isDynamic(extent))
      continue;
    if (extent == 0 && !adaptor.getAllowZero()) {
      if (i >= input.size())
        return emitOptionalError(location, "entry ", i,
                                 " of the shape copies an axis that the input "
                                 "does not have");
      extent = input[i];
    } else if (extent == -1 && !std::exchange(inferred, true)) {
      extent = ShapedType::kDynamic;
    } else if (extent < 0) {
      return emitOptionalError(location, "entry ", i, " of the shape is ",
                               extent, "; only one -1 is allowed");
    }
  }
  if (failed(solveExtent(location, input, dims)))
    return failure();
  types.push_back(withDims(adaptor.getInput(), dims));
  return success();
}

LogicalResult ReshapeOp::verify() {
  auto from = numElements(dimsOf(getInput())),
       to = numElements(dimsOf(getResult()));
  if (from && to && *from != *to)
    return emitOpError("cannot turn ") << *from << " elements into " << *to;
  return success();
}

LogicalResult SqueezeOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                    TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput());
  if (failed(checkAxes(location, adaptor.getAxes(), input.size())))
    return failure();
  Dims dims;
  for (auto [i, extent] : llvm::enumerate(input)) {
    if (!llvm::is_contained(adaptor.getAxes(), static_cast<int64_t>(i)))
      dims.push_back(extent);
    else if (extent != 1 && !ShapedType::isDynamic(extent))
      return emitOptionalError(location, "axis ", i, " has extent ", extent,
                               ", not 1");
  }
  types.push_back(withDims(adaptor.getInput(), dims));
  return success();
}

LogicalResult UnsqueezeOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                      TypeList &types) {
  Dims dims(dimsOf(adaptor.getInput()));
  ArrayRef<int64_t> axes = adaptor.getAxes();
  if (failed(checkAxes(location, axes, dims.size() + axes.size())))
    return failure();
  for (int64_t axis : axes)
    dims.insert(dims.begin() + axis, 1);
  types.push_back(withDims(adaptor.getInput(), dims));
  return success();
}

LogicalResult FlattenOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                    TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput());
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(location, axis, input.size() + 1)))
    return failure();
  auto product = [](ArrayRef<int64_t> dims) {
    return numElements(dims).value_or(ShapedType::kDynamic);
  };
  types.push_back(
      withDims(adaptor.getInput(), {product(input.take_front(axis)),
                                    product(input.drop_front(axis))}));
  return success();
}

static LogicalResult checkPermutation(MaybeLocation location,
                                      ArrayRef<int64_t> permutation,
                                      size_t rank) {
  SmallVector<bool> seen(rank, false);
  for (int64_t axis : permutation)
    if (axis < 0 || axis >= static_cast<int64_t>(rank) ||
        std::exchange(seen[axis], true))
      return emitOptionalError(location, "'permutation' must name each of the ",
                               rank, " axes once");
  if (permutation.size() != rank)
    return emitOptionalError(location, "'permutation' has ", permutation.size(),
                             " entries for ", rank, " axes");
  return success();
}

LogicalResult TransposeOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                      TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput());
  if (failed(
          checkPermutation(location, adaptor.getPermutation(), input.size())))
    return failure();
  Dims dims;
  for (int64_t axis : adaptor.getPermutation())
    dims.push_back(input[axis]);
  types.push_back(withDims(adaptor.getInput(), dims));
  return success();
}
LogicalResult ConcatOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                   TypeList &types) {
  ValueRange inputs = adaptor.getInputs();
  if (inputs.empty())
    return emitOptionalError(location, "needs at least one input");
  Dims dims(dimsOf(inputs.front()));
  int64_t axis = adaptor.getAxis();
  if (failed(checkAxis(location, axis, dims.size())))
    return failure();
  for (Value input : inputs.drop_front()) {
    ArrayRef<int64_t> next = dimsOf(input);
    if (next.size() != dims.size())
      return emitOptionalError(
          location, "inputs differ in rank: ", inputs.front().getType(),
          " and ", input.getType());
    for (auto [i, extent] : llvm::enumerate(next)) {
      bool unknown =
          ShapedType::isDynamic(extent) || ShapedType::isDynamic(dims[i]);
      if (static_cast<int64_t>(i) == axis) {
        if (unknown)
          dims[i] = ShapedType::kDynamic;
        else if (addOverflows(dims[i], extent, dims[i]))
          return emitOptionalError(location, "the concatenated axis overflows");
      } else if (!unknown && extent != dims[i]) {
        return emitOptionalError(location, "inputs differ on axis ", i, ": ",
                                 dims[i], " and ", extent);
      } else if (ShapedType::isDynamic(dims[i])) {
        dims[i] = extent;
      }
    }
  }
  types.push_back(withDims(inputs.front(), dims));
  return success();
}
LogicalResult ConcatOp::verify() {
  for (Value input : getInputs())
    if (elementType(input) != elementType(getResult()))
      return emitOpError("input ")
             << input.getType() << " does not have the element type of "
             << getResult().getType();
  return success();
}

LogicalResult SliceOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                  TypeList &types) {
  Dims dims(dimsOf(adaptor.getInput()));
  ArrayRef<int64_t> axes = adaptor.getAxes();
  auto starts = constantInts(adaptor.getStarts());
  auto ends = constantInts(adaptor.getEnds());
  auto steps = constantInts(adaptor.getSteps());
  for (auto [i, axis] : llvm::enumerate(axes)) {
    if (failed(checkAxis(location, axis, dims.size())))
      return failure();
    int64_t &extent = dims[axis];
    bool known = starts && ends && steps && starts->size() == axes.size() &&
                 ends->size() == axes.size() && steps->size() == axes.size();
    if (known && (*steps)[i] == 0)
      return emitOptionalError(location, "step along axis ", axis, " is 0");
    extent =
        known && !ShapedType::isDynamic(extent)
            ? sliceRange(extent, (*starts)[i], (*ends)[i], (*steps)[i]).size
            : ShapedType::kDynamic;
  }
  types.push_back(withDims(adaptor.getInput(), dims));
  return success();
}
LogicalResult SliceOp::verify() {
  int64_t count = getAxes().size();
  for (Value operand : {getStarts(), getEnds(), getSteps()})
    if (length(operand) != count && !ShapedType::isDynamic(length(operand)))
      return emitOpError("has ")
             << count << " axes but an operand of type " << operand.getType();
  SmallVector<int64_t> sorted(getAxes());
  llvm::sort(sorted);
  return checkAxes(getLoc(), sorted, dimsOf(getInput()).size());
}

LogicalResult PadOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                TypeList &types) {
  Dims dims(dimsOf(adaptor.getInput()));
  auto pads = constantInts(adaptor.getPads());
  if (pads && pads->size() != 2 * dims.size())
    return emitOptionalError(location, "'pads' has ", pads->size(),
                             " entries for ", dims.size(), " axes");
  for (auto [i, extent] : llvm::enumerate(dims)) {
    if (!pads || ShapedType::isDynamic(extent)) {
      extent = ShapedType::kDynamic;
      continue;
    }
    if (addOverflows(extent, (*pads)[i], extent) ||
        addOverflows(extent, (*pads)[dims.size() + i], extent) || extent < 0)
      return emitOptionalError(location, "pads of axis ", i,
                               " give an impossible extent");
  }
  types.push_back(withDims(adaptor.getInput(), dims));
  return success();
}
LogicalResult PadOp::verify() {
  if (getValue() && elementType(getValue()) != elementType(getInput()))
    return emitOpError("value ")
           << getValue().getType() << " does not match the input "
           << getInput().getType();
  if (getValue() && !dimsOf(getValue()).empty())
    return emitOpError("value must have rank 0, not ") << getValue().getType();
  return success();
}

LogicalResult ExpandOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                   TypeList &types) {
  FailureOr<Dims> dims = statedDims(location, adaptor.getShape());
  if (failed(dims))
    return failure();
  dims = broadcast(location, dimsOf(adaptor.getInput()), *dims);
  if (failed(dims))
    return failure();
  types.push_back(withDims(adaptor.getInput(), *dims));
  return success();
}

LogicalResult TileOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                 TypeList &types) {
  Dims dims(dimsOf(adaptor.getInput()));
  auto repeats = constantInts(adaptor.getRepeats());
  if (repeats && repeats->size() != dims.size())
    return emitOptionalError(location, "'repeats' has ", repeats->size(),
                             " entries for ", dims.size(), " axes");
  for (auto [i, extent] : llvm::enumerate(dims)) {
    if (!repeats || ShapedType::isDynamic(extent))
      extent = ShapedType::kDynamic;
    else if ((*repeats)[i] < 0 || mulOverflows(extent, (*repeats)[i], extent))
      return emitOptionalError(location, "repeat of axis ", i,
                               " is negative or overflows");
  }
  types.push_back(withDims(adaptor.getInput(), dims));
  return success();
}
LogicalResult ShapeOfOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                    TypeList &types) {
  int64_t rank = dimsOf(adaptor.getInput()).size();
  int64_t start = adaptor.getStart(), end = adaptor.getEnd();
  if (start < 0 || end < start || end > rank)
    return emitOptionalError(location, "axes ", start, " to ", end,
                             " are out of range for rank ", rank);
  types.push_back(RankedTensorType::get(
      {end - start}, IntegerType::get(adaptor.getInput().getContext(), 64)));
  return success();
}

LogicalResult SplatOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                  TypeList &types) {
  if (!dimsOf(adaptor.getValue()).empty())
    return emitOptionalError(location, "value must have rank 0");
  FailureOr<Dims> dims = statedDims(location, adaptor.getShape());
  if (failed(dims))
    return failure();
  types.push_back(withDims(adaptor.getValue(), *dims));
  return success();
}

/// The number in a constant of rank 0.
static std::optional<double> constantNumber(Value value) {
  if (auto integers = constantInts(value))
    return static_cast<double>(integers->front());
  DenseFPElementsAttr floats;
  if (!matchPattern(value, m_Constant(&floats)))
    return std::nullopt;
  APFloat number = *floats.value_begin<APFloat>();
  bool lossy;
  number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven, &lossy);
  return number.convertToDouble();
}

LogicalResult RangeOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                  TypeList &types) {
  int64_t extent = ShapedType::kDynamic;
  auto start = constantNumber(adaptor.getStart());
  auto limit = constantNumber(adaptor.getLimit());
  auto delta = constantNumber(adaptor.getDelta());
  if (start && limit && delta) {
    bool isFloat = isa<FloatType>(elementType(adaptor.getStart()));
    auto length = isFloat
                      ? rangeLength(*start, *limit, *delta)
                      : rangeLength(constantInts(adaptor.getStart())->front(),
                                    constantInts(adaptor.getLimit())->front(),
                                    constantInts(adaptor.getDelta())->front());
    if (!length)
      return emitOptionalError(location, "range from ", *start, " to ", *limit,
                               " by ", *delta,
                               " has no end or more than 2^40 elements");
    extent = *length;
  }
  types.push_back(withDims(adaptor.getStart(), {extent}));
  return success();
}

LogicalResult TriluOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                  TypeList &types) {
  if (dimsOf(adaptor.getInput()).size() < 2)
    return emitOptionalError(location, "needs matrices");
  types.push_back(adaptor.getInput().getType());
  return success();
}

LogicalResult ResizeOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                   TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput());
  FailureOr<Dims> sizes = statedDims(location, adaptor.getSizes());
  if (failed(sizes))
    return failure();
  if (sizes->size() != input.size())
    return emitOptionalError(location, "'sizes' has ", sizes->size(),
                             " entries for ", input.size(), " axes");
  types.push_back(withDims(adaptor.getInput(), *sizes));
  return success();
}
