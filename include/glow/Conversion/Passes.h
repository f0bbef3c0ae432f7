//===- Passes.h - conversions between dialects ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_CONVERSION_PASSES_H
#define GLOW_CONVERSION_PASSES_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"

namespace mlir::glow {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "glow/Conversion/Passes.h.inc"

} // namespace mlir::glow

#endif // GLOW_CONVERSION_PASSES_H
