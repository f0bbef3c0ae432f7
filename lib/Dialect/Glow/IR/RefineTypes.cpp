//===- RefineTypes.cpp - better result types from better operands ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Dialect/Glow/IR/TypeInference.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"

using namespace mlir;
using namespace mlir::glow;

/// `known` with each dynamic dimension taken from `other`.
static Type refine(Type known, Type other) {
  auto type = dyn_cast<RankedTensorType>(known);
  if (!type)
    return known;
  Dims dims(type.getShape());
  for (auto [own, theirs] :
       llvm::zip(dims, cast<RankedTensorType>(other).getShape()))
    if (ShapedType::isDynamic(own))
      own = theirs;
  return type.clone(dims);
}

LogicalResult glow::refineResultTypes(Operation *op) {
  auto inferrable = dyn_cast<InferTypeOpInterface>(op);
  if (!inferrable)
    return success();
  SmallVector<Type> types;
  if (failed(inferrable.inferReturnTypes(
          op->getContext(), op->getLoc(), op->getOperands(),
          op->getDiscardableAttrDictionary(), op->getPropertiesStorage(),
          op->getRegions(), types)))
    return failure();
  if (!inferrable.isCompatibleReturnTypes(types, op->getResultTypes()))
    return op->emitOpError("result type ")
           << op->getResultTypes() << " contradicts the inferred " << types;
  for (auto [result, type] : llvm::zip(op->getResults(), types))
    result.setType(refine(result.getType(), type));
  return success();
}

bool glow::isLoopBody(func::FuncOp function) {
  return function->hasAttr(GlowDialect::kLoopAttrName) ||
         function->hasAttr(GlowDialect::kStepsAttrName);
}

func::FuncOp glow::mainFunctionOf(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!isLoopBody(function))
      return function;
  return {};
}

void glow::updateFunctionType(func::FuncOp function) {
  if (function.isExternal())
    return;
  SmallVector<Type> results(function.getResultTypes());
  function.walk([&](func::ReturnOp op) {
    results = llvm::to_vector(op.getOperandTypes());
  });
  function.setType(FunctionType::get(
      function.getContext(), function.getBody().getArgumentTypes(), results));
}
