//===- Search.h - the best choices by measurement --------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_GLOW_TUNE_SEARCH_H
#define GLOW_TOOLS_GLOW_TUNE_SEARCH_H

#include "Variants.h"

namespace mlir::glow {

/// Gives variants times; what `timeVariants` does for a model.
using TimeFunction = std::function<llvm::Expected<std::vector<Times>>(
    ArrayRef<const Tuning *> tunings)>;

struct SearchOptions {
  /// Variants that are timed in turns: more need more memory.
  unsigned atOnce = 4;
  /// The part of its time that a kernel must gain to be changed: less is noise.
  double leastGain = 0.02;
  /// Whether the log has the time of each candidate.
  bool isVerbose = false;
};

/// Such as "tile 14 x 2  blocks 0, 0", where 0 leaves it to the model.
llvm::raw_ostream &operator<<(llvm::raw_ostream &out,
                              const ContractionChoices &choices);

/// Searches all kernels at once that do not meet in an instruction, one choice
/// after the other: tiles, blocks of rows, blocks of columns. Adds to `tuning`
/// what is faster than the analytic model's choices.
llvm::Error search(const TunableModel &model, const KernelTarget &target,
                   const SearchOptions &options, const TimeFunction &time,
                   raw_ostream &log, Tuning &tuning);

} // namespace mlir::glow

#endif // GLOW_TOOLS_GLOW_TUNE_SEARCH_H
