//===- Version.cpp - what --version prints --------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/Version.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

void mlir::glow::addVersionPrinter() {
  llvm::cl::SetVersionPrinter([](llvm::raw_ostream &out) {
    out << "Glow " GLOW_VERSION ", LLVM " LLVM_VERSION_STRING "\n";
  });
}
