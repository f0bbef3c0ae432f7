//===- ControlOps.cpp - what runs, and how often --------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::glow::inst;

#define GET_OP_CLASSES
#include "glow/Dialect/Inst/IR/InstControlOps.cpp.inc"

void InstDialect::registerControlOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Inst/IR/InstControlOps.cpp.inc"
      >();
}

static LogicalResult verifyScalar(Operation *op, Value buffer, unsigned width) {
  auto type = cast<MemRefType>(buffer.getType());
  if (type.getElementType().isInteger(width) && type.getNumElements() == 1)
    return success();
  return op->emitOpError("needs one i") << width << ", not " << type;
}

LogicalResult RequireOp::verify() {
  return verifyScalar(*this, getViolated(), 1);
}

LogicalResult RepeatOp::verify() {
  return verifyScalar(*this, getCondition(), 1);
}

LogicalResult LoopOp::verify() {
  return failure(failed(verifyScalar(*this, getNumber(), 64)) ||
                 failed(verifyScalar(*this, getCondition(), 1)));
}

LogicalResult LoopOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getBodyAttr());
  if (!function || !function.isPrivate())
    return emitOpError("body ") << getBodyAttr() << " is no private function";
  // Functions become instructions one after the other.
  FunctionType type = function.getFunctionType();
  if (llvm::any_of(type.getInputs(), llvm::IsaPred<TensorType>) ||
      TypeRange(type.getInputs()) == getOperandTypes())
    return success();
  InFlightDiagnostic error = emitOpError("does not fit the type of its body");
  error.attachNote(function.getLoc()) << "which is " << type;
  return error;
}
