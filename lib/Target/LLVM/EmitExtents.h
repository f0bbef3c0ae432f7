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

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_EMITEXTENTS_H
