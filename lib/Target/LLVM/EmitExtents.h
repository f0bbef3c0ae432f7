//===- EmitExtents.h - shapes as a function of symbols -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TARGET_LLVM_EMITEXTENTS_H
#define GLOW_LIB_TARGET_LLVM_EMITEXTENTS_H

#include "glow/Target/LLVM/CompiledModel.h"
#include "llvm/IR/Module.h"

namespace mlir::glow {

/// Defines a GlowExtentsFn for the program's inputs and outputs.
llvm::Function *emitExtents(llvm::Module &module, const ProgramSpec &program);

/// Defines whether the values of the symbols among `inputs` are beyond what the
/// program was compiled for: kernels do not look at them again.
void emitRangeCheck(llvm::Function *outside, const ProgramSpec &program);

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_EMITEXTENTS_H
