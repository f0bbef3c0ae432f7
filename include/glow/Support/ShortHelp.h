//===- ShortHelp.h - help that fits a screen -------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_SHORTHELP_H
#define GLOW_SUPPORT_SHORTHELP_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace mlir::glow {

/// For tools whose --help, which is MLIR's, lists every pass there is: prints
/// `text` instead if --help is all that is asked for. The long list is left to
/// --help-hidden.
inline bool printShortHelp(int argc, char **argv, llvm::StringRef text) {
  if (argc != 2 || llvm::StringRef(argv[1]).ltrim('-') != "help")
    return false;
  llvm::outs() << text;
  return true;
}

} // namespace mlir::glow

#endif // GLOW_SUPPORT_SHORTHELP_H
