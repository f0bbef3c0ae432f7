//===- glow-reduce.cpp - shrinks IR that shows a fault --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Driver/DialectPlugins.h"
#include "glow/InitAll.h"
#include "glow/Support/PluginOption.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::glow::registerAllDialects(registry);
  mlir::glow::registerAllPasses();
  mlir::MLIRContext context(registry);
  llvm::ExitOnError exitOnError("glow-reduce: error: ");
  mlir::glow::PluginOption plugins(llvm::cl::getGeneralCategory());
  // The command line is read by MLIR, which has the context by then.
  plugins.setCallback([&](const std::string &file) {
    mlir::DialectRegistry added;
    exitOnError(mlir::glow::loadDialectPlugins(file, added));
    context.appendDialectRegistry(added);
  });
  return failed(mlir::mlirReduceMain(argc, argv, context));
}
