//===- glow-reduce.cpp - shrinks IR that shows a fault --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BypassOps.h"
#include "glow/Driver/DialectPlugins.h"
#include "glow/InitAll.h"
#include "glow/Support/PluginOption.h"
#include "glow/Support/ShortHelp.h"
#include "glow/Support/ToolStart.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Tools/mlir-reduce/MlirReduceMain.h"

static constexpr llvm::StringLiteral kHelp =
    R"(OVERVIEW: Shrinks IR that shows a fault

USAGE: glow-reduce [options] <file: .mlir>

OPTIONS:

  -o <file>                      - Output; default: standard output
  --reduction-tree="traversal-mode=0 test=<script>"
                                 - Remove and bypass ops as long as the script,
                                   run on a file with the IR, ends with 1; 0
                                   means that the fault is gone
  --opt-reduction-pass="opt-pass=<pass> test=<script>"
                                 - Run a pass if the IR becomes smaller and the
                                   script still ends with 1
  --allow-unregistered-dialect   - Accept ops of unknown dialects
  --load-dialect-plugin=<file>   - Load dialects, passes and targets of a plug-in
  --help-hidden                  - All options, with those of each pass
)";

int main(int argc, char **argv) {
  mlir::glow::startTool();
  if (mlir::glow::printShortHelp(argc, argv, kHelp))
    return 0;
  mlir::DialectRegistry registry;
  mlir::glow::registerAllDialects(registry);
  mlir::glow::registerAllPasses();
  mlir::glow::registerReductionPatterns(registry);
  mlir::MLIRContext context(registry);
  // Among the warnings is that the input is not interesting.
  context.getDiagEngine().registerHandler([](mlir::Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != mlir::DiagnosticSeverity::Warning)
      return mlir::failure();
    llvm::errs() << "glow-reduce: warning: " << diagnostic << "\n";
    return mlir::success();
  });
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
