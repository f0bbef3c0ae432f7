//===- LowerLoops.cpp - loops, and the ends of their bodies ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LowerLoops.h"

using namespace mlir;
using namespace mlir::glow;

/// The states advance in the memory of the results.
LogicalResult LoopOp::lower(InstLowering &lowering) {
  Builder &builder = lowering.builder;
  Value number = lowering.scratch({}, builder.getI64Type());
  Value condition = lowering.scratch({}, builder.getI1Type());
  lowering.fill(number, 0);
  lowering.copy(lowering.buffer(getCondition()), condition);
  SmallVector<Value> states, collected;
  for (auto [result, state] : llvm::zip(getResults(), getStates())) {
    states.push_back(lowering.allocate(result));
    lowering.copy(lowering.buffer(state), states.back());
  }
  for (Value result : getResults().drop_front(states.size())) {
    collected.push_back(lowering.allocate(result));
    lowering.fill(collected.back(), 0);
  }
  inst::LoopOp::create(lowering.builder, getLoc(), getBodyAttr(), number,
                       states, lowering.buffers(getReads()), condition,
                       collected);
  return success();
}

std::optional<LoopBody> LoopBody::get(func::FuncOp function) {
  auto numbers =
      function->getAttrOfType<DenseI64ArrayAttr>(GlowDialect::kLoopAttrName);
  if (!numbers)
    return std::nullopt;
  return LoopBody{numbers[0], numbers[1]};
}

MemRefType LoopBody::outputType(size_t result, Type type) const {
  MemRefType buffer = bufferTypeOf(type);
  if (!isCollected(result))
    return buffer;
  SmallVector<int64_t> shape{rows};
  llvm::append_range(shape, buffer.getShape());
  return MemRefType::get(shape, buffer.getElementType());
}

/// Puts results where they belong. A state may be computed from another without
/// a copy, or be that.
static void copyStates(ArrayRef<std::pair<Value, Value>> states,
                       InstLowering &lowering) {
  SmallVector<std::pair<Value, Value>> copies;
  for (auto [value, output] : states) {
    if (value == output)
      continue;
    if (isa<BlockArgument>(inst::rootBuffer(value))) {
      auto type = cast<MemRefType>(value.getType());
      Value kept = lowering.scratch(type.getShape(), type.getElementType());
      lowering.copy(value, kept);
      copies.emplace_back(kept, output);
    } else {
      copies.emplace_back(value, output);
    }
  }
  for (auto [from, to] : copies)
    lowering.copy(from, to);
}

void LoopBody::finish(ValueRange results, ArrayRef<Value> outputs, Value number,
                      InstLowering &lowering) const {
  SmallVector<std::pair<Value, Value>> advanced;
  Value row = lowering.reshape(number, {1});
  for (auto [i, tensor] : llvm::enumerate(results)) {
    Value value = lowering.buffer(tensor);
    if (cast<ShapedType>(tensor.getType()).getNumElements() == 0)
      continue;
    if (isCollected(i))
      inst::ScatterNDOp::create(lowering.builder, lowering.loc,
                                ScatterKind::None, row, value, outputs[i],
                                /*count=*/Value());
    else
      advanced.emplace_back(value, outputs[i]);
  }
  copyStates(advanced, lowering);
  lowering.map(number, number, [&](ValueRange arguments) -> Value {
    auto one = arith::ConstantIntOp::create(lowering.builder, lowering.loc,
                                            arguments[0].getType(), 1);
    return arith::AddIOp::create(lowering.builder, lowering.loc, arguments[0],
                                 one);
  });
}

// -- Steps of sequences -------------------------------------------------------

/// States advance in the memory of their results, and histories are there.
LogicalResult ForStepsOp::lower(InstLowering &lowering) {
  size_t count = getStates().size();
  bool isAnywhere = getReversed() && getSteps();
  SmallVector<Value> states, histories, initial;
  for (auto [result, state] : llvm::zip(getResults(), getStates())) {
    states.push_back(lowering.allocate(result));
    lowering.copy(lowering.buffer(state), states.back());
  }
  int64_t runs = 0;
  for (auto [result, row] :
       llvm::zip(getResults().drop_front(count), getHistories())) {
    histories.push_back(lowering.allocate(result));
    runs = dimsOf(result)[1] - 1;
    Value first = lowering.buffer(row);
    if (isAnywhere) {
      initial.push_back(first);
      continue;
    }
    SmallVector<int64_t> one(dimsOf(result));
    one[1] = 1;
    lowering.copy(
        lowering.reshape(first, one),
        lowering.slice(histories.back(), 1, getReversed() ? runs : 0, 1));
  }
  Value number = getSteps() ? lowering.buffer(getSteps())
                            : lowering.reshape(lowering.constantInts(runs), {});
  inst::ForStepsOp::create(lowering.builder, getLoc(), getBody(), getReversed(),
                           number, states, histories, initial,
                           lowering.buffers(getRows()),
                           lowering.buffers(getReads()), getExtentsAttr());
  return success();
}

std::optional<StepBody> StepBody::get(func::FuncOp function) {
  auto numbers =
      function->getAttrOfType<DenseI64ArrayAttr>(GlowDialect::kStepsAttrName);
  if (!numbers)
    return std::nullopt;
  return StepBody{numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]};
}

/// The buffer of one of `steps` places along axis 1 of a tensor with that axis.
static MemRefType bufferOfStep(RankedTensorType type, int64_t steps) {
  MemRefType own = bufferTypeOf(type);
  if (!own || type.getRank() == 0)
    return own;
  SmallVector<int64_t> shape(own.getShape());
  shape.insert(shape.begin() + 1, steps);
  return inst::typeOfStep(MemRefType::get(shape, own.getElementType()), steps);
}

MemRefType StepBody::argumentType(int64_t argument,
                                  RankedTensorType type) const {
  if (argument < states || argument >= states + histories + rows)
    return bufferTypeOf(type);
  bool isHistory = argument < states + histories;
  return bufferOfStep(type, isHistory ? historyRows : steps);
}

MemRefType StepBody::outputType(RankedTensorType type) const {
  return bufferOfStep(type, historyRows);
}

void StepBody::finish(ValueRange results, ArrayRef<Value> outputs,
                      InstLowering &lowering) const {
  SmallVector<std::pair<Value, Value>> advanced;
  for (auto [i, tensor] : llvm::enumerate(results)) {
    Value value = lowering.buffer(tensor);
    if (cast<ShapedType>(tensor.getType()).getNumElements() == 0)
      continue;
    if (isState(i))
      advanced.emplace_back(value, outputs[i]);
    else if (value != outputs[i])
      lowering.copy(value, outputs[i]);
  }
  copyStates(advanced, lowering);
}
