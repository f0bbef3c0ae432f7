//===- glow-run.cpp - runs a model ----------------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exit codes: 0 done, 1 the model or an input is wrong, 2 wrong usage, 3
// outputs differ from those of --compare.
//
//===----------------------------------------------------------------------===//
#include "glow/Driver/CodeFlags.h"
#include "glow/Runtime/WriteFile.h"
#include "glow/Support/OptionName.h"
#include "glow/Support/PluginOption.h"
#include "glow/Support/ToolStart.h"
#include "glow/Tools/Accuracy.h"
#include "glow/Tools/Benchmark.h"
#include "glow/Tools/Outputs.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
namespace cl = llvm::cl;
namespace rt = ::glow::runtime;

namespace {
TakeOptionName takeThreads("threads");
cl::OptionCategory category("glow-run options");
cl::opt<std::string> model(cl::Positional, cl::Required, cl::cat(category),
                           cl::desc("<model: .onnx, .mlir, .so or package>"));
cl::list<std::string>
    inputFiles("input", cl::cat(category), cl::value_desc("[name=]file"),
               cl::desc("Input from .npy, .pb, .png, .pgm or .ppm, or "
                        "all from a folder's input_N.pb; generated "
                        "if not given"));
cl::list<std::string> shapes("shape", cl::cat(category),
                             cl::value_desc("name=1x3x224x224"),
                             cl::desc("Fix the shape of an input"));
cl::opt<double> imageScale("image-scale", cl::init(1.0 / 255),
                           cl::cat(category),
                           cl::desc("Factor from picture values to inputs"));
cl::opt<double> imageOffset("image-offset", cl::init(0), cl::cat(category),
                            cl::desc("Added after --image-scale"));
cl::opt<std::string> outputDir("output-dir", cl::value_desc("folder"),
                               cl::cat(category),
                               cl::desc("Write each output as name.npy"));
cl::opt<std::string>
    compareDir("compare", cl::value_desc("folder"), cl::cat(category),
               cl::desc("Compare outputs with name.npy or output_N.pb"));
cl::opt<double> tolerance("tolerance", cl::init(1e-4), cl::cat(category),
                          cl::desc("Largest error for --compare, relative to "
                                   "the largest expected value"));
cl::opt<bool> accuracy("accuracy-report", cl::cat(category),
                       cl::desc("Print the outputs' errors against an "
                                "evaluation in double precision"));
cl::opt<std::string> labels("labels", cl::value_desc("file"), cl::cat(category),
                            cl::desc("Names of classes, one a line: print the "
                                     "best class of the first output"));
cl::opt<std::string> target("target", cl::init("cpu"), cl::cat(category),
                            cl::value_desc("name or #attribute"),
                            cl::desc("Share the model with a plug-in's card"));
CodeFlags flags(category);
PluginOption plugins(category);
cl::opt<bool> interpret("interpret", cl::cat(category),
                        cl::desc("Evaluate the graph without code generation"));
cl::opt<unsigned> threads("threads", cl::init(0), cl::cat(category),
                          cl::desc("Threads; default GLOW_NUM_THREADS or all"));
cl::opt<bool> timeRuns("benchmark", cl::cat(category),
                       cl::desc("Time --runs runs after --warm-up"));
cl::opt<unsigned> numRuns("runs", cl::init(100), cl::cat(category),
                          cl::desc("Runs to time; of each of --requests"));
cl::opt<unsigned> requests("requests", cl::init(0), cl::cat(category),
                           cl::desc("Time so many at once, on a thread each"));
cl::opt<unsigned> warmUps("warm-up", cl::init(10), cl::cat(category),
                          cl::desc("Runs before those timed"));
cl::opt<bool> profile("profile", cl::cat(category),
                      cl::desc("Print the time of each operation"));
cl::opt<std::string> trace("trace", cl::value_desc("file"), cl::cat(category),
                           cl::desc("Write a trace for Perfetto or "
                                    "chrome://tracing"));
cl::opt<bool> json("json", cl::cat(category), cl::desc("Print JSON"));

int fail(llvm::Error error) {
  llvm::errs() << "glow-run: error: " << llvm::toString(std::move(error))
               << "\n";
  return 1;
}

int misuse(const Twine &message) {
  llvm::errs() << "glow-run: error: " << message << "\n";
  return 2;
}
} // namespace

static bool isCompiled(StringRef path) {
  return path.ends_with(".so") || llvm::sys::fs::is_directory(path);
}

static uint32_t threadsToUse() { return requests ? 1 : threads; }

static ProgramOptions programOptions() {
  ProgramOptions options;
  options.threads = threadsToUse();
  options.compile.shapes.assign(shapes.begin(), shapes.end());
  flags.set(options.compile);
  options.target = interpret ? "interpret" : target.getValue();
  options.plugins.assign(plugins.begin(), plugins.end());
  return options;
}

static llvm::Expected<std::unique_ptr<Program>> openProgram() {
  return isCompiled(model) ? Program::load(model, threadsToUse())
                           : Program::compile(model, programOptions());
}

/// What --compare found; true if all is within the tolerance.
static bool reportErrors(ArrayRef<Program::Info> outputs,
                         ArrayRef<double> errors, raw_ostream &out,
                         llvm::json::Object &report) {
  llvm::json::Object list;
  bool same = true;
  for (auto [info, error] : llvm::zip(outputs, errors)) {
    bool isClose = error <= tolerance;
    same &= isClose;
    out << info.name << ": relative error " << llvm::format("%.3g", error)
        << (isClose ? ", within the tolerance\n" : ", TOO LARGE\n");
    // JSON has no infinity.
    list[info.name] = std::isfinite(error) ? llvm::json::Value(error) : nullptr;
  }
  report["equal"] = same;
  report["relative_errors"] = std::move(list);
  return same;
}

/// A profiled run, if --profile or --trace ask for one.
static llvm::Error observe(GlowRtContext *context, llvm::json::Object &report) {
  if (!profile && trace.empty())
    return llvm::Error::success();
  if (glow_rt_profile_enable(context, 1) || glow_rt_run(context))
    return llvm::createStringError(glow_last_error());
  if (profile && !json)
    llvm::outs() << glow_rt_profile_table(context);
  if (profile && json)
    if (auto value = llvm::json::parse(glow_rt_profile_json(context)))
      report["profile"] = *value;
  if (!trace.empty()) {
    StringRef text = glow_rt_profile_trace(context);
    if (rt::writeFile(trace, {{text.data(), text.size()}}))
      return llvm::createStringError(glow_last_error());
  }
  return llvm::Error::success();
}

/// Timed and profiled runs; `report` gets what --json prints.
static llvm::Error measure(Program &program, const Inputs &inputs,
                           llvm::json::Object &report) {
  auto loaded = program.specialize(inputs.tensors);
  if (!loaded)
    return loaded.takeError();
  if (!*loaded)
    return llvm::createStringError("--benchmark, --requests, --profile and "
                                   "--trace need compiled code, not "
                                   "--interpret");
  auto context = makeContext(loaded->get(), inputs);
  if (!context)
    return context.takeError();
  report["arena_bytes"] =
      static_cast<int64_t>(glow_rt_arena_bytes(loaded->get()));
  if (const auto &arena = program.stages().arena)
    report["arena_lower_bound"] = static_cast<int64_t>(arena->lowerBound);
  report["weights_bytes"] =
      static_cast<int64_t>(glow_rt_weights_bytes(loaded->get()));
  if (timeRuns) {
    auto timings = benchmark(context->get(), warmUps, numRuns);
    if (!timings)
      return timings.takeError();
    report["benchmark"] = timings->toJson();
    if (!json)
      timings->print(llvm::outs());
  }
  if (requests) {
    auto throughput =
        benchmarkRequests(loaded->get(), inputs, requests, warmUps, numRuns);
    if (!throughput)
      return throughput.takeError();
    report["requests"] = throughput->toJson();
    if (!json)
      throughput->print(llvm::outs());
  }
  return observe(context->get(), report);
}
static int run() {
  auto program = openProgram();
  if (!program)
    return fail(program.takeError());
  auto inputs = makeInputs(**program, inputFiles, {imageScale, imageOffset});
  if (!inputs)
    return fail(inputs.takeError());
  // Another program, if this one waits for shapes or values.
  auto bound = (*program)->bind(inputs->tensors);
  if (!bound)
    return fail(bound.takeError());
  Program &ready = *bound->program;
  inputs->tensors = bound->tensors;
  auto outputs = ready.run(inputs->tensors);
  if (!outputs)
    return fail(outputs.takeError());
  llvm::json::Object report{{"model", model.getValue()}};
  raw_ostream &out = json ? llvm::nulls() : llvm::outs();
  if (labels.empty())
    printOutputs(ready, *outputs, out);
  else if (llvm::Error error =
               printClass(outputs->front(), labels, out, report))
    return fail(std::move(error));
  if (!outputDir.empty())
    if (llvm::Error error = writeTensors(ready.outputs, *outputs, outputDir))
      return fail(std::move(error));
  bool same = true;
  if (!compareDir.empty()) {
    auto errors = compareOutputs(ready, *outputs, compareDir);
    if (!errors)
      return fail(errors.takeError());
    same = reportErrors(ready.outputs, *errors, out, report);
  }
  if (accuracy)
    if (llvm::Error error =
            reportAccuracy(model, programOptions(), ready, inputs->tensors,
                           *outputs, out, report))
      return fail(std::move(error));
  if (timeRuns || requests || profile || !trace.empty())
    if (llvm::Error error = measure(ready, *inputs, report))
      return fail(std::move(error));
  if (json)
    llvm::outs() << llvm::formatv("{0:2}\n",
                                  llvm::json::Value(std::move(report)));
  return same ? 0 : 3;
}

int main(int argc, char **argv) {
  startTool();
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  flags.hideRareOnes();
  if (!cl::ParseCommandLineOptions(argc, argv,
                                   "Runs a model on files or on "
                                   "generated inputs.\n",
                                   &llvm::errs()))
    return 2;
  if (interpret && target.getNumOccurrences())
    return misuse("--interpret and --target do not go together");
  if (requests > 1024)
    return misuse("--requests takes at most 1024");
  if (requests && threads.getNumOccurrences())
    return misuse("--requests and --threads do not go together: each request "
                  "has one thread");
  if (isCompiled(model))
    for (StringRef name : {"interpret", "accuracy-report", "shape", "target",
                           "load-dialect-plugin", "mcpu", "mattr", "machine",
                           "tuning", "precision", "check-bounds"})
      if (cl::getRegisteredOptions().lookup(name)->getNumOccurrences())
        return misuse("--" + name + " needs a model, not '" + model +
                      "', which is compiled");
  return run();
}
