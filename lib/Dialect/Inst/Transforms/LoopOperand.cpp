//===- LoopOperand.cpp - what loops over windows are made from ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopOperand.h"

using namespace mlir;
using namespace mlir::glow;
using inst::ConstantOp;
using inst::ForallOp;

Block &inst::createForall(OpBuilder &builder, Location loc,
                          ArrayRef<int64_t> extents,
                          ArrayRef<LoopOperand> operands, size_t numOutputs) {
  SmallVector<Value> wholes;
  SmallVector<Attribute> steps;
  for (const LoopOperand &operand : operands) {
    wholes.push_back(operand.whole);
    steps.push_back(operand.steps);
  }
  auto forall = ForallOp::create(
      builder, loc, extents, ArrayRef(wholes).drop_back(numOutputs),
      ArrayRef(wholes).take_back(numOutputs), builder.getArrayAttr(steps),
      IntegerAttr(), IntegerAttr());
  Block &body = forall.getBody().emplaceBlock();
  for (const LoopOperand &operand : operands)
    body.addArgument(operand.window, loc);
  return body;
}

/// Adds an input, of which each point sees one window.
static void addInput(ForallOp loop, Value input, MemRefType window,
                     ArrayRef<int64_t> steps) {
  unsigned place = loop.getInputs().size();
  Builder builder(loop.getContext());
  SmallVector<Attribute> all(loop.getSteps().getValue());
  all.insert(all.begin() + place, builder.getDenseI64ArrayAttr(steps));
  loop.setStepsAttr(builder.getArrayAttr(all));
  loop.getInputsMutable().append(input);
  loop.getBody().insertArgument(place, window, input.getLoc());
}

void inst::passWhole(ForallOp loop, Value input) {
  SmallVector<int64_t> none(loop.getExtents().size(), 0);
  addInput(loop, input, cast<MemRefType>(input.getType()), none);
}

void inst::passPoints(ForallOp loop, size_t axis) {
  OpBuilder builder(loop);
  auto points = llvm::to_vector(llvm::seq(loop.getExtents()[axis]));
  Type i64 = builder.getI64Type();
  auto type = MemRefType::get(points.size(), i64);
  auto list = ConstantOp::create(builder, loop.getLoc(), type,
                                 builder.getI64TensorAttr(points));
  SmallVector<int64_t> steps(loop.getExtents().size(), 0);
  steps[axis] = 1;
  addInput(loop, list, MemRefType::get(1, i64), steps);
}
