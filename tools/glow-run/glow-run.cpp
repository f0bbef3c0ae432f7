//===- glow-run.cpp - runs a model ----------------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exit codes: 0 done, 1 the model or an input is wrong, 2 wrong usage, 3
// outputs differ from those of --compare.
//
//===----------------------------------------------------------------------===//
#include "Benchmark.h"
#include "glow/Runtime/DType.h"
#include "glow/Runtime/WriteFile.h"
#include "glow/Support/OptionName.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
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
cl::list<std::string> inputFiles("input", cl::cat(category),
                                 cl::value_desc("[name=]file"),
                                 cl::desc("Input from .npy, .png, .pgm, .ppm; "
                                          "generated if not given"));
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
               cl::desc("Compare outputs with name.npy in it"));
cl::opt<double> tolerance("tolerance", cl::init(1e-4), cl::cat(category),
                          cl::desc("Largest error for --compare, relative to "
                                   "the largest expected value"));
cl::opt<std::string> labels("labels", cl::value_desc("file"), cl::cat(category),
                            cl::desc("Names of classes, one a line: print the "
                                     "best class of the first output"));
cl::opt<bool> interpret("interpret", cl::cat(category),
                        cl::desc("Evaluate the graph without code generation"));
cl::opt<unsigned> threads("threads", cl::init(0), cl::cat(category),
                          cl::desc("Threads; default GLOW_NUM_THREADS or all"));
cl::opt<bool> timeRuns("benchmark", cl::cat(category),
                       cl::desc("Time --runs runs after --warm-up"));
cl::opt<unsigned> numRuns("runs", cl::init(100), cl::cat(category),
                          cl::desc("Runs that --benchmark times"));
cl::opt<unsigned> warmUps("warm-up", cl::init(10), cl::cat(category),
                          cl::desc("Runs before those timed"));
cl::opt<bool> profile("profile", cl::cat(category),
                      cl::desc("Print the time of each operation"));
cl::opt<std::string> trace("trace", cl::value_desc("file"), cl::cat(category),
                           cl::desc("Write a trace for Perfetto or "
                                    "chrome://tracing"));
cl::opt<bool> json("json", cl::cat(category), cl::desc("Print JSON"));
cl::opt<std::string> mcpu("mcpu", cl::cat(category), cl::desc("As in LLVM"));
cl::opt<std::string> mattr("mattr", cl::cat(category), cl::desc("As in LLVM"));

int fail(llvm::Error error) {
  llvm::errs() << "glow-run: error: " << llvm::toString(std::move(error))
               << "\n";
  return 1;
}
} // namespace

static bool isCompiled(StringRef path) {
  return path.ends_with(".so") || llvm::sys::fs::is_directory(path);
}

static llvm::Expected<std::unique_ptr<Program>> openProgram() {
  if (isCompiled(model)) {
    if (interpret)
      return llvm::createStringError("--interpret needs a model, not '" +
                                     model + "', which is compiled");
    return Program::load(model, threads);
  }
  ProgramOptions options;
  options.threads = threads;
  options.compile.shapes.assign(shapes.begin(), shapes.end());
  options.compile.machine.cpu = mcpu;
  options.compile.machine.features = mattr;
  if (interpret)
    options.target = "interpret";
  return Program::compile(model, options);
}

/// A file name made from a tensor's name: no folder, no special characters.
static std::string fileName(StringRef folder, StringRef name) {
  std::string file;
  for (char c : name)
    file += llvm::isAlnum(c) || c == '_' || c == '-' || c == '.' ? c : '_';
  SmallString<128> path(folder);
  llvm::sys::path::append(path, file + ".npy");
  return std::string(path);
}

static llvm::Error writeOutputs(const Program &program,
                                ArrayRef<OutputTensor> outputs) {
  if (std::error_code error = llvm::sys::fs::create_directories(outputDir))
    return llvm::createStringError(error, "cannot create '" + outputDir + "'");
  for (auto [info, output] : llvm::zip(program.outputs, outputs))
    if (rt::writeNpy(fileName(outputDir, info.name), output.dtype, output.dims,
                     output.data.get()))
      return llvm::createStringError(glow_last_error());
  return llvm::Error::success();
}

/// The largest difference over the largest expected value; infinite where only
/// one of the two is a number.
static double relativeError(const float *actual, const float *expected,
                            uint64_t count) {
  double difference = 0, scale = 0;
  for (uint64_t i = 0; i < count; ++i) {
    if (std::isfinite(expected[i]) && std::isfinite(actual[i])) {
      difference =
          std::max<double>(difference, std::abs(actual[i] - expected[i]));
      scale = std::max<double>(scale, std::abs(expected[i]));
    } else if (!(std::isnan(expected[i]) && std::isnan(actual[i])) &&
               expected[i] != actual[i]) {
      return INFINITY;
    }
  }
  return scale == 0 ? difference : difference / scale;
}

static llvm::Expected<bool> compareOutputs(const Program &program,
                                           ArrayRef<OutputTensor> outputs,
                                           raw_ostream &out) {
  bool same = true;
  for (auto [info, output] : llvm::zip(program.outputs, outputs)) {
    rt::Array expected;
    if (rt::readNpy(fileName(compareDir, info.name), output.dtype, expected))
      return llvm::createStringError(glow_last_error());
    if (expected.dims != output.dims)
      return llvm::createStringError("output '" + info.name +
                                     "' has another shape than expected");
    double error =
        output.dtype == GLOW_F32
            ? relativeError(static_cast<const float *>(output.data.get()),
                            static_cast<const float *>(expected.data.data()),
                            output.bytes / sizeof(float))
            : (memcmp(output.data.get(), expected.data.data(), output.bytes)
                   ? INFINITY
                   : 0);
    bool isClose = error <= tolerance;
    same &= isClose;
    out << llvm::format("%s: relative error %.3g, %s\n", info.name.c_str(),
                        error, isClose ? "within the tolerance" : "TOO LARGE");
  }
  return same;
}

static llvm::Error printClass(const OutputTensor &output, raw_ostream &out) {
  auto file = llvm::MemoryBuffer::getFile(labels);
  if (!file)
    return llvm::createStringError(file.getError(),
                                   "cannot read '" + labels + "'");
  SmallVector<StringRef> names;
  (*file)->getBuffer().split(names, '\n', -1, /*KeepEmpty=*/false);
  auto *scores = static_cast<const float *>(output.data.get());
  size_t count = output.bytes / sizeof(float);
  if (output.dtype != GLOW_F32 || count != names.size())
    return llvm::createStringError(
        "--labels needs an output of " + std::to_string(names.size()) +
        " f32 values, one per line of '" + labels + "'");
  size_t best = std::max_element(scores, scores + count) - scores;
  out << "class " << names[best].trim() << ", confidence "
      << llvm::format("%.4f", scores[best]) << "\n";
  return llvm::Error::success();
}

static void printOutputs(const Program &program, ArrayRef<OutputTensor> outputs,
                         raw_ostream &out) {
  for (auto [info, output] : llvm::zip(program.outputs, outputs)) {
    out << info.name << ": ";
    llvm::interleave(output.dims, out, "x");
    out << (output.dims.empty() ? "" : "x") << rt::dtypeName(output.dtype);
    if (output.dtype == GLOW_F32) {
      auto *values = static_cast<const float *>(output.data.get());
      size_t count = output.bytes / sizeof(float);
      for (size_t i = 0; i < std::min<size_t>(count, 5); ++i)
        out << (i ? ", " : " = ") << llvm::format("%.6g", values[i]);
      out << (count > 5 ? ", …" : "");
    }
    out << "\n";
  }
}

/// Timed and profiled runs; `report` gets what --json prints.
static llvm::Error measure(Program &program, const Inputs &inputs,
                           llvm::json::Object &report) {
  auto loaded = program.specialize(inputs.tensors);
  if (!loaded)
    return loaded.takeError();
  if (!*loaded)
    return llvm::createStringError("--benchmark, --profile and --trace need "
                                   "compiled code, not --interpret");
  auto context = makeContext(loaded->get(), inputs);
  if (!context)
    return context.takeError();
  report["arena_bytes"] =
      static_cast<int64_t>(glow_rt_arena_bytes(loaded->get()));
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
  if (!profile && trace.empty())
    return llvm::Error::success();
  if (glow_rt_profile_enable(context->get(), 1) || glow_rt_run(context->get()))
    return llvm::createStringError(glow_last_error());
  if (profile && !json)
    llvm::outs() << glow_rt_profile_table(context->get());
  if (profile && json)
    if (auto value = llvm::json::parse(glow_rt_profile_json(context->get())))
      report["profile"] = *value;
  if (!trace.empty()) {
    StringRef text = glow_rt_profile_trace(context->get());
    if (rt::writeFile(trace, {{text.data(), text.size()}}))
      return llvm::createStringError(glow_last_error());
  }
  return llvm::Error::success();
}

static int run() {
  auto program = openProgram();
  if (!program)
    return fail(program.takeError());
  auto inputs = makeInputs(**program, inputFiles, {imageScale, imageOffset});
  if (!inputs)
    return fail(inputs.takeError());
  auto outputs = (*program)->run(inputs->tensors);
  if (!outputs)
    return fail(outputs.takeError());
  raw_ostream &out = json ? llvm::nulls() : llvm::outs();
  if (labels.empty())
    printOutputs(**program, *outputs, out);
  else if (llvm::Error error = printClass(outputs->front(), out))
    return fail(std::move(error));
  if (!outputDir.empty())
    if (llvm::Error error = writeOutputs(**program, *outputs))
      return fail(std::move(error));
  llvm::json::Object report{{"model", model.getValue()}};
  bool same = true;
  if (!compareDir.empty()) {
    auto result = compareOutputs(**program, *outputs, out);
    if (!result)
      return fail(result.takeError());
    report["equal"] = same = *result;
  }
  if (timeRuns || profile || !trace.empty())
    if (llvm::Error error = measure(**program, *inputs, report))
      return fail(std::move(error));
  if (json)
    llvm::outs() << llvm::formatv("{0:2}\n",
                                  llvm::json::Value(std::move(report)));
  return same ? 0 : 3;
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(argc, argv,
                                   "Runs a model on files or on "
                                   "generated inputs.\n",
                                   &llvm::errs()))
    return 2;
  return run();
}
