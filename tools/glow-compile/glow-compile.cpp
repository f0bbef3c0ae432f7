//===- glow-compile.cpp - compiles a model ahead of time ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exit codes: 0 done, 1 the model is wrong or not supported, 2 wrong usage.
//
//===----------------------------------------------------------------------===//
#include "glow/Driver/CodeFlags.h"
#include "glow/Driver/CompilePackage.h"
#include "glow/Driver/DialectPlugins.h"
#include "glow/InitAll.h"
#include "glow/Support/OptionName.h"
#include "glow/Support/OutputFile.h"
#include "glow/Support/PluginOption.h"
#include "glow/Support/ToolStart.h"
#include "glow/Translate/ONNX.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include <csignal>

using namespace mlir;
using namespace mlir::glow;
namespace cl = llvm::cl;

namespace {
TakeOptionName takeStopAfter("stop-after");
cl::OptionCategory category("glow-compile options");
cl::opt<std::string> input(cl::Positional, cl::cat(category),
                           cl::desc("<model: .onnx or .mlir>"));
cl::opt<std::string> output("o", cl::value_desc("file"), cl::cat(category),
                            cl::desc("x.so: shared library; x.o: object with "
                                     "x.h, x.json and x.weights.bin"));
cl::list<std::string> shapes(
    "shape", cl::cat(category), cl::value_desc("name=1x3x224x224"),
    cl::desc(
        "Shape of an input; 1..8 is a range, 64..640:32 one of multiples"));
cl::list<std::string>
    givenValues("values", cl::cat(category), cl::value_desc("axes=0,2"),
                cl::desc("Values of an input that the graph depends on; 0..64 "
                         "is a range, for what extents are computed from"));
cl::list<std::string> most(
    "most", cl::cat(category), cl::value_desc("node=8192"),
    cl::desc("Rows that a loop collects, rows and columns of a picture, or "
             "pieces of a string, that a node has room for"));
cl::opt<std::string>
    stopAfter("stop-after", cl::cat(category), cl::value_desc("stage"),
              cl::desc("Print the IR after import, graph, inst, "
                       "kernels or llvm"));
cl::opt<std::string> dumpStages("dump-stages", cl::cat(category),
                                cl::value_desc("folder"),
                                cl::desc("Write the IR after each stage"));
cl::opt<std::string> planJson("plan-json", cl::value_desc("file"),
                              cl::cat(category),
                              cl::desc("Write the memory plan"));
cl::opt<std::string> planPicture("plan-picture", cl::value_desc("file"),
                                 cl::cat(category),
                                 cl::desc("Draw the memory plan (SVG)"));
cl::opt<int64_t> memoryBudget("memory-budget", cl::init(0), cl::cat(category),
                              cl::value_desc("bytes"),
                              cl::desc("Fail if the arena needs more"));
cl::opt<bool> timeStages("time-stages", cl::cat(category),
                         cl::desc("Print time and peak memory of each stage"));
cl::opt<std::string> mtriple("mtriple", cl::cat(category),
                             cl::desc("As in LLVM"));
cl::opt<bool> printTarget(
    "print-target", cl::cat(category),
    cl::desc("Print the machine that code is made for, as JSON, and stop"));
cl::opt<bool> elide("elide-resources", cl::cat(category),
                    cl::desc("Leave the weights out of printed IR"));
cl::opt<std::string> target("target", cl::init("cpu"), cl::cat(category),
                            cl::value_desc("name or #attribute"),
                            cl::desc("A card of a plug-in: -o is then a folder "
                                     "for its program and the processor's"));
cl::opt<std::string> partitionReport(
    "partition-report", cl::value_desc("file"), cl::cat(category),
    cl::desc("Say what went to which device and why, as text or .json"));
cl::opt<bool> partitionByCost(
    "partition-by-cost", cl::init(true), cl::cat(category),
    cl::desc("Keep what is not worth its transfers off the card"));
CodeFlags flags(category);
PluginOption plugins(category);

int fail(const Twine &message) {
  llvm::errs() << "glow-compile: error: " << message << "\n";
  return 1;
}
} // namespace

static int printModule(ModuleOp module) {
  llvm::Error error = writeOutput(
      output.empty() ? "-" : output.getValue(), [&](raw_ostream &out) {
        OpPrintingFlags flags;
        if (elide)
          flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
        module.print(out, flags);
        return llvm::Error::success();
      });
  return error ? fail(llvm::toString(std::move(error))) : 0;
}

/// The folder's name without its extension.
static std::string modelName() {
  return llvm::sys::path::stem(output.getValue()).str();
}

static MachineOptions machineOptions() {
  MachineOptions options = flags.machine();
  options.triple = mtriple;
  return options;
}

static int printMachine() {
  llvm::Expected<Machine> resolved = resolveMachine(machineOptions());
  if (!resolved)
    return fail(llvm::toString(resolved.takeError()));
  describeMachine(*resolved, llvm::outs());
  return 0;
}

static LogicalResult compileForCard(ModuleOp module, StageLog &log) {
  PackageCompileOptions options;
  options.target = target;
  options.machine = machineOptions();
  options.name = modelName();
  options.shapes.assign(shapes.begin(), shapes.end());
  options.report = partitionReport;
  options.byCost = partitionByCost;
  return compileToPackage(module, output, options, log);
}

static int run(MLIRContext &context) {
  CompileOptions options;
  flags.set(options);
  options.machine = machineOptions();
  ONNXInputValues values;
  values.mayWait = false;
  for (const std::string &shape : shapes)
    if (values.addShape(shape))
      options.shapes.push_back(shape);
  for (const std::string &text : givenValues)
    if (values.addValue(text))
      options.values.push_back(text);
  for (const std::string &text : most)
    values.addMost(text);
  options.memoryBudget = memoryBudget;
  options.dumpFolder = dumpStages;
  options.planJson = planJson;
  options.planPicture = planPicture;
  StageLog log;
  OwningOpRef<ModuleOp> module = log.measure(
      "import", [&] { return loadModule(input, &context, &values); });
  if (!module)
    return 1;
  for (const std::string &text : most)
    if (!values.tookMost(text))
      options.most.push_back(text);
  int code = 0;
  if (!stopAfter.empty()) {
    auto stage = parseStage(stopAfter);
    if (!stage)
      return fail("--stop-after=" + stopAfter +
                  " is not a stage: choose import, "
                  "graph, inst, kernels or llvm"),
             2;
    code = failed(lowerModule(*module, *stage, options, log)) ||
           printModule(*module);
  } else if (target != "cpu") {
    code = failed(compileForCard(*module, log));
  } else {
    code = failed(compileToFile(*module, output, options, log));
    if (code == 0)
      log.printArena(llvm::outs() << output << ": ");
  }
  if (timeStages)
    log.print(llvm::errs());
  return code;
}

int main(int argc, char **argv) {
  startTool();
  llvm::InitLLVM init(argc, argv);
  // A file that grows too large is an error of its write, as a full disk is.
  std::signal(SIGXFSZ, SIG_IGN);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv, "Compiles a model ahead of time.\n", &llvm::errs()))
    return 2;
  if (printTarget)
    return printMachine();
  if (input.empty())
    return fail("which model? " + Twine(argv[0]) + " --help"), 2;
  if (target != "cpu" && output.empty())
    return fail("--target=" + target + " needs -o and a folder"), 2;
  if (target != "cpu")
    for (StringRef name : {"stop-after", "dump-stages", "memory-budget",
                           "plan-json", "plan-picture", "precision", "machine",
                           "tuning", "check-bounds", "values", "most"})
      if (cl::getRegisteredOptions().lookup(name)->getNumOccurrences())
        return fail("--" + name + " does not go with --target"), 2;
  if (stopAfter.empty() && target == "cpu" &&
      !StringRef(output).ends_with(".so") && !StringRef(output).ends_with(".o"))
    return fail("-o needs a file that ends in .so or .o"), 2;
  DialectRegistry registry;
  registerAllDialects(registry);
  if (llvm::Error error = loadDialectPlugins(plugins, registry))
    return fail(llvm::toString(std::move(error)));
  MLIRContext context(registry);
  return run(context);
}
