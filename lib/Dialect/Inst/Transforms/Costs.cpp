//===- Costs.cpp - what loops are weighed by ------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Costs.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Interfaces/FewRegisters.h"
#include "glow/Interfaces/Kernel.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::glow;

/// The part of a cache that such data can have.
static constexpr double kUsablePart = 0.75;

double inst::flopsOf(Operation *op) {
  if (auto kernel = dyn_cast<KernelOpInterface>(op))
    return kernel.getFlops();
  double flops = 0;
  if (auto loop = dyn_cast<ForallOp>(op))
    for (Operation &inner : loop.getBody().front())
      flops += flopsOf(&inner) * loop.getNumPoints();
  return flops;
}

double inst::vectorsPerCycle(const KernelTarget &target) {
  return hasFewRegisters(target) ? 2 : 1;
}

double inst::partOutside(double bytes, int64_t cacheBytes) {
  return std::max(0.0, 1 - kUsablePart * cacheBytes / bytes);
}

double inst::idlePart(int64_t points) {
  double lost = 0;
  for (int64_t threads : {1, 2, 4, 8})
    lost += double(llvm::alignTo(points, threads)) / points - 1;
  return lost / 4;
}
