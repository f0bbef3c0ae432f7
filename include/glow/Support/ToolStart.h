//===- ToolStart.h - what all tools have in common -------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_TOOLSTART_H
#define GLOW_SUPPORT_TOOLSTART_H

namespace mlir::glow {

/// To be called before the command line is read: --version names Glow's version
/// beside LLVM's, and signals remove files that are not complete. A library
/// must not do this to the program that uses it.
void startTool();

} // namespace mlir::glow

#endif // GLOW_SUPPORT_TOOLSTART_H
