//===- EvaluateBody.cpp - element-wise ops from their scalar bodies -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include "LaneProgram.h"
#include "mlir/IR/Threading.h"

using namespace mlir;
using namespace mlir::glow;

/// Elements that a thread computes before it takes others.
static constexpr int64_t kPart = 64 * LaneProgram::kLanes;

namespace {
/// Reads runs of a tensor as if it were broadcast to another shape.
class BroadcastReader {
public:
  BroadcastReader(const Tensor &tensor, ArrayRef<int64_t> shape);
  /// Reads elements `begin` … `begin + count` of the broadcast tensor.
  template <typename Lane>
  void read(int64_t begin, int64_t count, Lane *lanes) const;

private:
  Tensor tensor;
  /// The broadcast shape, with neighbouring axes merged where the tensor is
  /// contiguous or constant across both.
  SmallVector<int64_t> dims, strides;
};
} // namespace

BroadcastReader::BroadcastReader(const Tensor &tensor, ArrayRef<int64_t> shape)
    : tensor(tensor) {
  size_t missing = shape.size() - tensor.getRank();
  SmallVector<int64_t> own = rowMajorStrides(tensor.getShape());
  for (auto [i, extent] : llvm::enumerate(shape)) {
    if (extent == 1)
      continue;
    bool repeats = i < missing || tensor.getDim(i - missing) == 1;
    int64_t stride = repeats ? 0 : own[i - missing];
    if (!dims.empty() && strides.back() == stride * extent) {
      dims.back() *= extent;
      strides.back() = stride;
    } else {
      dims.push_back(extent);
      strides.push_back(stride);
    }
  }
  if (dims.empty()) {
    dims.push_back(1);
    strides.push_back(0);
  }
}

template <typename Lane>
void BroadcastReader::read(int64_t begin, int64_t count, Lane *lanes) const {
  SmallVector<int64_t> place(dims.size());
  int64_t rest = begin;
  for (size_t i = dims.size(); i-- > 0;) {
    place[i] = rest % dims[i];
    rest /= dims[i];
  }
  while (count > 0) {
    int64_t offset = 0;
    for (size_t i = 0; i < dims.size(); ++i)
      offset += place[i] * strides[i];
    int64_t run = std::min(count, dims.back() - place.back());
    if (strides.back() == 1) {
      tensor.read(offset, run, lanes);
    } else {
      tensor.read(offset, 1, lanes);
      std::fill(lanes + 1, lanes + run, lanes[0]);
    }
    lanes += run;
    count -= run;
    place.back() = 0;
    for (size_t i = dims.size() - 1; i-- > 0;) {
      if (++place[i] < dims[i])
        break;
      place[i] = 0;
    }
  }
}

/// The tensor as the bodies see it: without signedness.
static Tensor signlessTensor(const Tensor &tensor) {
  return tensor.withElementType(
      ScalarBuilder::signless(tensor.getElementType()));
}

/// Computes elements `begin` … `end` of the result.
static LogicalResult evaluatePart(Block &body,
                                  ArrayRef<BroadcastReader> readers,
                                  int64_t begin, int64_t end, Tensor &result) {
  FailureOr<LaneProgram> program = LaneProgram::compile(body);
  if (failed(program))
    return failure();
  for (int64_t at = begin; at < end; at += LaneProgram::kLanes) {
    int64_t count = std::min(LaneProgram::kLanes, end - at);
    for (auto [i, reader] : llvm::enumerate(readers)) {
      LaneRegister &lanes = program->argument(i);
      if (lanes.format->isFloat())
        reader.read(at, count, lanes.floats.data());
      else
        reader.read(at, count, lanes.ints.data());
    }
    const LaneRegister &lanes = program->run(count);
    if (lanes.format->isFloat())
      result.write(at, count, lanes.floats.data());
    else
      result.write(at, count, lanes.ints.data());
  }
  return success();
}

FailureOr<Tensor> glow::evaluateBody(Location location, Block &body,
                                     ArrayRef<Tensor> inputs,
                                     Type elementType) {
  Dims shape;
  for (const Tensor &input : inputs) {
    FailureOr<Dims> wider = broadcast(location, shape, input.getShape());
    if (failed(wider))
      return failure();
    shape = *wider;
  }
  FailureOr<Tensor> result = Tensor::allocate(location, elementType, shape);
  if (failed(result))
    return failure();
  SmallVector<BroadcastReader> readers;
  for (const Tensor &input : inputs)
    readers.emplace_back(signlessTensor(input), shape);
  // A part is computed even if it is empty: a body may be in error.
  int64_t size = result->size();
  int64_t parts = std::max<int64_t>(llvm::divideCeil(size, kPart), 1);
  if (failed(failableParallelForEachN(
          location.getContext(), 0, parts, [&](size_t part) {
            int64_t begin = part * kPart;
            return evaluatePart(body, readers, begin,
                                std::min(begin + kPart, size), *result);
          })))
    return failure();
  return result;
}

LogicalResult glow::evaluateScalarBody(ScalarBodyOpInterface op,
                                       ArrayRef<Tensor> operands, Tensor &out) {
  Block body;
  for (const Tensor &operand : operands)
    body.addArgument(ScalarBuilder::signless(operand.getElementType()),
                     op.getLoc());
  OpBuilder builder(op.getContext());
  builder.setInsertionPointToEnd(&body);
  Type elementType = glow::elementType(op->getResult(0));
  // The last operand decides the arithmetic: it is a value even where the
  // first is a condition.
  ScalarBuilder scalars(builder, op.getLoc(), operands.back().getElementType(),
                        elementType);
  Value value = op.emitScalarBody(scalars, body.getArguments());
  YieldOp::create(builder, op.getLoc(), value);
  FailureOr<Tensor> result =
      evaluateBody(op.getLoc(), body, operands, elementType);
  if (failed(result))
    return failure();
  out = *result;
  return success();
}

LogicalResult MapOp::evaluate(Inputs in, Outputs out) {
  FailureOr<Tensor> result =
      evaluateBody(getLoc(), getBody().front(), in.getInputs(),
                   glow::elementType(getResult()));
  if (failed(result))
    return failure();
  out[0] = *result;
  return success();
}
