//===- RunTest.h - one test in one mode -------------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_CONFORMANCE_RUNTEST_H
#define GLOW_TOOLS_CONFORMANCE_RUNTEST_H

#include "Suite.h"
#include "glow/Driver/Program.h"
#include "llvm/Support/JSON.h"

namespace mlir::glow {

/// What is done to a model before it is compiled.
enum class Mode {
  Given,    /// nothing
  Dynamic,  /// all extents of inputs are open
  Constant, /// inputs are constants
  Object    /// it is compiled ahead of time and runs in another process
};
inline constexpr Mode kModes[] = {Mode::Given, Mode::Dynamic, Mode::Constant,
                                  Mode::Object};
StringRef modeName(Mode mode);

struct Outcome {
  enum Status {
    Passed,
    Failed,       /// wrong results, a crash or no end
    Unsupported,  /// an error says that the model cannot be compiled
    Inexpressible /// the mode cannot have this test
  } status = Passed;
  std::string reason;
  /// Why Mode::Dynamic got code for each shape by itself; empty if it got code
  /// for ranges.
  std::string noRange;
  /// The largest error of a float in units of the last place.
  double ulps = 0;
  double compileMilliseconds = 0, runMilliseconds = 0;
  std::vector<std::string> operators, types; // of the model

  static Outcome failure(Status status, std::string reason);
  double milliseconds() const { return compileMilliseconds + runMilliseconds; }
  llvm::json::Object toJson() const;
  static Outcome fromJson(const llvm::json::Object &object);
};
StringRef statusName(Outcome::Status status);

/// Compiles the test's model and runs it on its data; not for Mode::Object.
Outcome runTest(const TestCase &test, Mode mode, const ProgramOptions &options);

/// Mode::Object in two halves, for two processes: `stem` begins the names of
/// the files that the first writes and the second runs and removes.
Outcome compileObjects(const TestCase &test, const ProgramOptions &options,
                       StringRef stem);
Outcome runObjects(const TestCase &test, const ProgramOptions &options,
                   StringRef stem);

} // namespace mlir::glow

#endif // GLOW_TOOLS_CONFORMANCE_RUNTEST_H
