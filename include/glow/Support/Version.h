//===- Version.h - what --version prints -----------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_VERSION_H
#define GLOW_SUPPORT_VERSION_H

namespace mlir::glow {

/// Lets a tool's --version name Glow's version beside LLVM's. To be called
/// before the command line is read.
void addVersionPrinter();

} // namespace mlir::glow

#endif // GLOW_SUPPORT_VERSION_H
