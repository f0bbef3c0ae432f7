//===- Flops.cpp - the arithmetic of an instruction -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Flops.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Interfaces/Kernel.h"

using namespace mlir;
using namespace mlir::glow;

double inst::flopsOf(Operation *op) {
  if (auto kernel = dyn_cast<KernelOpInterface>(op))
    return kernel.getFlops();
  double flops = 0;
  if (auto loop = dyn_cast<ForallOp>(op))
    for (Operation &inner : loop.getBody().front())
      flops += flopsOf(&inner) * loop.getNumPoints();
  return flops;
}
