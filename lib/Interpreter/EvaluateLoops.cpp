//===- EvaluateLoops.cpp - bodies that are evaluated again and again ------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::glow;

static FailureOr<Tensor> allocate(Location loc, Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return Tensor::allocate(loc, tensor.getElementType(), tensor.getShape());
}

/// Writes what iteration `i` gave into the rows of what is collected.
static void collect(ArrayRef<Tensor> values, int64_t i,
                    MutableArrayRef<Tensor> rows) {
  for (auto [value, all] : llvm::zip_equal(values, rows))
    if (i < all.getDim(0))
      std::memcpy(all.mutableBytes() + i * value.sizeInBytes(), value.bytes(),
                  value.sizeInBytes());
}

FailureOr<SmallVector<Tensor>> glow::evaluateLoop(LoopOp loop,
                                                  ArrayRef<Tensor> operands) {
  auto body = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      loop, loop.getBodyAttr());
  size_t count = loop.getStates().size();
  Tensor condition = operands.front();
  SmallVector<Tensor> results(operands.slice(1, count));
  for (Type type : loop.getResults().drop_front(count).getTypes()) {
    auto rows = allocate(loop.getLoc(), type);
    if (failed(rows))
      return failure();
    results.push_back(*rows);
  }
  MutableArrayRef<Tensor> states(results.data(), count);
  for (int64_t i = 0; condition.readAll<int64_t>().front(); ++i) {
    auto number = Tensor::allocate(loop.getLoc(),
                                   IntegerType::get(loop.getContext(), 64), {});
    if (failed(number))
      return failure();
    number->write(0, 1, &i);
    SmallVector<Tensor> inputs{*number};
    llvm::append_range(inputs, states);
    llvm::append_range(inputs, operands.drop_front(1 + count));
    auto outputs = evaluateCall(loop, body, inputs);
    if (failed(outputs))
      return failure();
    condition = outputs->front();
    llvm::copy(ArrayRef(*outputs).slice(1, count), states.begin());
    collect(ArrayRef(*outputs).drop_front(1 + count), i,
            MutableArrayRef(results).drop_front(count));
  }
  return results;
}

/// Copies the part of `one` that each index of axis 0 has from, or to, place
/// `step` of axis 1 of `all`.
static void moveStep(Tensor &one, Tensor &all, int64_t step, bool isRead) {
  int64_t batch = all.getDim(0);
  size_t bytes = batch ? one.sizeInBytes() / batch : 0;
  for (int64_t i = 0; i < batch; ++i) {
    char *own = one.mutableBytes() + i * bytes;
    char *place = all.mutableBytes() + (i * all.getDim(1) + step) * bytes;
    std::memcpy(isRead ? own : place, isRead ? place : own, bytes);
  }
}

FailureOr<SmallVector<Tensor>> glow::evaluateSteps(ForStepsOp loop,
                                                   ArrayRef<Tensor> operands) {
  auto body = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      loop, loop.getBodyAttr());
  Location loc = loop.getLoc();
  size_t states = loop.getStates().size(),
         outputs = states + loop.getHistories().size();
  auto numbers =
      body->getAttrOfType<DenseI64ArrayAttr>(GlowDialect::kStepsAttrName);
  Tensor count;
  if (loop.getSteps()) {
    count = operands.front();
    operands = operands.drop_front();
  }
  // Of an open number of steps there is one row less.
  bool isOpen = ShapedType::isDynamic(numbers[3]);
  int64_t rowsBefore = isOpen ? 1 : numbers[4] - numbers[3];
  int64_t steps = operands[outputs].getDim(1), runs = steps + rowsBefore - 1;
  if (count)
    runs = std::clamp<int64_t>(count.ints().front(), 0, runs);
  bool isReversed = loop.getReversed();
  SmallVector<Tensor> results(operands.take_front(states));
  for (size_t i = states; i < outputs; ++i) {
    auto type = cast<RankedTensorType>(loop.getResult(i).getType());
    Dims dims(type.getShape());
    dims[1] = steps + rowsBefore;
    auto history = Tensor::allocate(loc, type.getElementType(), dims);
    if (failed(history))
      return failure();
    Tensor initial = operands[i];
    moveStep(initial, *history, isReversed ? runs : 0, /*isRead=*/false);
    results.push_back(*history);
  }
  for (int64_t i = 0; i < runs; ++i) {
    int64_t point = isReversed ? runs - 1 - i : i;
    int64_t there = isReversed ? point + 1 : point;
    int64_t made = isReversed ? point : point + 1;
    SmallVector<Tensor> inputs(ArrayRef(results).take_front(states));
    auto read = [&](Tensor all, int64_t place) -> LogicalResult {
      auto one = allocate(loc, body.getArgumentTypes()[inputs.size()]);
      if (failed(one))
        return failure();
      moveStep(*one, all, place, /*isRead=*/true);
      inputs.push_back(*one);
      return success();
    };
    for (size_t j = states; j < outputs; ++j)
      if (failed(read(results[j], there)))
        return failure();
    for (size_t j = 0; j < loop.getRows().size(); ++j)
      if (failed(read(operands[outputs + j],
                      isReversed ? point : made - rowsBefore)))
        return failure();
    llvm::append_range(inputs,
                       operands.drop_front(outputs + loop.getRows().size()));
    auto next = evaluateCall(loop, body, inputs);
    if (failed(next))
      return failure();
    llvm::copy(ArrayRef(*next).take_front(states), results.begin());
    for (size_t j = states; j < outputs; ++j)
      moveStep((*next)[j], results[j], made, /*isRead=*/false);
  }
  return results;
}
