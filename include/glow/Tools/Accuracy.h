//===- Accuracy.h - errors against double precision ------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_ACCURACY_H
#define GLOW_TOOLS_ACCURACY_H

#include "glow/Driver/Program.h"
#include "llvm/Support/JSON.h"

namespace mlir::glow {

/// Errors of the values of one tensor, where both sides are finite.
struct Errors {
  double maxAbsolute = 0, maxRelative = 0, maxUlps = 0, maxWanted = 0;
  double squares = 0, wantedSquares = 0, ulps = 0;
  size_t finite = 0;
  /// Values of which one side alone is infinite or not a number, or they are
  /// infinite with different signs; of integers and truths, other values.
  size_t mismatches = 0;

  void add(double actual, double wanted, double ulp);
  double rms() const;
  double meanUlps() const { return finite ? ulps / finite : 0; }
  /// The largest error over the largest value; infinite if values mismatch.
  double relative() const;
};

/// The errors of `actual`, the tensor that `info` describes. A shape other than
/// that of `wanted`, or elements that are no numbers, are an error.
llvm::Expected<Errors> findErrors(const Program::Info &info,
                                  const OutputTensor &actual,
                                  const OutputTensor &wanted);

/// Evaluates `model` in double precision on `inputs` and reports how far each
/// of `outputs`, the results of `program`, is from that.
llvm::Error reportAccuracy(StringRef model, const ProgramOptions &options,
                           const Program &program, ArrayRef<GlowTensor> inputs,
                           ArrayRef<OutputTensor> outputs, raw_ostream &out,
                           llvm::json::Object &report);

} // namespace mlir::glow

#endif // GLOW_TOOLS_ACCURACY_H
