//===- Program.h - What can be loaded and run -------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_PROGRAM_H
#define GLOW_RUNTIME_PROGRAM_H

#include "glow-c/ModelABI.h"
#include "glow-c/Status.h"

#include <memory>
#include <string>
#include <vector>

namespace glow::runtime {

class Profile;

/// Scratch memory and whatever else one run at a time needs. Keeps its program
/// alive.
class Execution {
public:
  virtual ~Execution() = default;
  /// Runs once. All buffers have the sizes of the descriptions and are aligned
  /// to their elements. Behind the inputs come the values of the symbols if
  /// there are any, and behind the outputs those that are computed. `profile`
  /// may be null.
  virtual GlowStatus run(GlowExec &exec, Profile *profile,
                         const void *const *inputs, void *const *outputs) = 0;
};

/// A loaded model or package. Immutable, and so usable from many threads.
class Program : public std::enable_shared_from_this<Program> {
public:
  virtual ~Program() = default;
  virtual GlowStatus createExecution(std::unique_ptr<Execution> &result) = 0;
  /// The extents of the inputs, then of the outputs, for values of the symbols,
  /// and of those that are computed; null stands for the largest.
  virtual std::vector<int64_t>
  extents(const int64_t * /*values*/,
          const int64_t * /*computed*/ = nullptr) const {
    return {};
  }

  std::string name;
  /// Without the values of the symbols.
  std::vector<GlowTensorDesc> inputs, outputs;
  std::vector<GlowSymbol> symbols, computedSymbols;
  std::vector<GlowList> inputLists, outputLists;
  std::vector<GlowInstrDesc> instrs;
  uint64_t arenaBytes = 0;
  /// Behind the arena, for every thread but the first.
  uint64_t workerBytes = 0;
  uint64_t weightsBytes = 0;
  int32_t threads = 1;
};

using ProgramPtr = std::shared_ptr<Program>;

/// Calls `release(user)` when the last program that holds it is gone.
struct Owner {
  void (*release)(void *user) = nullptr;
  void *user = nullptr;
};

/// Loads a `.so` that exports `glow_model`.
GlowStatus loadModelFile(const std::string &path, int32_t threads,
                         ProgramPtr &result);

/// Takes a descriptor in memory; see glow_rt_load_model.
GlowStatus loadModel(const GlowModel *model, const char *weightsFolder,
                     int32_t threads, Owner owner, ProgramPtr &result);

/// Loads a folder with a manifest.json; see Package.h.
GlowStatus loadPackage(const std::string &folder, int32_t threads,
                       ProgramPtr &result);

/// Checks everything about a descriptor that can be checked without running it:
/// version, sizes, tensors, processor. docs/ABI.md lists the rules.
GlowStatus checkModel(const GlowModel *model);

} // namespace glow::runtime

/// The C interface's program, see glow-c/Runtime.h. C++ code that made a
/// program itself hands it over as `new GlowRtProgram{std::move(program)}`.
struct GlowRtProgram {
  glow::runtime::ProgramPtr impl;
};

#endif // GLOW_RUNTIME_PROGRAM_H
