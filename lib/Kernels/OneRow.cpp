//===- OneRow.cpp - products that have one row at run time ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/OneRow.h"
#include "glow/Interfaces/TileRegisters.h"

using namespace mlir;
using namespace mlir::glow;

std::unique_ptr<Kernel> OneRowKernel::make(const ContractionPlan &tiles,
                                           const ContractionSpec &spec,
                                           ValueRange buffers,
                                           ScalarRegion epilogue,
                                           const KernelTarget &target) {
  if (!tiles.registerDepth || tiles.pieces > 1 || !tiles.rows.isBounded() ||
      tiles.rows.extent > TileRows::kMost)
    return nullptr;
  KernelTarget other = target;
  llvm::erase(other.features, "amx-tile");
  auto vectors = ContractionPlan::make(spec, buffers, epilogue, other);
  if (!vectors)
    return nullptr;
  return std::unique_ptr<Kernel>(new OneRowKernel(
      tiles.rows, {tiles, spec, epilogue}, {*vectors, spec, epilogue}));
}

void OneRowKernel::emit(KernelBuilder &b, ValueRange buffers, Value begin,
                        Value end) const {
  // Each ticket of tiles stands for a share of those of vectors.
  auto share = [&](Value ticket) {
    return b.div(b.mul(ticket, vectors.tickets()), tiles.tickets());
  };
  Value isOne = b.less(rows.limit(b), b.index(2));
  b.ifElse(
      isOne, {},
      [&] {
        vectors.emit(b, buffers, share(begin), share(end));
        return SmallVector<Value>();
      },
      [&] {
        tiles.emit(b, buffers, begin, end);
        return SmallVector<Value>();
      });
}
