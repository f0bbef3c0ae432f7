//===- LoopOperand.cpp - what loops over windows are made from ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopOperand.h"

using namespace mlir;
using namespace mlir::glow;

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
