//===- LowerHost.cpp - calls of the runtime, and what ends a run ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"

using namespace mlir;
using namespace mlir::glow;

LogicalResult RequireOp::lower(InstLowering &lowering) {
  inst::RequireOp::create(lowering.builder, getLoc(),
                          lowering.buffer(getViolated()), getMessageAttr());
  lowering.bind(getResult(), lowering.buffer(getInput()));
  return success();
}

/// Results without elements are results all the same: a function may fail.
LogicalResult CallHostOp::lower(InstLowering &lowering) {
  SmallVector<Value> outputs;
  for (Value result : getResults())
    outputs.push_back(lowering.allocate(result));
  inst::CallHostOp::create(lowering.builder, getLoc(), getFunctionAttr(),
                           lowering.buffers(getInputs()), outputs,
                           getConfigAttr());
  return success();
}
