//===- Compile.cpp - the stages from a graph to machine code --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Driver/Compile.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Pipelines/Stages.h"
#include "glow/Support/ConstantScope.h"
#include "glow/Target/LLVM/Link.h"
#include "glow/Target/LLVM/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::glow;

/// The tiles of Winograd convolutions that a precision allows.
static int64_t winogradOutputs(Precision precision) {
  switch (precision) {
  case Precision::Strict:
    return 0;
  case Precision::Fp32:
    return 2;
  case Precision::Fp32Fast:
    return 4;
  }
  llvm_unreachable("every precision is listed");
}

/// Writes the IR without the contents of weights.
static LogicalResult dumpStage(ModuleOp module, Stage stage, StringRef folder) {
  SmallString<128> file(folder);
  llvm::sys::path::append(file, Twine(static_cast<int>(stage)) + "-" +
                                    stageName(stage) + ".mlir");
  llvm::Error error =
      llvm::errorCodeToError(llvm::sys::fs::create_directories(folder));
  if (!error)
    error = llvm::writeToOutput(file, [&](raw_ostream &out) {
      OpPrintingFlags flags;
      flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
      module.print(out, flags);
      return llvm::Error::success();
    });
  if (error)
    return module.emitError("cannot write '")
           << file << "': " << llvm::toString(std::move(error));
  return success();
}

/// Writes the memory plan to `file`, whole or not at all.
static LogicalResult writePlan(ModuleOp module, StringRef file,
                               inst::PlanFormat format) {
  if (file.empty())
    return success();
  for (auto function : module.getOps<func::FuncOp>()) {
    LogicalResult written = failure();
    llvm::Error error = llvm::writeToOutput(file, [&](raw_ostream &out) {
      written = inst::exportPlan(function, out, format);
      return llvm::Error::success();
    });
    if (error)
      return function.emitError("cannot write '")
             << file << "': " << llvm::toString(std::move(error));
    if (failed(written))
      return failure();
  }
  return success();
}

/// What the memory plan came to; the largest if there are several functions.
static void logArena(ModuleOp module, StageLog &log) {
  for (auto function : module.getOps<func::FuncOp>())
    if (auto size = inst::arenaSizeOf(function))
      if (!log.arena || log.arena->bytes < size->bytes)
        log.arena = size;
}

/// Adds the passes that lead from the stage before `stage` to it.
static void buildStage(OpPassManager &manager, Stage stage,
                       const CompileOptions &options,
                       const KernelTarget &target, ConstantScope *scope) {
  switch (stage) {
  case Stage::Import:
    break;
  case Stage::Graph: {
    GraphStageOptions graph;
    for (const std::string &shape : options.shapes)
      graph.shapes.push_back(shape);
    graph.packWidth = 2 * target.vectorBits / 32;
    graph.constants = scope;
    graph.winogradOutputs = winogradOutputs(options.precision);
    graph.target = target;
    buildGraphPipeline(manager, graph);
    break;
  }
  case Stage::Inst: {
    InstStageOptions inst;
    inst.budget = options.memoryBudget;
    buildInstPipeline(manager, inst);
    break;
  }
  case Stage::Kernels: {
    OutlineKernelsOptions outline;
    outline.target = target;
    manager.addPass(createOutlineKernels(outline));
    break;
  }
  case Stage::LLVM:
    buildKernelPipeline(manager);
    break;
  }
}

/// Constants of `scope` are freed as soon as they are not used.
static LogicalResult lower(ModuleOp module, Stage last,
                           const CompileOptions &options,
                           const MachineOptions &machine, StageLog &log,
                           ConstantScope *scope = nullptr) {
  KernelTarget target = kernelTargetOf(machine);
  if (!options.dumpFolder.empty() &&
      failed(dumpStage(module, Stage::Import, options.dumpFolder)))
    return failure();
  for (int stage = 1; stage <= static_cast<int>(last); ++stage) {
    auto current = static_cast<Stage>(stage);
    PassManager manager(module.getContext());
    buildStage(manager, current, options, target, scope);
    if (failed(log.measure(stageName(current),
                           [&] { return manager.run(module); })))
      return failure();
    if (!options.dumpFolder.empty() &&
        failed(dumpStage(module, current, options.dumpFolder)))
      return failure();
    if (current != Stage::Inst)
      continue;
    logArena(module, log);
    if (failed(writePlan(module, options.planJson, inst::PlanFormat::JSON)) ||
        failed(writePlan(module, options.planPicture, inst::PlanFormat::SVG)))
      return failure();
  }
  return success();
}

static FailureOr<MachineOptions> machineOf(ModuleOp module,
                                           const CompileOptions &options) {
  auto machine = resolveMachine(options.machine);
  if (!machine)
    return module.emitError(llvm::toString(machine.takeError()));
  return *machine;
}

LogicalResult glow::lowerModule(ModuleOp module, Stage last,
                                const CompileOptions &options, StageLog &log) {
  FailureOr<MachineOptions> machine = machineOf(module, options);
  return failed(machine) ? failure()
                         : lower(module, last, options, *machine, log);
}

/// Lowers a module all the way and reads the program in it.
static FailureOr<ProgramSpec> lowerProgram(ModuleOp module,
                                           const CompileOptions &options,
                                           const MachineOptions &machine,
                                           StageLog &log,
                                           ConstantScope &scope) {
  if (failed(lower(module, Stage::LLVM, options, machine, log, &scope)))
    return failure();
  return readProgram(module);
}

FailureOr<std::unique_ptr<JitModel>>
glow::compileInProcess(ModuleOp module, const CompileOptions &options,
                       StageLog &log) {
  ConstantScope scope(module.getContext());
  EmitOptions emit;
  FailureOr<MachineOptions> machine = machineOf(module, options);
  if (failed(machine))
    return failure();
  emit.machine = *machine;
  auto program = lowerProgram(module, options, *machine, log, scope);
  if (failed(program))
    return failure();
  auto objects = log.measure(
      "codegen", [&] { return emitObjects(module, *program, emit); });
  if (!objects)
    return module.emitError(llvm::toString(objects.takeError()));
  auto jit = log.measure("link", [&] {
    return JitModel::create(std::move(*objects), *program, emit.symbol, &scope);
  });
  if (!jit)
    return module.emitError(llvm::toString(jit.takeError()));
  return std::move(*jit);
}

LogicalResult glow::compileToFile(ModuleOp module, StringRef path,
                                  const CompileOptions &options,
                                  StageLog &log) {
  ConstantScope scope(module.getContext());
  FailureOr<MachineOptions> machine = machineOf(module, options);
  if (failed(machine))
    return failure();
  auto program = lowerProgram(module, options, *machine, log, scope);
  if (failed(program))
    return failure();
  auto write = path.ends_with(".o") ? writeObjectBundle : writeSharedLibrary;
  llvm::Error error = log.measure("codegen", [&] {
    return write(module, *program, *machine, path, &scope);
  });
  if (error)
    return module.emitError(llvm::toString(std::move(error)));
  return success();
}
