//===- SectionsKernel.h - the kernel of independent launches ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TARGET_LLVM_SECTIONSKERNEL_H
#define GLOW_LIB_TARGET_LLVM_SECTIONSKERNEL_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow {

/// Emits, at the builder's insertion point in a module, a function with the
/// signature of exported kernels whose tickets are those of all launches of the
/// body, one launch's after the other's, and declarations of their kernels. The
/// body must consist of launches, its memory must be planned.
func::FuncOp emitSectionsKernel(OpBuilder &builder, inst::SectionsOp sections,
                                StringRef name);

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_SECTIONSKERNEL_H
