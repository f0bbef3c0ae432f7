//===- JsonFile.h - JSON that a user names ---------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_JSONFILE_H
#define GLOW_SUPPORT_JSONFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace mlir::glow {

/// The contents of the file `path`. It is an error, which names the file, if it
/// cannot be read, is not JSON, or nests deeper than 64 levels: LLVM's reader
/// calls itself once per level, so a hostile file could exhaust the stack.
llvm::Expected<llvm::json::Value> readJsonFile(llvm::StringRef path);

} // namespace mlir::glow

#endif // GLOW_SUPPORT_JSONFILE_H
