//===- Epilogue.h - what follows on a contraction's sums -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_EPILOGUE_H
#define GLOW_KERNELS_EPILOGUE_H

#include "glow/Kernels/DirectContraction.h"

namespace mlir::glow {

/// A vector of sums, of which `mask`, if there is one, tells which are wanted.
/// `place` gives offset and stride in each of the axes' operands.
struct SumVector {
  Value sums;
  Value mask;
  std::function<std::pair<Value, int64_t>(size_t operand)> place;
};

/// Loads what the region takes beside each of the vectors of sums, and stores
/// what it yields. `buffers` are lhs, rhs, the region's inputs, the outputs of
/// all its results but the first one, and that of the first one.
void emitEpilogue(KernelBuilder &builder, const ScalarRegion &region,
                  const ContractionSpec &spec, ArrayRef<KernelBuffer> buffers,
                  ArrayRef<SumVector> vectors);

} // namespace mlir::glow

#endif // GLOW_KERNELS_EPILOGUE_H
