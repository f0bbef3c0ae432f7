//===- EmitEntry.h - the LLVM module with entry point and descriptor ------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TARGET_LLVM_EMITENTRY_H
#define GLOW_LIB_TARGET_LLVM_EMITENTRY_H

#include "glow/Target/LLVM/CompiledModel.h"
#include "llvm/IR/Module.h"

namespace mlir::glow {

/// The module that exports the model's descriptor (see ModelABI.h).
llvm::Expected<std::unique_ptr<llvm::Module>>
emitEntry(llvm::LLVMContext &context, const llvm::DataLayout &layout,
          const ProgramSpec &program, const EmitOptions &options);

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_EMITENTRY_H
