//===- ProgramFile.cpp - a file, or an error at the module ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/OutputFile.h"
#include "glow/Target/Plugin.h"

using namespace mlir;
using namespace mlir::glow;

LogicalResult
glow::writeProgramFile(ModuleOp module, StringRef path,
                       llvm::function_ref<void(llvm::raw_ostream &)> print) {
  llvm::Error error = writeOutput(path, [&](raw_ostream &out) {
    print(out);
    return llvm::Error::success();
  });
  if (error)
    return module.emitError(llvm::toString(std::move(error)));
  return success();
}
