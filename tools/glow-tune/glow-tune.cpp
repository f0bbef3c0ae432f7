//===- glow-tune.cpp - searches for the best choices of kernels -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exit codes: 0 done, 1 the model is wrong or not supported, 2 wrong usage.
//
//===----------------------------------------------------------------------===//
#include "Bandwidth.h"
#include "Search.h"
#include "glow/Driver/CodeFlags.h"
#include "glow/Support/OptionName.h"
#include "glow/Support/PluginOption.h"
#include "glow/Support/ToolStart.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"

using namespace mlir;
using namespace mlir::glow;
namespace cl = llvm::cl;

namespace {
TakeOptionName takeThreads("threads");
cl::OptionCategory category("glow-tune options");
cl::opt<std::string> model(cl::Positional, cl::cat(category),
                           cl::desc("<model: .onnx or .mlir>"));
cl::opt<std::string> output("o", cl::value_desc("file.json"), cl::cat(category),
                            cl::desc("Where to add what is found"));
cl::list<std::string> shapes("shape", cl::cat(category),
                             cl::value_desc("name=1x3x224x224"),
                             cl::desc("Fix the shape of an input"));
cl::list<std::string> inputs(
    "input", cl::cat(category), cl::value_desc("name=file"),
    cl::desc("What the model is run on, as for glow-run; others are generated, "
             "with extent 1 where a shape is open"));
cl::opt<unsigned> threads("threads", cl::init(1), cl::cat(category),
                          cl::desc("Threads that kernels run on; default 1"));
cl::opt<unsigned> rounds("rounds", cl::init(15), cl::cat(category),
                         cl::desc("Runs of each variant; default 15"));
cl::opt<unsigned> atOnce("at-once", cl::init(4), cl::cat(category),
                         cl::desc("Variants in memory; default 4"));
cl::opt<double> leastGain("least-gain", cl::init(2), cl::cat(category),
                          cl::value_desc("percent"),
                          cl::desc("What a kernel must gain to be changed"));
cl::opt<bool> verbose("verbose", cl::cat(category),
                      cl::desc("Print the time of each candidate"));
cl::opt<bool> writesModel(
    "write-choices", cl::cat(category),
    cl::desc("Time nothing, but add what the analytic model chooses for "
             "kernels that the file does not have"));
cl::opt<bool> measuresMachine(
    "measure-machine", cl::cat(category),
    cl::desc("Print the option for what memory gives here, and stop"));
MachineFlags machine(category);
PrecisionOption precision(category);
PluginOption plugins(category);

int fail(llvm::Error error) {
  llvm::errs() << "glow-tune: error: " << llvm::toString(std::move(error))
               << "\n";
  return 1;
}
} // namespace

/// What is in the output so far.
static llvm::Expected<Tuning> readOutput() {
  if (!llvm::sys::fs::exists(output))
    return Tuning();
  return Tuning::load(output);
}

/// Prints what only a measurement knows of the machine.
static llvm::Error measureMachine() {
  auto resolved = resolveMachine(machine.options());
  if (!resolved)
    return resolved.takeError();
  int64_t bytes = measureMemoryBytes(resolved->kernels.lastCacheBytes());
  if (!bytes)
    return llvm::createStringError("there is not enough memory to measure it");
  llvm::outs() << "--machine=memory-bytes=" << bytes << "\n";
  return llvm::Error::success();
}

static llvm::Error run() {
  ProgramOptions options;
  options.threads = threads;
  options.compile.shapes.assign(shapes.begin(), shapes.end());
  options.compile.precision = precision;
  options.compile.machine = machine.options();
  // What is measured are changes of the model's own choices.
  options.compile.machine.tuning.clear();
  auto resolved = resolveMachine(options.compile.machine);
  if (!resolved)
    return resolved.takeError();
  const KernelTarget &target = resolved->kernels;
  auto tuning = readOutput();
  if (!tuning)
    return tuning.takeError();
  // A place that cannot be written is better known before an hour of runs.
  if (llvm::Error error = tuning->write(output))
    return error;
  auto kernels = findKernels(model, options);
  if (!kernels)
    return kernels.takeError();
  llvm::outs() << kernels->kernels.size() << " kernels\n";
  if (writesModel) {
    for (const TunableKernel &kernel : kernels->kernels)
      if (!tuning->find(target, kernel.shape))
        tuning->set(target, kernel.shape, kernel.chosen);
    return tuning->write(output);
  }
  auto time = [&](ArrayRef<const Tuning *> tunings) {
    std::vector<std::string> files(inputs.begin(), inputs.end());
    return timeVariants(model, options, *kernels, tunings, {files, rounds});
  };
  if (llvm::Error error =
          search(*kernels, target, {atOnce, leastGain / 100, verbose}, time,
                 llvm::outs(), *tuning))
    return error;
  auto times = time({nullptr, &*tuning});
  if (!times)
    return times.takeError();
  for (auto [k, kernel] : llvm::enumerate(kernels->kernels))
    if (const ContractionChoices *found = tuning->find(target, kernel.shape))
      llvm::outs() << llvm::format("%9.3f ms -> %9.3f ms  ",
                                   (*times)[0].kernels[k] * 1e-6,
                                   (*times)[1].kernels[k] * 1e-6)
                   << *found << "  " << kernel.shape << "\n";
  llvm::outs() << llvm::format("%9.3f ms -> %9.3f ms  in all\n",
                               (*times)[0].run * 1e-6, (*times)[1].run * 1e-6);
  return tuning->write(output);
}

int main(int argc, char **argv) {
  startTool();
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Times the kernels of a model with different tiles and blocks, and "
          "writes down what is faster than the analytic model's choices.\n",
          &llvm::errs()))
    return 2;
  if (measuresMachine) {
    if (llvm::Error error = measureMachine())
      return fail(std::move(error));
    return 0;
  }
  if (model.empty() || output.empty()) {
    llvm::errs() << "glow-tune: error: a model and -o are needed; --help says "
                    "more\n";
    return 2;
  }
  if (atOnce < 2 || rounds < 1) {
    llvm::errs() << "glow-tune: error: --at-once is at least 2 and --rounds at "
                    "least 1\n";
    return 2;
  }
  if (llvm::Error error = run())
    return fail(std::move(error));
  return 0;
}
