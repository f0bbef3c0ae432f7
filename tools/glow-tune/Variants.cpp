//===- Variants.cpp - one model, compiled with several tunings ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Variants.h"
#include "glow/Conversion/InstToKernels/InstToKernels.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/InitAll.h"
#include "glow/Support/NodeNames.h"
#include "glow/Tools/Benchmark.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

using namespace mlir;
using namespace mlir::glow;

bool TunableModel::meet(size_t one, size_t other) const {
  return llvm::any_of(instructions[one], [&](const std::string &name) {
    return instructions[other].count(name) > 0;
  });
}

llvm::Expected<TunableModel>
mlir::glow::findKernels(StringRef model, const ProgramOptions &options) {
  auto machine = resolveMachine(options.compile.machine);
  if (!machine)
    return machine.takeError();
  const KernelTarget &target = machine->kernels;
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry);
  StageLog log;
  // Errors go to standard error as they come.
  OwningOpRef<ModuleOp> module = loadModule(model, &context);
  if (!module ||
      failed(lowerModule(*module, Stage::Inst, options.compile, log)))
    return llvm::createStringError("the model cannot be compiled");
  TunableModel result;
  llvm::StringMap<size_t> places;
  auto function = *module->getOps<func::FuncOp>().begin();
  for (Operation &op : function.front())
    op.walk([&](Operation *inner) {
      std::optional<TunableKernel> kernel = tunableKernel(inner, target);
      if (!kernel)
        return;
      auto [entry, isNew] =
          places.try_emplace(kernel->shape, result.kernels.size());
      if (isNew) {
        result.kernels.push_back(*kernel);
        result.instructions.emplace_back();
      }
      for (Operation *instruction : {&op, inner})
        result.instructions[entry->second].insert(
            nodeNames(instruction->getLoc()));
    });
  return result;
}

namespace {
struct Variant {
  std::unique_ptr<Program> program;
  std::shared_ptr<GlowRtProgram> loaded;
  std::shared_ptr<GlowRtContext> context;
  /// The least of each instruction so far, by its place in the program.
  std::map<uint32_t, double> instructions;
  double run = 0;
};
} // namespace

/// Compiles with `tuning`, by way of a file, as a user would.
static llvm::Expected<std::unique_ptr<Program>>
compileWith(StringRef model, ProgramOptions options, const Tuning *tuning,
            ArrayRef<std::string> files) {
  options.compile.machine.tuning.clear();
  if (!tuning)
    return Program::compile(model, options);
  llvm::SmallString<128> file;
  if (std::error_code error =
          llvm::sys::fs::createTemporaryFile("glow-tune", "json", file))
    return llvm::createStringError(error, "cannot create a temporary file");
  llvm::FileRemover remover(file);
  if (llvm::Error error = tuning->write(file))
    return std::move(error);
  options.compile.machine.tuning = file.str().str();
  auto program = Program::compile(model, options);
  if (!program)
    return program.takeError();
  // Shapes are compiled when they are first seen, which must be before the
  // file goes.
  auto inputs = makeInputs(**program, files, {});
  if (!inputs)
    return inputs.takeError();
  if (auto loaded = (*program)->specialize(inputs->tensors); !loaded)
    return loaded.takeError();
  return program;
}

static llvm::Error timeOnce(Variant &variant) {
  GlowRtContext *context = variant.context.get();
  const GlowRtEvent *events;
  uint64_t count;
  if (glow_rt_profile_enable(context, 1) || glow_rt_run(context) ||
      glow_rt_profile_events(context, &events, &count))
    return llvm::createStringError(glow_last_error());
  double run = count ? events[count - 1].end_ns - events[0].begin_ns : 0;
  if (variant.run == 0 || run < variant.run)
    variant.run = run;
  for (uint64_t i = 0; i < count; ++i) {
    double time = events[i].end_ns - events[i].begin_ns;
    auto [least, isNew] =
        variant.instructions.try_emplace(events[i].instr, time);
    least->second = std::min(least->second, time);
  }
  return llvm::Error::success();
}

static Times timesOf(const Variant &variant, const TunableModel &kernels) {
  Times times{std::vector<double>(kernels.kernels.size(), 0), variant.run};
  for (auto [instruction, ns] : variant.instructions) {
    const GlowInstrDesc *described =
        glow_rt_profile_instr(variant.context.get(), instruction);
    for (auto [sum, names] :
         llvm::zip_equal(times.kernels, kernels.instructions))
      if (names.count(described->name))
        sum += ns;
  }
  return times;
}

llvm::Expected<std::vector<Times>> mlir::glow::timeVariants(
    StringRef model, const ProgramOptions &options, const TunableModel &kernels,
    ArrayRef<const Tuning *> tunings, const TimedRuns &runs) {
  std::vector<Variant> variants;
  Inputs inputs;
  for (const Tuning *tuning : tunings) {
    Variant &variant = variants.emplace_back();
    auto program = compileWith(model, options, tuning, runs.inputs);
    if (!program)
      return program.takeError();
    variant.program = std::move(*program);
    if (variants.size() == 1) {
      auto made = makeInputs(*variant.program, runs.inputs, {});
      if (!made)
        return made.takeError();
      inputs = std::move(*made);
    }
    auto loaded = variant.program->specialize(inputs.tensors);
    if (!loaded)
      return loaded.takeError();
    variant.loaded = *loaded;
    auto context = makeContext(variant.loaded.get(), inputs);
    if (!context)
      return context.takeError();
    variant.context = *context;
    if (glow_rt_run(variant.context.get()))
      return llvm::createStringError(glow_last_error());
  }
  for (unsigned round = 0; round < runs.rounds; ++round)
    for (Variant &variant : variants)
      if (llvm::Error error = timeOnce(variant))
        return std::move(error);
  std::vector<Times> times;
  for (const Variant &variant : variants)
    times.push_back(timesOf(variant, kernels));
  return times;
}
