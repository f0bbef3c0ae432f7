//===- InlineLoops.cpp - put the bodies of loops where they run -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

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

  /// Functions within one another at this place.
  SmallVector<func::FuncOp> stack;
};
} // namespace

LogicalResult InlineLoops::inlineInto(func::FuncOp function) {
  stack.push_back(function);
  for (LoopOp loop : llvm::to_vector(function.getOps<LoopOp>())) {
    auto body = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        loop, loop.getBodyAttr());
    if (llvm::is_contained(stack, body))
      return loop.emitOpError("is in its own body");
    if (!body.getBody().hasOneBlock())
      return loop.emitOpError("has a body that is not one block");
    if (failed(inlineInto(body)) || failed(inlineLoop(loop, body)))
      return failure();
  }
  stack.pop_back();
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
