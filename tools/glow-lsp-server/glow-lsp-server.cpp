//===- glow-lsp-server.cpp - editor support for our dialects --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Driver/DialectPlugins.h"
#include "glow/InitAll.h"
#include "glow/Support/PluginOption.h"
#include "glow/Support/ToolStart.h"
#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

int main(int argc, char **argv) {
  mlir::glow::startTool();
  mlir::DialectRegistry registry;
  mlir::glow::registerAllDialects(registry);
  mlir::glow::registerAllPasses();
  llvm::cl::OptionCategory category("glow-lsp-server options");
  // LLVM's own options, registered so far, are of no use here.
  llvm::cl::HideUnrelatedOptions(category);
  llvm::ExitOnError exitOnError("glow-lsp-server: error: ");
  mlir::glow::PluginOption plugins(category);
  // The command line is read by MLIR, just before it needs the dialects.
  plugins.setCallback([&](const std::string &file) {
    exitOnError(mlir::glow::loadDialectPlugins(file, registry));
  });
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
