//===- Compile.cpp - the stages from a graph to machine code --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Driver/Compile.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Pipelines/Stages.h"
#include "glow/Support/ConstantScope.h"
#include "glow/Support/OutputFile.h"
#include "glow/Target/LLVM/Link.h"
#include "glow/Target/LLVM/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <mutex>

using namespace mlir;
using namespace mlir::glow;

namespace {
/// What may be done with f32.
struct Allowance {
  /// Extent of the tiles of Winograd convolutions.
  int64_t winogradOutputs = 0;
  /// In which tile registers multiply.
  int64_t pieces = 0;
  /// Of the weights of few rows.
  int64_t weightBits = 32;
  bool bfloat16 = false;
};
} // namespace

/// Steps from which on a recurrent layer is a loop; fewer take no longer to
/// compile one by one.
static constexpr int64_t kLeastSteps = 16;

static Allowance allowanceOf(Precision precision, const KernelTarget &target) {
  switch (precision) {
  case Precision::Strict:
    return {};
  case Precision::Fp32:
    return {2, 3, 32};
  case Precision::Fp32Fast:
    return {4, 2, 24};
  case Precision::Bf16:
    if (target.gainsFromBfloat16())
      return {2, 0, 32, true};
    // All that counts then are the bytes of weights.
    return {4, 0, 16};
  }
  llvm_unreachable("every precision is listed");
}

/// Writes the IR without the contents of weights.
static LogicalResult dumpStage(ModuleOp module, Stage stage, StringRef folder) {
  SmallString<128> file(folder);
  llvm::sys::path::append(file, Twine(static_cast<int>(stage)) + "-" +
                                    stageName(stage) + ".mlir");
  if (std::error_code failed = llvm::sys::fs::create_directories(
          folder, /*IgnoreExisting=*/true, llvm::sys::fs::all_all))
    return module.emitError("cannot write '")
           << file << "': " << failed.message();
  llvm::Error error = writeOutput(file, [&](raw_ostream &out) {
    OpPrintingFlags flags;
    flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
    module.print(out, flags);
    return llvm::Error::success();
  });
  if (error)
    return module.emitError(llvm::toString(std::move(error)));
  return success();
}

/// Writes the memory plan to `file`, whole or not at all.
static LogicalResult writePlan(ModuleOp module, StringRef file,
                               inst::PlanFormat format) {
  if (file.empty())
    return success();
  auto functions = llvm::to_vector(module.getOps<func::FuncOp>());
  if (functions.size() != 1)
    return module.emitError("a plan is that of one function, not of ")
           << functions.size();
  LogicalResult written = failure();
  llvm::Error error = writeOutput(file, [&](raw_ostream &out) {
    written = inst::exportPlan(functions.front(), out, format);
    return llvm::Error::success();
  });
  if (error)
    return module.emitError(llvm::toString(std::move(error)));
  return written;
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
    for (const std::string &bound : options.bounds)
      graph.bounds.push_back(bound);
    graph.leastSteps = kLeastSteps;
    graph.packWidth = 2 * target.vectorBits / 32;
    graph.constants = scope;
    graph.target = target;
    Allowance allowance = allowanceOf(options.precision, target);
    graph.winogradOutputs = allowance.winogradOutputs;
    if (target.has("amx-bf16"))
      graph.pieces = allowance.pieces;
    graph.weightBits = allowance.weightBits;
    graph.bfloat16 = allowance.bfloat16;
    buildGraphPipeline(manager, graph);
    break;
  }
  case Stage::Inst: {
    InstStageOptions inst;
    inst.fuseBands = true;
    inst.compactArguments = true;
    inst.target = target;
    inst.strassen = options.precision != Precision::Strict;
    inst.constants = scope;
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
    buildKernelPipeline(manager, target, options.checkBounds);
    break;
  }
}

namespace {
/// Keeps passes from running in a context.
class SkippedPasses {
public:
  SkippedPasses(MLIRContext *context, ArrayRef<std::string> passes)
      : context(passes.empty() ? nullptr : context) {
    if (this->context)
      context->registerActionHandler([passes](function_ref<void()> transform,
                                              const tracing::Action &action) {
        auto *pass = dyn_cast<PassExecutionAction>(&action);
        if (!pass || !llvm::is_contained(passes, pass->getPass().getArgument()))
          transform();
      });
  }
  ~SkippedPasses() {
    if (context)
      context->registerActionHandler(nullptr);
  }

private:
  MLIRContext *context;
};

/// One module on its way through the stages. Constants of `scope` are freed as
/// soon as they are not used.
struct Lowering {
  ModuleOp module;
  const CompileOptions &options;
  const Machine &machine;
  StageLog &log;
  ConstantScope *scope = nullptr;

  /// Runs the stages from `first` to `last`.
  LogicalResult run(Stage first, Stage last);
};
} // namespace

LogicalResult Lowering::run(Stage first, Stage last) {
  SkippedPasses skipped(module.getContext(), options.skippedPasses);
  for (int stage = static_cast<int>(first); stage <= static_cast<int>(last);
       ++stage) {
    auto current = static_cast<Stage>(stage);
    PassManager manager(module.getContext());
    buildStage(manager, current, options, machine.kernels, scope);
    // Behind each pass verifiers take as long as the passes. Those of the graph
    // stage find what is wrong in a model, as early as extents are known, and
    // run where the pipeline says so; those of instructions find only what is
    // wrong in a pass, so once for each stage will do.
    manager.enableVerifier(false);
    if (current != Stage::Import && failed(log.measure(stageName(current), [&] {
          return success(succeeded(manager.run(module)) &&
                         succeeded(verify(module)));
        })))
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

static FailureOr<Machine> machineOf(ModuleOp module,
                                    const CompileOptions &options) {
  auto machine = resolveMachine(options.machine);
  if (!machine)
    return module.emitError(llvm::toString(machine.takeError()));
  return *machine;
}

namespace {
/// The options without ranges of shapes, and the machine that they mean.
struct Settings {
  CompileOptions options;
  Machine machine;
};
} // namespace

static FailureOr<Settings> settingsOf(ModuleOp module, CompileOptions options) {
  if (failed(resolveRanges(module, options)))
    return failure();
  FailureOr<Machine> machine = machineOf(module, options);
  if (failed(machine))
    return failure();
  return Settings{std::move(options), std::move(*machine)};
}

LogicalResult glow::lowerModule(ModuleOp module, Stage last,
                                const CompileOptions &options, StageLog &log) {
  FailureOr<Settings> settings = settingsOf(module, options);
  if (failed(settings))
    return failure();
  return Lowering{module, settings->options, settings->machine, log}.run(
      Stage::Import, last);
}

/// The cache that the options name; null if there is none. Only a cache that
/// was asked for and cannot be used is worth a warning.
static std::unique_ptr<KernelCache> openCache(const CompileOptions &options) {
  std::string folder = KernelCache::folderOf(options.kernelCache);
  // Dumps are to show every kernel. What changes the code of a kernel otherwise
  // is no part of its key.
  if (folder.empty() || compilerIdentity().empty() ||
      !options.dumpFolder.empty() || options.checkBounds ||
      !options.skippedPasses.empty())
    return nullptr;
  auto cache = KernelCache::open(folder);
  if (cache)
    return std::move(*cache);
  std::string why = llvm::toString(cache.takeError());
  static std::once_flag warned;
  if (folder != KernelCache::defaultFolder())
    std::call_once(warned, [&] { llvm::errs() << "warning: " << why << "\n"; });
  return nullptr;
}

namespace {
/// A module in machine code but for its kernels' objects.
struct Lowered {
  Machine machine;
  std::unique_ptr<KernelCache> cache;
  KernelObjects kernels;
  ProgramSpec program;
};
} // namespace

/// Lowers a module all the way, but for kernels that were compiled before.
static FailureOr<Lowered> lowerProgram(ModuleOp module,
                                       const CompileOptions &given,
                                       StageLog &log, ConstantScope &scope) {
  FailureOr<Settings> settings = settingsOf(module, given);
  if (failed(settings))
    return failure();
  auto &[options, machine] = *settings;
  Lowering lowering{module, options, machine, log, &scope};
  if (failed(lowering.run(Stage::Import, Stage::Kernels)))
    return failure();
  std::unique_ptr<KernelCache> cache = openCache(options);
  KernelObjects kernels = log.measure("cache", [&] {
    return KernelObjects(module, settings->machine, cache.get());
  });
  log.kernels = kernels.entries.size();
  log.cachedKernels = llvm::count_if(
      kernels.entries, [](const auto &entry) { return bool(entry.object); });
  if (failed(lowering.run(Stage::LLVM, Stage::LLVM)))
    return failure();
  FailureOr<ProgramSpec> program = readProgram(module, kernels);
  if (failed(program))
    return failure();
  return Lowered{std::move(machine), std::move(cache), std::move(kernels),
                 std::move(*program)};
}

FailureOr<std::unique_ptr<JitModel>>
glow::compileInProcess(ModuleOp module, const CompileOptions &options,
                       StageLog &log) {
  ConstantScope scope(module.getContext());
  auto lowered = lowerProgram(module, options, log, scope);
  if (failed(lowered))
    return failure();
  EmitOptions emit;
  emit.machine = lowered->machine;
  const ProgramSpec &program = lowered->program;
  auto objects = log.measure("codegen", [&] {
    return emitObjects(module.getContext(), std::move(lowered->kernels),
                       program, emit);
  });
  if (!objects)
    return module.emitError(llvm::toString(objects.takeError()));
  auto jit = log.measure("link", [&] {
    return JitModel::create(std::move(*objects), program, emit.symbol, &scope);
  });
  if (!jit)
    return module.emitError(llvm::toString(jit.takeError()));
  return std::move(*jit);
}

LogicalResult glow::compileToFile(ModuleOp module, StringRef path,
                                  const CompileOptions &options,
                                  StageLog &log) {
  ConstantScope scope(module.getContext());
  auto lowered = lowerProgram(module, options, log, scope);
  if (failed(lowered))
    return failure();
  auto write = path.ends_with(".o") ? writeObjectBundle : writeSharedLibrary;
  llvm::Error error = log.measure("codegen", [&] {
    return write({module.getContext(), lowered->program,
                  std::move(lowered->kernels), lowered->machine, &scope},
                 path);
  });
  if (error)
    return module.emitError(llvm::toString(std::move(error)));
  return success();
}
