//===- Kernel.h - instructions as kernels ---------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_KERNEL_H
#define GLOW_INTERFACES_KERNEL_H

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpDefinition.h"

namespace mlir::glow {

/// What kernel generators must know of a machine. The defaults describe a plain
/// 128-bit vector unit.
struct KernelTarget {
  int64_t vectorBits = 128;
  int64_t vectorRegisters = 16;
  int64_t l1Bytes = 32 << 10;
  int64_t l2Bytes = 512 << 10;
  bool fma = false;

  /// Elements of `type` in one vector register.
  int64_t lanes(Type type) const {
    return std::max<int64_t>(1, vectorBits / type.getIntOrFloatBitWidth());
  }
};

} // namespace mlir::glow

#include "glow/Interfaces/Kernel.h.inc"

#endif // GLOW_INTERFACES_KERNEL_H
