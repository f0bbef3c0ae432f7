//===- UnaryOps.cpp - element-wise ops of one operand ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"

using namespace mlir;
using namespace mlir::glow;

#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowUnaryOps.cpp.inc"

void GlowDialect::registerUnaryOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowUnaryOps.cpp.inc"
      >();
}

OpFoldResult CastOp::fold(FoldAdaptor adaptor) {
  return getInput().getType() == getType() ? getInput() : Value();
}

LogicalResult BitCastOp::verify() {
  auto width = [](Type type) {
    return type.isInteger(1) ? 8 : type.getIntOrFloatBitWidth();
  };
  Type from = elementType(getInput());
  if (width(from) != width(getTo()))
    return emitOpError("from ")
           << from << " to " << getTo() << ", which differ in width";
  return success();
}
