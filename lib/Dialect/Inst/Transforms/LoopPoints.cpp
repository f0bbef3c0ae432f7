//===- LoopPoints.cpp - how many points a loop should have ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopPoints.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

int64_t glow::inst::leastExtent(Operation *op, int64_t extent) {
  int64_t least = extent;
  auto function = op->getParentOfType<func::FuncOp>();
  if (!function)
    return least;
  for (const ShapeSymbol &symbol : symbolsOf(function))
    if (symbol.upper > 1 && extent % symbol.upper == 0)
      least = std::min(least, extent / symbol.upper *
                                  std::max<int64_t>(symbol.lower, 1));
  return least;
}

bool glow::inst::mayBeOpen(Operation *op, int64_t extent) {
  if (leastExtent(op, extent) < extent)
    return true;
  auto function = op->getParentOfType<func::FuncOp>();
  if (!function)
    return false;
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    AffineMap extents = extentsOfArgument(function, i);
    for (unsigned axis = 1; extents && axis < extents.getNumResults(); ++axis)
      if (!isa<AffineConstantExpr>(extents.getResult(axis)))
        return true;
  }
  return false;
}
