//===- Variants.h - one model, compiled with several tunings ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_GLOW_TUNE_VARIANTS_H
#define GLOW_TOOLS_GLOW_TUNE_VARIANTS_H

#include "glow/Kernels/Kernels.h"
#include "glow/Tools/Inputs.h"
#include <set>

namespace mlir::glow {

/// The kernels of a model that can be made in several ways.
struct TunableModel {
  std::vector<TunableKernel> kernels;
  /// By which names a profile has the instructions of each: their own and those
  /// that they are part of.
  std::vector<std::set<std::string>> instructions;

  /// Whether times of one of these kernels say something of the other too.
  bool meet(size_t one, size_t other) const;
};

llvm::Expected<TunableModel> findKernels(StringRef model,
                                         const ProgramOptions &options);

/// Nanoseconds that all instructions of each kernel take in one run of the
/// model, and the whole run.
struct Times {
  std::vector<double> kernels;
  double run = 0;
};

/// What all variants are run on.
struct TimedRuns {
  /// Files of inputs, as for makeInputs.
  ArrayRef<std::string> inputs;
  unsigned rounds;
};

/// Compiles `model` once per tuning, null for none, and runs the variants in
/// turns. Times are the least of all rounds for each instruction.
llvm::Expected<std::vector<Times>>
timeVariants(StringRef model, const ProgramOptions &options,
             const TunableModel &kernels, ArrayRef<const Tuning *> tunings,
             const TimedRuns &runs);

} // namespace mlir::glow

#endif // GLOW_TOOLS_GLOW_TUNE_VARIANTS_H
