//===- InlineLoops.cpp - put the bodies of loops where they run -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_INLINELOOPS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

namespace {
struct InlineLoops : public inst::impl::InlineLoopsBase<InlineLoops> {
  void runOnOperation() override {
    SmallVector<func::FuncOp> bodies;
    stack.clear();
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (isLoopBody(function))
        bodies.push_back(function);
      else if (failed(inlineInto(function)))
        return signalPassFailure();
    // Also those of loops that other passes have removed.
    for (func::FuncOp body : bodies)
      body.erase();
  }

private:
  LogicalResult inlineInto(func::FuncOp function);
  LogicalResult inlineLoop(LoopOp loop, func::FuncOp body);
  LogicalResult inlineLoop(ForStepsOp loop, func::FuncOp body);
  template <typename Op> LogicalResult inlineAll(func::FuncOp function);

  /// Functions within one another at this place.
  SmallVector<func::FuncOp> stack;
};
} // namespace

LogicalResult InlineLoops::inlineInto(func::FuncOp function) {
  stack.push_back(function);
  if (failed(inlineAll<LoopOp>(function)) ||
      failed(inlineAll<ForStepsOp>(function)))
    return failure();
  stack.pop_back();
  return success();
}

template <typename Op>
LogicalResult InlineLoops::inlineAll(func::FuncOp function) {
  for (Op loop : llvm::to_vector(function.getOps<Op>())) {
    auto body = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        loop, loop.getBodyAttr());
    if (llvm::is_contained(stack, body))
      return loop.emitOpError("is in its own body");
    if (!body.getBody().hasOneBlock())
      return loop.emitOpError("has a body that is not one block");
    if (failed(inlineInto(body)))
      return failure();
    if (isa<ForStepsOp>(loop) && !body.template getOps<EnterStepsOp>().empty())
      return loop.emitOpError("has a loop over steps in its body");
    if (failed(inlineLoop(loop, body)))
      return failure();
  }
  return success();
}

LogicalResult InlineLoops::inlineLoop(LoopOp loop, func::FuncOp body) {
  if (TypeRange(body.getArgumentTypes()) != loop->getOperandTypes())
    return loop.emitOpError("does not fit the type of its body");
  OpBuilder builder(loop);
  SmallVector<Value> others(loop->getOperands());
  llvm::erase(others, loop.getCondition());
  EnterLoopOp::create(builder, loop.getLoc(), others);
  IRMapping mapping;
  mapping.map(body.getArguments(), loop->getOperands());
  for (Operation &op : body.front().without_terminator())
    builder.clone(op, mapping);
  RepeatOp::create(builder, loop.getLoc(), loop.getCondition(), others);
  loop.erase();
  return success();
}

/// What the loop's step has of a buffer whose axis 1 has the steps; `ahead` of
/// it by so many places.
static Value windowOf(OpBuilder &builder, Location loc, Value buffer,
                      int64_t ahead) {
  MemRefType type = typeOfStep(typeOf(buffer), shapeOf(buffer)[1]);
  int64_t step = layoutOf(buffer).strides[1];
  return WindowOp::create(builder, loc, type, rootBuffer(buffer),
                          layoutOf(buffer).offset + ahead * step, step);
}

/// What goes the other way at every other step.
static SmallVector<Operation *> alternating(func::FuncOp body) {
  SmallVector<Operation *> found;
  body.walk([&](Operation *op) {
    if (auto product = dyn_cast<MatMulOp>(op);
        product && product.getBackwards())
      found.push_back(op);
    if (auto loop = dyn_cast<ForallOp>(op); loop && loop.getBackwards())
      found.push_back(op);
  });
  return found;
}

LogicalResult InlineLoops::inlineLoop(ForStepsOp loop, func::FuncOp body) {
  FailureOr<SmallVector<Type>> types = loop.bodyArguments();
  if (failed(types))
    return failure();
  if (body.getArgumentTypes() != ArrayRef(*types))
    return loop.emitOpError("does not fit the type of its body");
  OpBuilder builder(loop);
  Location loc = loop.getLoc();
  SmallVector<Value> read(loop.getStates());
  for (ValueRange some : {loop.getInitial(), loop.getRows(), loop.getReads()})
    llvm::append_range(read, some);
  bool isReversed = loop.getReversed();
  int64_t most = shapeOf(loop.getHistories().front())[1] - 1;
  EnterStepsOp::create(builder, loc, isReversed, loop.getNumber(), most, read,
                       loop.getHistories());
  for (auto [row, history] : llvm::zip(loop.getInitial(), loop.getHistories()))
    CopyOp::create(builder, loc, row, windowOf(builder, loc, history, 0));
  // From the row that is there to the one that is made.
  int64_t there = isReversed ? 1 : 0;
  SmallVector<Value> operands(loop.getStates());
  for (Value history : loop.getHistories())
    operands.push_back(windowOf(builder, loc, history, there));
  for (Value rows : loop.getRows())
    operands.push_back(windowOf(builder, loc, rows,
                                isReversed ? 0 : 1 - loop.numRowsBefore()));
  llvm::append_range(operands, loop.getReads());
  for (Value history : loop.getHistories())
    operands.push_back(windowOf(builder, loc, history, 1 - there));
  auto addStep = [&]() {
    IRMapping mapping;
    mapping.map(body.getArguments(), operands);
    NextStepOp::create(builder, loc);
    for (Operation &op : body.front().without_terminator())
      builder.clone(op, mapping);
    return mapping;
  };
  SmallVector<Operation *> changing = alternating(body);
  IRMapping first = addStep();
  for (Operation *op : changing)
    llvm::TypeSwitch<Operation *>(first.lookup(op))
        .Case<MatMulOp, ForallOp>([](auto copy) { copy.setBackwards(false); });
  if (!changing.empty())
    addStep();
  RepeatStepsOp::create(builder, loc, read, loop.getHistories());
  loop.erase();
  return success();
}
