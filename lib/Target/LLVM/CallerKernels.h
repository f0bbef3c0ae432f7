//===- CallerKernels.h - the kernels of loops and sections -----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each emits, at the builder's insertion point in a module, a function with the
// signature of exported kernels, and declarations of the kernels that it calls.
// The body must consist of launches, its memory must be planned.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_TARGET_LLVM_CALLERKERNELS_H
#define GLOW_LIB_TARGET_LLVM_CALLERKERNELS_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow {

/// Tickets are the loop's points.
func::FuncOp emitCaller(OpBuilder &builder, inst::ForallOp forall,
                        StringRef name);

/// Tickets are those of all launches, one launch's after the other's.
func::FuncOp emitCaller(OpBuilder &builder, inst::SectionsOp sections,
                        StringRef name);

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_CALLERKERNELS_H
