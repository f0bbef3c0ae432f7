//===- SectionsOp.cpp - independent instructions --------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/IR/Inst.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Whether the argument is the operand, counted from its first element.
static bool standsFor(BlockArgument argument, Value operand) {
  auto type = dyn_cast<MemRefType>(argument.getType());
  auto whole = cast<MemRefType>(operand.getType());
  return type && isStaticBuffer(type) && layoutOf(argument).offset == 0 &&
         layoutOf(argument).strides == layoutOf(operand).strides &&
         type.getShape() == whole.getShape() &&
         type.getElementType() == whole.getElementType() &&
         type.getMemorySpace() == whole.getMemorySpace();
}

LogicalResult SectionsOp::verify() {
  Block &body = getBody().front();
  if (body.getNumArguments() != getNumOperands())
    return emitOpError("needs an argument of the body for each of its ")
           << getNumOperands() << " operands";
  for (auto [argument, operand] : llvm::zip(body.getArguments(), getOperands()))
    if (!standsFor(argument, operand))
      return emitOpError("argument ")
             << argument.getType() << " of the body is not operand "
             << operand.getType() << " without its offset";
  for (Operation &op : body)
    if (!op.hasTrait<HasKernel>() && !isa<ForallOp, LaunchOp>(op))
      return op.emitOpError("cannot be part of a glow_inst.sections");
  return verifyScratch(*this);
}
