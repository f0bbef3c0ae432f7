//===- MapBuilder.cpp - maps and what they compute ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MapBuilder.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Interfaces/ScalarBuilder.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::glow::inst;
using glow::ScalarBuilder;
using glow::YieldOp;

MapOp mlir::glow::inst::createMap(
    OpBuilder &builder, Location loc, ValueRange inputs, ValueRange outputs,
    function_ref<SmallVector<Value>(OpBuilder &, ValueRange)> fill) {
  auto map = MapOp::create(builder, loc, inputs, outputs);
  Block &block = map.getBody().emplaceBlock();
  for (Value input : inputs) {
    Type element = cast<MemRefType>(input.getType()).getElementType();
    block.addArgument(ScalarBuilder::signless(element), loc);
  }
  OpBuilder body = OpBuilder::atBlockEnd(&block);
  YieldOp::create(body, loc, fill(body, block.getArguments()));
  return map;
}

Value mlir::glow::inst::finishSum(OpBuilder &body, Region &epilogue, Value sum,
                                  ValueRange inputs) {
  if (epilogue.empty())
    return sum;
  Block &block = epilogue.front();
  IRMapping mapping;
  mapping.map(block.getArgument(0), sum);
  mapping.map(block.getArguments().drop_front(), inputs);
  for (Operation &scalar : block.without_terminator())
    body.clone(scalar, mapping);
  return mapping.lookupOrDefault(block.getTerminator()->getOperand(0));
}
