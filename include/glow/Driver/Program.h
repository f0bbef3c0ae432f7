//===- Program.h - a model that is ready to run ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the C API, the Python package and glow-run call. A program is compiled
// in this process, loaded from a file, or interpreted.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DRIVER_PROGRAM_H
#define GLOW_DRIVER_PROGRAM_H

#include "glow-c/Compiler.h"
#include "glow-c/Runtime.h"
#include "glow/Dialect/Glow/IR/Lists.h"
#include "glow/Driver/Compile.h"
#include "llvm/Support/Error.h"
#include <functional>

namespace mlir::glow {

/// How a program with open extents, compiled in this process, serves them.
enum class DynamicShapes {
  Auto,  /// for ranges where they vary, for single shapes that are frequent
  Exact, /// for each shape by itself
  Ranges /// for ranges only
};
std::optional<DynamicShapes> parseDynamicShapes(StringRef text);

struct ProgramOptions {
  CompileOptions compile;
  DynamicShapes dynamicShapes = DynamicShapes::Auto;
  /// "cpu", "interpret", "interpret-double", which computes single precision
  /// in double and returns it so, or the text of a target attribute.
  std::string target = "cpu";
  /// Dialect plug-ins, which may bring the target. The library with the driver
  /// of its device is looked for beside them.
  std::vector<std::string> plugins;
  uint32_t threads = 0;
  /// Specialisations kept of a model with dynamic shapes.
  unsigned cacheSize = 16;
  /// An error if the model's file is not what it was when it was opened, whose
  /// weights are still read from there. Set by `Program::compile`.
  std::function<llvm::Error()> checkFile;
};

class ContextPool;

/// An output of a run. It owns its memory.
struct OutputTensor {
  std::vector<int64_t> dims;
  uint32_t dtype = 0;
  std::shared_ptr<const void> data;
  uint64_t bytes = 0;
};

class Program {
public:
  struct Info {
    std::string name;
    std::vector<int64_t> dims; // -1 where dynamic
    uint32_t dtype;
    /// If it is not a tensor, what is said above holds for the tensors in it.
    uint32_t kind = GLOW_TENSOR;
    bool hasRank = true; // otherwise `dims` is empty
  };
  std::vector<Info> inputs, outputs;
  /// Which of them form sequences and optionals.
  std::vector<TensorList> inputLists, outputLists;
  std::string name;

  Program();
  virtual ~Program();

  /// Runs on one tensor per input, in the order of `inputs`. Checks element
  /// types, shapes and sizes first. May be called from several threads.
  virtual llvm::Expected<std::vector<OutputTensor>>
  run(ArrayRef<GlowTensor> tensors);

  /// A program and its inputs in order. The program may be this one.
  struct Bound {
    Program *program;
    std::vector<GlowTensor> tensors;
    std::shared_ptr<Program> owner; // of another program
  };
  /// Finds the program for tensors that are told apart by their names; those in
  /// a list `x` are x[0], x[1] and so on, see glow_run.
  virtual llvm::Expected<Bound> bind(ArrayRef<GlowTensor> tensors);

  /// Writes a shared library, or for a card a package, if each shape is known
  /// or has a range.
  virtual llvm::Error save(StringRef path) = 0;

  /// The runtime's program for inputs of these shapes, compiled if need be;
  /// null if the program is interpreted. Lives as long as this object.
  virtual llvm::Expected<std::shared_ptr<GlowRtProgram>>
  specialize(ArrayRef<GlowTensor> tensors) = 0;

  /// Times of the compilations so far.
  const StageLog &stages() const { return log; }

  static llvm::Expected<std::unique_ptr<Program>>
  compile(StringRef path, const ProgramOptions &options);
  static llvm::Expected<std::unique_ptr<Program>>
  compile(StringRef bytes, StringRef folder, const ProgramOptions &options);
  /// Loads a `.so` or a package.
  static llvm::Expected<std::unique_ptr<Program>> load(StringRef path,
                                                       uint32_t threads);

protected:
  virtual llvm::Expected<std::vector<OutputTensor>>
  runChecked(ArrayRef<GlowTensor> tensors);
  llvm::Error checkCount(ArrayRef<GlowTensor> tensors) const;
  /// One input against what the model declares.
  static llvm::Error checkTensor(const Info &info, const GlowTensor &tensor);
  static llvm::Error missingInput(StringRef name);
  StageLog log;

private:
  std::unique_ptr<ContextPool> contexts;
};

/// Tells a context of `program` where its inputs lie and the extents of those
/// that vary. The tensors are as Program::run takes them; an error if their
/// extents do not agree.
llvm::Error bindInputs(GlowRtProgram *program, GlowRtContext *context,
                       ArrayRef<GlowTensor> tensors);

/// The index of the input called `name`, or an error that lists the names.
llvm::Expected<size_t> findInput(const Program &program, StringRef name);

} // namespace mlir::glow

#endif // GLOW_DRIVER_PROGRAM_H
