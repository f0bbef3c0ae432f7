//===- Variants.cpp - one model, compiled with several tunings ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Variants.h"
#include "glow/Conversion/InstToKernels/InstToKernels.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/InitAll.h"
#include "glow/Tools/Benchmark.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"

using namespace mlir;
using namespace mlir::glow;

/// The kernel of an instruction, or of those within it that can be tuned if
/// they are alike, as those of a convolution's groups are: the time of several
/// that differ says nothing of each.
static std::optional<TunableKernel> onlyKernel(Operation &op,
                                               const KernelTarget &target) {
  std::optional<TunableKernel> found;
  bool areAlike = true;
  op.walk([&](Operation *inner) {
    if (auto kernel = tunableKernel(inner, target)) {
      areAlike &= !found || found->shape == kernel->shape;
      found = kernel;
    }
  });
  return areAlike ? found : std::nullopt;
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
  llvm::StringMap<int> places;
  auto function = *module->getOps<func::FuncOp>().begin();
  for (Operation &op : function.front()) {
    // All others are steps of the program.
    if (isa<inst::AllocOp, inst::DeallocOp, inst::ConstantOp, inst::ViewOp,
            func::ReturnOp>(op))
      continue;
    int &place = result.ofInstruction.emplace_back(-1);
    std::optional<TunableKernel> kernel = onlyKernel(op, target);
    if (!kernel)
      continue;
    auto [entry, isNew] =
        places.try_emplace(kernel->shape, int(result.kernels.size()));
    if (isNew)
      result.kernels.push_back(*kernel);
    place = entry->second;
  }
  return result;
}

namespace {
struct Variant {
  std::unique_ptr<Program> program;
  std::shared_ptr<GlowRtProgram> loaded;
  std::shared_ptr<GlowRtContext> context;
  /// The least of each instruction so far.
  std::vector<double> instructions;
  double run = 0;
};
} // namespace

/// Compiles with `tuning`, by way of a file, as a user would.
static llvm::Expected<std::unique_ptr<Program>>
compileWith(StringRef model, ProgramOptions options, const Tuning *tuning) {
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
  auto inputs = makeInputs(**program, {}, {});
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
    size_t instr = events[i].instr;
    if (instr >= variant.instructions.size())
      return llvm::createStringError("the model's instructions are not those "
                                     "that were looked at");
    double &least = variant.instructions[instr];
    least = std::min(least, double(events[i].end_ns - events[i].begin_ns));
  }
  return llvm::Error::success();
}

llvm::Expected<std::vector<Times>>
mlir::glow::timeVariants(StringRef model, const ProgramOptions &options,
                         const TunableModel &kernels,
                         ArrayRef<const Tuning *> tunings, unsigned rounds) {
  std::vector<Variant> variants;
  Inputs inputs;
  for (const Tuning *tuning : tunings) {
    Variant &variant = variants.emplace_back();
    auto program = compileWith(model, options, tuning);
    if (!program)
      return program.takeError();
    variant.program = std::move(*program);
    if (variants.size() == 1) {
      auto made = makeInputs(*variant.program, {}, {});
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
    variant.instructions.assign(kernels.ofInstruction.size(), INFINITY);
    if (glow_rt_run(variant.context.get()))
      return llvm::createStringError(glow_last_error());
  }
  for (unsigned round = 0; round < rounds; ++round)
    for (Variant &variant : variants)
      if (llvm::Error error = timeOnce(variant))
        return std::move(error);
  std::vector<Times> times;
  for (const Variant &variant : variants) {
    Times &sums = times.emplace_back();
    sums.run = variant.run;
    sums.kernels.assign(kernels.kernels.size(), 0);
    for (auto [place, ns] :
         llvm::zip_equal(kernels.ofInstruction, variant.instructions))
      // Some steps take no time, and an iteration may not take place.
      if (place >= 0 && std::isfinite(ns))
        sums.kernels[place] += ns;
  }
  return times;
}
