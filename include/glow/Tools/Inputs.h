//===- Inputs.h - what a model is run on ------------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_INPUTS_H
#define GLOW_TOOLS_INPUTS_H

#include "glow/Driver/Program.h"
#include "glow/Runtime/Npy.h"
#include <deque>

namespace mlir::glow {

/// How pictures become numbers: value * scale + offset.
struct ImageScaling {
  double scale = 1.0 / 255;
  double offset = 0;
};

/// The tensors of one run and the memory behind them.
struct Inputs {
  std::deque<std::string> names;
  std::deque<::glow::runtime::Array> arrays;
  std::vector<GlowTensor> tensors;

  /// Adds a tensor; those of a list have names as glow_run wants them.
  void add(std::string name, ::glow::runtime::Array array);
};

/// Reads `files` (name=FILE, or FILE alone for a model with one input; .npy,
/// .pb, .png, .pgm or .ppm; or a folder with input_0.pb and so on). Inputs that
/// no file names are generated: pseudo-random numbers, the same in every run,
/// with extent 1 where a shape is open, and no tensors in lists.
llvm::Expected<Inputs> makeInputs(const Program &program,
                                  ArrayRef<std::string> files,
                                  const ImageScaling &scaling);

} // namespace mlir::glow

#endif // GLOW_TOOLS_INPUTS_H
