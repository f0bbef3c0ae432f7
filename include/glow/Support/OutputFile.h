//===- OutputFile.h - files that appear when complete -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_OUTPUTFILE_H
#define GLOW_SUPPORT_OUTPUTFILE_H

#include "mlir/Support/LLVM.h"
#include "llvm/Support/Error.h"

namespace mlir::glow {

/// Writes a file, which takes its name when it is complete, or to the standard
/// output for "-". After an error, as a full disk is, what was there before is
/// still there. LLVM's function of this kind ends the process then.
llvm::Error writeOutput(StringRef path,
                        llvm::function_ref<llvm::Error(raw_ostream &)> write);

} // namespace mlir::glow

#endif // GLOW_SUPPORT_OUTPUTFILE_H
