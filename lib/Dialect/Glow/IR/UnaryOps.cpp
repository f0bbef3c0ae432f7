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
