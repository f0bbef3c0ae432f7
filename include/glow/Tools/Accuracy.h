//===- Accuracy.h - errors against double precision ------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_ACCURACY_H
#define GLOW_TOOLS_ACCURACY_H

#include "glow/Driver/Program.h"
#include "llvm/Support/JSON.h"

namespace mlir::glow {

/// Evaluates `model` in double precision on `inputs` and reports how far each
/// of `outputs`, the results of `program`, is from that.
llvm::Error reportAccuracy(StringRef model, const ProgramOptions &options,
                           const Program &program, ArrayRef<GlowTensor> inputs,
                           ArrayRef<OutputTensor> outputs, raw_ostream &out,
                           llvm::json::Object &report);

} // namespace mlir::glow

#endif // GLOW_TOOLS_ACCURACY_H
