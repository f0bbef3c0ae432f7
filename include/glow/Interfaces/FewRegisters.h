//===- FewRegisters.h - processors with small register files ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_FEWREGISTERS_H
#define GLOW_INTERFACES_FEWREGISTERS_H

#include "glow/Interfaces/KernelTarget.h"

namespace mlir::glow {

/// Whether a tile of products can have a dozen sums at most. Processors with so
/// few vector registers, as AVX2 has, start two multiply-adds in a cycle and
/// two loads, of which each row's element takes one: no instruction broadcasts
/// what it multiplies.
inline bool hasFewRegisters(const KernelTarget &target) {
  constexpr int64_t kFew = 16;
  return target.vectorRegisters <= kFew;
}

} // namespace mlir::glow

#endif // GLOW_INTERFACES_FEWREGISTERS_H
