//===- ModelProgram.h - programs that hold a model's graph ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DRIVER_MODELPROGRAM_H
#define GLOW_LIB_DRIVER_MODELPROGRAM_H

#include "glow/Driver/CompilePackage.h"
#include "glow/Driver/Program.h"
#include "glow/Translate/ONNX.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include <functional>
#include <mutex>

namespace mlir::glow {

/// A program that keeps the imported module, in a context of its own.
class ModelProgram : public Program {
public:
  ModelProgram(std::unique_ptr<MLIRContext> context,
               OwningOpRef<ModuleOp> module, const ProgramOptions &options);

protected:
  /// Fills inputs and outputs from the main function's signature. Of a bounded
  /// function they are what a caller sees if `hidesBounds`: extents that vary
  /// are dynamic, and the values of the symbols are no input.
  llvm::Error describe(bool hidesBounds);
  func::FuncOp mainFunction();

  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  ProgramOptions options;
  std::mutex mutex; // of the module and what is made from it
};

/// Collects the errors that MLIR reports while it lives.
class ErrorCollector {
public:
  explicit ErrorCollector(MLIRContext *context);
  /// All errors so far, or `fallback`.
  llvm::Error take(StringRef fallback);

private:
  std::string text;
  std::mutex mutex;
  ScopedDiagnosticHandler handler;
};

/// Compiles a module for the card that `options.target` names and loads the
/// package that comes out.
llvm::Expected<std::shared_ptr<GlowRtProgram>>
loadPackaged(ModuleOp module, const ProgramOptions &options,
             const PackageCompileOptions &package, StageLog &log);

/// Reads the model into a context, with what is known of its inputs' values.
using ModelLoader =
    std::function<OwningOpRef<ModuleOp>(MLIRContext *, ONNXInputValues *)>;

/// The program of a model, of the kind that the options ask for.
llvm::Expected<std::unique_ptr<Program>>
makeProgram(const ProgramOptions &options, ModelLoader load);

llvm::Expected<std::unique_ptr<Program>>
makeInterpretedProgram(std::unique_ptr<MLIRContext> context,
                       OwningOpRef<ModuleOp> module,
                       const ProgramOptions &options);
llvm::Expected<std::unique_ptr<Program>>
makeCompiledProgram(std::unique_ptr<MLIRContext> context,
                    OwningOpRef<ModuleOp> module,
                    const ProgramOptions &options);
/// A program that reads the model once more is known of its inputs.
std::unique_ptr<Program> makeWaitingProgram(const ProgramOptions &options,
                                            ModelLoader load,
                                            const ONNXInputValues &values);

} // namespace mlir::glow

#endif // GLOW_LIB_DRIVER_MODELPROGRAM_H
