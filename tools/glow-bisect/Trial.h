//===- Trial.h - a window, compiled and interpreted -------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_GLOW_BISECT_TRIAL_H
#define GLOW_TOOLS_GLOW_BISECT_TRIAL_H

#include "Steps.h"
#include "glow/Driver/Program.h"
#include "glow/Tools/Accuracy.h"

namespace mlir::glow {

/// Tensors by the values of the whole function that they are.
using Tensors = llvm::DenseMap<Value, OutputTensor>;

/// When a tensor departs from what the interpreter computes.
struct Bound {
  double relative; /// largest error over the largest value
  double ulps;     /// or, if positive, units in the last place of each element

  bool isMet(const Errors &errors) const {
    if (errors.mismatches)
      return false;
    return ulps > 0 ? errors.maxUlps <= ulps : errors.relative() <= relative;
  }
};

/// What became of a module: the interpreter's results, and how far those of
/// compiled code are from them.
struct Trial {
  std::vector<Program::Info> inputs, outputs;
  std::vector<OutputTensor> wanted;
  std::vector<Errors> errors;

  /// The first result that departs.
  std::optional<size_t> departs(const Bound &bound) const;
};

/// Runs `module` as `options` say, on tensors in the order of its arguments.
/// `interface` gets the descriptions of inputs and outputs.
llvm::Expected<std::vector<OutputTensor>>
runModule(ModuleOp module, const ProgramOptions &options,
          ArrayRef<OutputTensor> inputs, Trial *interface = nullptr);

/// The errors of each of `actual`.
llvm::Expected<std::vector<Errors>> findErrors(ArrayRef<Program::Info> outputs,
                                               ArrayRef<OutputTensor> actual,
                                               ArrayRef<OutputTensor> wanted);

/// The tensors that `window` takes.
std::vector<OutputTensor> inputsOf(const Window &window,
                                   const Tensors &tensors);

/// Compiles and interprets a window.
llvm::Expected<Trial> tryWindow(const Window &window, const Tensors &tensors,
                                const ProgramOptions &options);

} // namespace mlir::glow

#endif // GLOW_TOOLS_GLOW_BISECT_TRIAL_H
