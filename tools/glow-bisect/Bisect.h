//===- Bisect.h - where compiled code goes wrong ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_GLOW_BISECT_BISECT_H
#define GLOW_TOOLS_GLOW_BISECT_BISECT_H

#include "Trial.h"

namespace mlir::glow {

/// The fewest steps in a row whose compiled result departs from what the
/// interpreter makes of the same inputs.
struct Fault {
  size_t begin, end;
  Window window;
  std::vector<OutputTensor> inputs; // of the window
  Trial trial;                      // of the window
  size_t result;                    // the one that departs
};

/// Finds the first fault of a function, or none. Only the tensors between two
/// steps are held at a time.
llvm::Expected<std::optional<Fault>>
bisectOps(const Steps &steps, Tensors inputs, const ProgramOptions &options,
          const Bound &bound, raw_ostream &progress);

/// Reports the pass that `fault` comes from: on graphs the first after which
/// the interpreter computes something else; later, those without which compiled
/// code is right.
llvm::Error bisectPasses(const Fault &fault, const ProgramOptions &options,
                         const Bound &bound, raw_ostream &out);

/// Writes the window with its inputs and the expected results to `folder`, and
/// returns the command that runs it as `options` say and compares as `bound`.
llvm::Expected<std::string> writeReproducer(const Fault &fault,
                                            const ProgramOptions &options,
                                            const Bound &bound,
                                            StringRef folder);

} // namespace mlir::glow

#endif // GLOW_TOOLS_GLOW_BISECT_BISECT_H
