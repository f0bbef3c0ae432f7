//===- StructureOps.cpp - constants, element-wise clusters, terminators ---===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::glow;

#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowStructureOps.cpp.inc"

void GlowDialect::registerStructureOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowStructureOps.cpp.inc"
      >();
}

OpFoldResult ConstantOp::fold(FoldAdaptor) { return getValue(); }

LogicalResult MapOp::inferTypes(MaybeLocation location, Adaptor adaptor,
                                TypeList &types) {
  return inferElementwise(location, adaptor.getInputs(),
                          adaptor.getElementType(), types);
}

LogicalResult MapOp::verify() {
  Block &block = getBody().front();
  if (block.getNumArguments() != getInputs().size())
    return emitOpError("has ")
           << getInputs().size() << " inputs but its region takes "
           << block.getNumArguments();
  for (auto [input, argument] : llvm::zip(getInputs(), block.getArguments()))
    if (argument.getType() != ScalarBuilder::signless(elementType(input)))
      return emitOpError("region argument has type ")
             << argument.getType() << ", but the input is " << input.getType();
  auto yield = cast<YieldOp>(block.getTerminator());
  Type wanted = ScalarBuilder::signless(getElementType());
  if (yield.getValues().getTypes() != TypeRange(wanted))
    return yield.emitOpError("must yield one value of type ") << wanted;
  return success();
}

LogicalResult LaunchOp::verifySymbolUses(SymbolTableCollection &symbols) {
  auto function =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(*this, getCallee());
  if (!function)
    return emitOpError("callee ") << getCallee() << " is not a function";
  FunctionType type = function.getFunctionType();
  if (getOperandTypes() != TypeRange(type.getInputs()) ||
      getResultTypes() != TypeRange(type.getResults())) {
    InFlightDiagnostic error =
        emitOpError("does not fit the type of its callee");
    error.attachNote(function.getLoc()) << "which is " << type;
    return error;
  }
  return success();
}

#undef GLOW_INFER
