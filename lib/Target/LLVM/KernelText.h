//===- KernelText.h - IR as a key ------------------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TARGET_LLVM_KERNELTEXT_H
#define GLOW_LIB_TARGET_LLVM_KERNELTEXT_H

#include "mlir/IR/OperationSupport.h"

namespace mlir::glow {

/// Prints all of an op, whatever options IR is printed with for people.
inline OpPrintingFlags wholeText() {
  OpPrintingFlags flags;
  flags.assumeVerified().useLocalScope();
  flags.enableDebugInfo(false).skipRegions(false);
  flags.elideLargeElementsAttrs(INT64_MAX);
  flags.elideLargeResourceString(UINT64_MAX);
  return flags;
}

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_KERNELTEXT_H
