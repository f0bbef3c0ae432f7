//===- ToolStart.cpp - what all tools have in common ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/ToolStart.h"
#include "glow/Support/OutputFile.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

void mlir::glow::startTool() {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "Glow " GLOW_VERSION ", LLVM " LLVM_VERSION_STRING "\n";
  });
  removeUnfinishedOnSignals();
}
