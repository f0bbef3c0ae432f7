//===- ForallKernel.h - the kernel of a loop over windows ------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TARGET_LLVM_FORALLKERNEL_H
#define GLOW_LIB_TARGET_LLVM_FORALLKERNEL_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow {

/// Emits, at the builder's insertion point in a module, a function with the
/// signature of exported kernels that runs a range of the loop's points, and
/// declarations of the kernels that it calls. The loop's body must consist of
/// launches, its memory must be planned.
func::FuncOp emitForallKernel(OpBuilder &builder, inst::ForallOp forall,
                              StringRef name);

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_FORALLKERNEL_H
