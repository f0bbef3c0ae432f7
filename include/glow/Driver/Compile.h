//===- Compile.h - the stages from a graph to machine code -----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DRIVER_COMPILE_H
#define GLOW_DRIVER_COMPILE_H

#include "glow/Dialect/Inst/Transforms/MemoryPlan.h"
#include "glow/Driver/Precision.h"
#include "glow/Target/LLVM/Jit.h"
#include "glow/Target/LLVM/Machine.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include <string>
#include <vector>

namespace mlir::glow {

struct ONNXInputValues;

/// Where a module stands. Each stage ends in a form that prints and parses.
enum class Stage { Import, Graph, Inst, Kernels, LLVM };
StringRef stageName(Stage stage);
std::optional<Stage> parseStage(StringRef name);

struct CompileOptions {
  Precision precision = Precision::Fp32;
  MachineOptions machine;
  /// Shapes of inputs, as name=1x3x224x224. An extent may be a range, as in
  /// ids=1x1..512, or left open by a question mark.
  std::vector<std::string> shapes;
  /// Ranges of open extents by their names, as sequence=1..512. With any, all
  /// open extents must have one.
  std::vector<std::string> bounds;
  /// Values that the elements of integer inputs may have, as repeats=0..4. They
  /// bound the extents that are computed from such an input.
  std::vector<std::string> values;
  /// The most elements that data may decide along an axis of what a function of
  /// the runtime makes, as node=8192.
  std::vector<std::string> most;
  /// Bytes that the arena may take; 0: no limit.
  int64_t memoryBudget = 0;
  /// A folder that gets the IR after each stage; empty: none.
  std::string dumpFolder;
  /// The folder of compiled kernels, or "off"; empty: the user's.
  std::string kernelCache;
  /// Kernels check each address. For finding faults: they are slow.
  bool checkBounds = false;
  /// Arguments of passes that are not run. Code may come out wrong or not at
  /// all: it is for finding the pass that a fault comes from.
  std::vector<std::string> skippedPasses;
  /// Files for the memory plan; empty: none. The picture is SVG.
  std::string planJson, planPicture;
};

/// Time and memory of the stages of a compilation, and what came out.
class StageLog {
public:
  struct Row {
    std::string name;
    double seconds;
    uint64_t peakBytes; // resident memory of the process, at its highest
  };
  /// Runs `body` and records it under `name`.
  template <typename Body> auto measure(StringRef name, Body body) {
    Timer timer(*this, name);
    return body();
  }
  void print(raw_ostream &out) const;
  /// One line: the bytes of the arena against their lower bound.
  void printArena(raw_ostream &out) const;
  std::vector<Row> rows;
  std::optional<inst::ArenaSize> arena; // of the model's function, once planned
  /// Distinct kernels, and how many of them were compiled before.
  size_t kernels = 0, cachedKernels = 0;

private:
  struct Timer {
    Timer(StageLog &log, StringRef name);
    ~Timer();
    StageLog &log;
    std::string name;
    double start;
  };
};

/// Makes `bounds` of the ranges in `shapes`, which become question marks, and
/// notes what `values` and `most` say on arguments and ops. The compilations
/// below do so themselves.
LogicalResult resolveRanges(ModuleOp module, CompileOptions &options);

/// Reads an ONNX model, or IR as text or bytecode, told apart by their
/// contents.
OwningOpRef<ModuleOp> loadModule(StringRef path, MLIRContext *context,
                                 ONNXInputValues *values = nullptr);
OwningOpRef<ModuleOp> loadModule(std::unique_ptr<llvm::MemoryBuffer> buffer,
                                 StringRef folder, MLIRContext *context,
                                 ONNXInputValues *values = nullptr);

/// Lowers an imported module to the end of stage `last`, for a CPU.
LogicalResult lowerModule(ModuleOp module, Stage last,
                          const CompileOptions &options, StageLog &log);

/// Lowers an imported module and loads its machine code into this process. The
/// module is used up: its constants are freed.
FailureOr<std::unique_ptr<JitModel>>
compileInProcess(ModuleOp module, const CompileOptions &options, StageLog &log);

/// Lowers an imported module and writes a shared library (`.so`) or an object
/// with header, weights and manifest (`.o`). The module is used up.
LogicalResult compileToFile(ModuleOp module, StringRef path,
                            const CompileOptions &options, StageLog &log);

} // namespace mlir::glow

#endif // GLOW_DRIVER_COMPILE_H
