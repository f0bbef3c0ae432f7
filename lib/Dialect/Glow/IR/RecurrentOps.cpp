//===- RecurrentOps.cpp - recurrent layers ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::glow;

#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowRecurrentOps.cpp.inc"

void GlowDialect::registerRecurrentOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowRecurrentOps.cpp.inc"
      >();
}

static int64_t numGates(RecurrentKind kind) {
  switch (kind) {
  case RecurrentKind::RNN:
    return 1;
  case RecurrentKind::GRU:
    return 3;
  case RecurrentKind::LSTM:
    return 4;
  }
  llvm_unreachable("unknown recurrent kind");
}

LogicalResult RecurrentOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                      TypeList &types) {
  ArrayRef<int64_t> input = dimsOf(adaptor.getInput());
  if (input.size() != 3)
    return emitOptionalError(location, "input needs the 3 axes sequence, "
                                       "batch, features");
  int64_t directions =
      adaptor.getDirection() == Direction::Bidirectional ? 2 : 1;
  int64_t hidden = adaptor.getHiddenSize();
  Type element = elementType(adaptor.getInput());
  types.push_back(
      RankedTensorType::get({input[0], directions, input[1], hidden}, element));
  types.append(2,
               RankedTensorType::get({directions, input[1], hidden}, element));
  return success();
}

/// Reports an operand whose shape is not `wanted`.
static LogicalResult verifyShape(RecurrentOp op, StringRef name, Value value,
                                 ArrayRef<int64_t> wanted) {
  if (!value)
    return success();
  auto type = RankedTensorType::get(wanted, elementType(value));
  if (areCompatible({type}, {value.getType()}))
    return success();
  return op.emitOpError() << name << " must be " << type << ", not "
                          << value.getType();
}

LogicalResult RecurrentOp::verify() {
  int64_t d = getDirection() == Direction::Bidirectional ? 2 : 1;
  int64_t h = getHiddenSize(), g = numGates(getKind());
  if (h < 1 || h > (int64_t(1) << 32))
    return emitOpError("'hidden_size' = ") << h << " is out of range";
  ArrayRef<int64_t> input = dimsOf(getInput());
  if (input[2] == 0)
    return emitOpError("needs a feature");
  if (failed(
          verifyShape(*this, "weights", getWeights(), {d, g * h, input[2]})) ||
      failed(
          verifyShape(*this, "recurrence", getRecurrence(), {d, g * h, h})) ||
      failed(verifyShape(*this, "bias", getBias(), {d, 2 * g * h})) ||
      failed(
          verifyShape(*this, "initial_h", getInitialH(), {d, input[1], h})) ||
      failed(
          verifyShape(*this, "initial_c", getInitialC(), {d, input[1], h})) ||
      failed(verifyShape(*this, "peepholes", getPeepholes(), {d, 3 * h})) ||
      failed(verifyShape(*this, "lengths", getSequenceLengths(), {input[1]})))
    return failure();
  if (failed(verifyStepExtents(*this, getExtents())))
    return failure();
  size_t wanted = d * (getKind() == RecurrentKind::LSTM  ? 3
                       : getKind() == RecurrentKind::GRU ? 2
                                                         : 1);
  if (getActivations().size() != wanted)
    return emitOpError("needs ")
           << wanted << " activations, not " << getActivations().size();
  return success();
}
