//===- Passes.h - from instructions to LLVM --------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TARGET_LLVM_PASSES_H
#define GLOW_TARGET_LLVM_PASSES_H

#include "glow/Interfaces/KernelTarget.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::glow {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "glow/Target/LLVM/Passes.h.inc"

/// Lowers the nested kernel modules to the LLVM dialect, in parallel. With
/// `checkBounds` they stop before an access beyond a buffer.
void buildKernelPipeline(OpPassManager &manager, const KernelTarget &target,
                         bool checkBounds = false);
void registerKernelPipeline();

} // namespace mlir::glow

#endif // GLOW_TARGET_LLVM_PASSES_H
