//===- ProgramFile.cpp - a file, or an error at the module ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/Plugin.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace mlir;
using namespace mlir::glow;

LogicalResult
glow::writeProgramFile(ModuleOp module, StringRef path,
                       llvm::function_ref<void(llvm::raw_ostream &)> print) {
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return module.emitError("cannot write the program: ") << message;
  print(file->os());
  file->keep();
  return success();
}
