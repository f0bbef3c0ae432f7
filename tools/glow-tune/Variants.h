//===- Variants.h - one model, compiled with several tunings ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_GLOW_TUNE_VARIANTS_H
#define GLOW_TOOLS_GLOW_TUNE_VARIANTS_H

#include "glow/Kernels/Kernels.h"
#include "glow/Tools/Inputs.h"

namespace mlir::glow {

/// The kernels of a model that can be made in several ways.
struct TunableModel {
  std::vector<TunableKernel> kernels;
  /// The place in `kernels` of each instruction, -1 for others.
  std::vector<int> ofInstruction;
};

llvm::Expected<TunableModel> findKernels(StringRef model,
                                         const ProgramOptions &options);

/// Nanoseconds that each kernel takes in one run of the model, all its
/// instructions together, and the whole run.
struct Times {
  std::vector<double> kernels;
  double run = 0;
};

/// Compiles `model` once per tuning, null for none, and runs the variants in
/// turns. Times are the least of `rounds` for each instruction.
llvm::Expected<std::vector<Times>>
timeVariants(StringRef model, const ProgramOptions &options,
             const TunableModel &kernels, ArrayRef<const Tuning *> tunings,
             unsigned rounds);

} // namespace mlir::glow

#endif // GLOW_TOOLS_GLOW_TUNE_VARIANTS_H
