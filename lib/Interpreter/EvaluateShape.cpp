//===- EvaluateShape.cpp - ops that change shapes or take parts -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include "Movement.h"
#include <cstring>

using namespace mlir;
using namespace mlir::glow;

LogicalResult ConstantOp::evaluate(Inputs in, Outputs out) {
  FailureOr<Tensor> value = Tensor::fromAttribute(getLoc(), getValue());
  if (failed(value))
    return failure();
  out[0] = *value;
  return success();
}

LogicalResult RequireOp::evaluate(Inputs in, Outputs out) {
  int64_t violated;
  in.getViolated().read(0, 1, &violated);
  if (violated)
    return emitOpError(getMessage());
  out[0] = in.getInput();
  return success();
}

/// The input's elements in another shape, which must hold as many.
static LogicalResult reshape(Operation *op, const Tensor &input,
                             ArrayRef<int64_t> shape, Tensor &out) {
  if (numElements(shape) != input.size())
    return op->emitOpError("cannot turn shape [")
           << input.getShape() << "] into [" << shape << "]";
  out = input.withShape(shape);
  return success();
}

/// The shape that the operand of a reshape asks for; fails on a bad entry.
static FailureOr<Dims> requestedShape(ReshapeOp op, const Tensor &input,
                                      const Tensor &shape) {
  Dims dims(shape.ints());
  std::optional<size_t> inferred;
  int64_t others = 1;
  for (auto [i, extent] : llvm::enumerate(dims)) {
    if (extent == 0 && !op.getAllowZero() &&
        static_cast<int64_t>(i) < input.getRank())
      extent = input.getDim(i);
    if (extent == -1 && !inferred)
      inferred = i;
    else if (extent < 0 || mulOverflows(others, extent, others))
      return op.emitOpError("cannot give a tensor the shape [") << dims << "]";
  }
  if (inferred)
    dims[*inferred] = others ? input.size() / others : 0;
  return dims;
}

LogicalResult ReshapeOp::evaluate(Inputs in, Outputs out) {
  auto type = cast<RankedTensorType>(getType());
  if (type.hasStaticShape())
    return reshape(*this, in.getInput(), type.getShape(), out[0]);
  FailureOr<Dims> dims = requestedShape(*this, in.getInput(), in.getShape());
  if (failed(dims))
    return failure();
  return reshape(*this, in.getInput(), *dims, out[0]);
}

LogicalResult SqueezeOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  Dims dims;
  for (auto [i, extent] : llvm::enumerate(input.getShape()))
    if (!llvm::is_contained(getAxes(), static_cast<int64_t>(i)))
      dims.push_back(extent);
  return reshape(*this, input, dims, out[0]);
}

LogicalResult UnsqueezeOp::evaluate(Inputs in, Outputs out) {
  Dims dims(in.getInput().getShape());
  for (int64_t axis : getAxes())
    dims.insert(dims.begin() + axis, 1);
  return reshape(*this, in.getInput(), dims, out[0]);
}

LogicalResult FlattenOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  int64_t axis = getAxis();
  Dims dims(2, 1);
  for (auto [i, extent] : llvm::enumerate(input.getShape()))
    dims[static_cast<int64_t>(i) < axis ? 0 : 1] *= extent;
  return reshape(*this, input, dims, out[0]);
}

LogicalResult ShapeOfOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  int64_t length = getEnd() - getStart();
  if (failed(allocateResult(*this, {length}, out[0])))
    return failure();
  out[0].write(0, length, input.getShape().data() + getStart());
  return success();
}

LogicalResult TransposeOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  SmallVector<int64_t> own = rowMajorStrides(input.getShape()), strides;
  Dims dims;
  for (int64_t axis : getPermutation()) {
    dims.push_back(input.getDim(axis));
    strides.push_back(own[axis]);
  }
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  gatherStrided(input.bytes(), strides, dims, out[0].mutableBytes(),
                input.elementBytes());
  return success();
}

LogicalResult ConcatOp::evaluate(Inputs in, Outputs out) {
  ArrayRef<Tensor> inputs = in.getInputs();
  int64_t axis = getAxis();
  Dims dims(inputs.front().getShape());
  for (const Tensor &input : inputs.drop_front()) {
    dims[axis] += input.getDim(axis);
    for (int64_t i = 0; i < input.getRank(); ++i)
      if (i != axis && input.getDim(i) != dims[i])
        return emitOpError("inputs differ on axis ")
               << i << ": " << dims[i] << " and " << input.getDim(i);
  }
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  char *to = out[0].mutableBytes();
  int64_t outer = AxisView(dims, axis).outer;
  for (int64_t i = 0; i < outer; ++i)
    for (const Tensor &input : inputs) {
      size_t part = input.sizeInBytes() / outer;
      std::memcpy(to, input.bytes() + i * part, part);
      to += part;
    }
  return success();
}

LogicalResult SliceOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  SmallVector<int64_t> starts = in.getStarts().ints(),
                       ends = in.getEnds().ints(), steps = in.getSteps().ints();
  ArrayRef<int64_t> axes = getAxes();
  if (starts.size() != axes.size() || ends.size() != axes.size() ||
      steps.size() != axes.size() || llvm::is_contained(steps, 0))
    return emitOpError("needs a start, an end and a step other than 0 for "
                       "each of ")
           << axes.size() << " axes";
  Dims dims(input.getShape());
  SmallVector<int64_t> strides = rowMajorStrides(dims);
  int64_t offset = 0;
  for (auto [i, axis] : llvm::enumerate(axes)) {
    SliceRange range = sliceRange(dims[axis], starts[i], ends[i], steps[i]);
    dims[axis] = range.size;
    offset += range.size ? range.start * strides[axis] : 0;
    // The step of a single element may be anything, so that it overflows.
    strides[axis] = range.size > 1 ? strides[axis] * range.step : 0;
  }
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  if (out[0].size())
    gatherStrided(input.bytes() + offset * input.elementBytes(), strides, dims,
                  out[0].mutableBytes(), input.elementBytes());
  return success();
}

LogicalResult ExpandOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  auto type = cast<RankedTensorType>(getType());
  Dims shape = type.hasStaticShape() ? Dims(type.getShape())
                                     : Dims(in.getShape().ints());
  FailureOr<Dims> dims = broadcast(getLoc(), input.getShape(), shape);
  if (failed(dims) || failed(allocateResult(*this, *dims, out[0])))
    return failure();
  size_t missing = dims->size() - input.getRank();
  SmallVector<int64_t> own = rowMajorStrides(input.getShape()), strides;
  for (size_t i = 0; i < dims->size(); ++i)
    strides.push_back(
        i < missing || input.getDim(i - missing) == 1 ? 0 : own[i - missing]);
  gatherStrided(input.bytes(), strides, *dims, out[0].mutableBytes(),
                input.elementBytes());
  return success();
}

LogicalResult TileOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  SmallVector<int64_t> repeats = in.getRepeats().ints();
  if (static_cast<int64_t>(repeats.size()) != input.getRank())
    return emitOpError("needs ")
           << input.getRank() << " repeats, not " << repeats.size();
  Dims dims(input.getShape());
  for (auto [extent, repeat] : llvm::zip(dims, repeats))
    if (repeat < 0 || mulOverflows(extent, repeat, extent))
      return emitOpError("cannot repeat ") << repeat << " times";
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  SmallVector<AxisPlaces> places(dims.size());
  for (auto [i, extent] : llvm::enumerate(dims))
    for (int64_t place = 0; place < extent; ++place)
      places[i].push_back(place % input.getDim(i));
  gatherByAxes(input, places, /*fill=*/nullptr, out[0]);
  return success();
}
