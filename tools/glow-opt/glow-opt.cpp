//===- glow-opt.cpp - runs passes on textual IR ---------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/InitAll.h"
#include "glow/Support/ShortHelp.h"
#include "glow/Support/ToolStart.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

static constexpr llvm::StringLiteral kHelp = R"(OVERVIEW: Runs passes on IR

USAGE: glow-opt [options] <file: .mlir or .mlirbc; default: standard input>

OPTIONS:

  -o <file>                      - Output; default: standard output
  --<pass>[=<options>]           - Run a pass or pipeline; several run in order
  --pass-pipeline=<text>         - Run builtin.module(...)
  --emit-bytecode                - Write bytecode instead of text
  --mlir-print-ir-after-all      - Show the IR after each pass
  --mlir-elide-resource-strings-if-larger=<n>
                                 - Leave the weights out of the text
  --mlir-timing                  - Show the time of each pass
  --split-input-file             - Run on each part between // -----
  --verify-diagnostics           - Compare errors with expected-error comments
  --load-dialect-plugin=<file>   - Load dialects, passes and targets of a plug-in
  --load-pass-plugin=<file>      - Load passes from a plug-in
  --list-passes                  - List the passes
  --show-dialects                - List the dialects
  --help-hidden                  - All options, with those of each pass
)";

int main(int argc, char **argv) {
  mlir::glow::startTool();
  if (mlir::glow::printShortHelp(argc, argv, kHelp))
    return 0;
  mlir::DialectRegistry registry;
  mlir::glow::registerAllDialects(registry);
  mlir::glow::registerAllPasses();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Glow optimizer driver\n", registry));
}
