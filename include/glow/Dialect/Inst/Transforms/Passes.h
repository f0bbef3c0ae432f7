//===- Passes.h - passes on the instruction dialect -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_TRANSFORMS_PASSES_H
#define GLOW_DIALECT_INST_TRANSFORMS_PASSES_H

#include "glow/Interfaces/KernelTarget.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::glow {
class ConstantScope;
} // namespace mlir::glow

namespace mlir::glow::inst {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"

/// As createStrassenProducts(), and frees those constants of `scope` that are
/// not read any more. No other module may use them.
std::unique_ptr<Pass> createStrassenProducts(StrassenProductsOptions options,
                                             ConstantScope *scope);

} // namespace mlir::glow::inst

#endif // GLOW_DIALECT_INST_TRANSFORMS_PASSES_H
