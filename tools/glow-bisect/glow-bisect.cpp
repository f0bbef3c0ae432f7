//===- glow-bisect.cpp - finds the op or pass that makes results wrong ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exit codes: 0 all results agree, 1 the model or an input is wrong, 2 wrong
// usage, 3 a fault was found.
//
//===----------------------------------------------------------------------===//
#include "Bisect.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Driver/CodeFlags.h"
#include "glow/Driver/DialectPlugins.h"
#include "glow/InitAll.h"
#include "glow/Interpreter/Tensor.h"
#include "glow/Support/DType.h"
#include "glow/Support/OptionName.h"
#include "glow/Support/PluginOption.h"
#include "glow/Support/ToolStart.h"
#include "glow/Tools/Inputs.h"
#include "glow/Translate/ONNX.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/InitLLVM.h"
#include <deque>

using namespace mlir;
using namespace mlir::glow;
namespace cl = llvm::cl;

namespace {
enum class What { Ops, Passes };

TakeOptionName takeThreads("threads");
cl::OptionCategory category("glow-bisect options");
cl::opt<std::string> model(cl::Positional, cl::Required, cl::cat(category),
                           cl::desc("<model: .onnx or .mlir>"));
cl::list<std::string> inputFiles("input", cl::cat(category),
                                 cl::value_desc("[name=]file"),
                                 cl::desc("As in glow-run"));
cl::list<std::string> shapes("shape", cl::cat(category),
                             cl::value_desc("name=1x3x224x224"),
                             cl::desc("Fix the shape of an input"));
cl::opt<std::string> output("o", cl::value_desc("folder"), cl::cat(category),
                            cl::desc("Write the faulty ops, their inputs and "
                                     "the expected results"));
cl::opt<What>
    what("bisect", cl::cat(category), cl::init(What::Ops),
         cl::desc("What to find:"),
         cl::values(clEnumValN(What::Ops, "ops", "the first ops (default)"),
                    clEnumValN(What::Passes, "passes", "also the pass")));
cl::opt<double> tolerance("tolerance", cl::init(1e-4), cl::cat(category),
                          cl::desc("Largest error that is no fault, relative "
                                   "to the largest value of a tensor"));
cl::opt<double> ulps("ulps", cl::init(0), cl::cat(category),
                     cl::desc("Largest error that is no fault, in units in the "
                              "last place of each element; instead of "
                              "--tolerance"));
cl::opt<std::string> target("target", cl::init("cpu"), cl::cat(category),
                            cl::value_desc("name or #attribute"),
                            cl::desc("As in glow-run"));
cl::opt<unsigned> threads("threads", cl::init(0), cl::cat(category),
                          cl::desc("Threads; default GLOW_NUM_THREADS or all"));
CodeFlags flags(category);
PluginOption plugins(category);

int fail(llvm::Error error) {
  llvm::errs() << "glow-bisect: error: " << llvm::toString(std::move(error))
               << "\n";
  return 1;
}

/// The model as a graph on static shapes, with its inputs.
struct Subject {
  DialectRegistry registry;
  std::unique_ptr<MLIRContext> context;
  OwningOpRef<ModuleOp> module;
  Inputs inputs;

  llvm::Error open();
  func::FuncOp function();
  Tensors tensors();

private:
  llvm::Error load();
};
} // namespace

static ProgramOptions programOptions() {
  ProgramOptions options;
  options.threads = threads;
  flags.set(options.compile);
  options.target = target;
  options.plugins.assign(plugins.begin(), plugins.end());
  return options;
}

func::FuncOp Subject::function() {
  for (auto function : module->getOps<func::FuncOp>())
    if (function.isPublic())
      return function;
  return {};
}

Tensors Subject::tensors() {
  Tensors tensors;
  for (auto [argument, tensor] :
       llvm::zip_equal(function().getArguments(), inputs.tensors)) {
    // The arrays live as long as the subject.
    OutputTensor &entry = tensors[argument];
    entry.dims.assign(tensor.dims, tensor.dims + tensor.rank);
    entry.dtype = tensor.dtype;
    entry.data =
        std::shared_ptr<const void>(std::shared_ptr<void>(), tensor.data);
    entry.bytes = tensor.bytes;
  }
  return tensors;
}

llvm::Error Subject::load() {
  ONNXInputValues values;
  for (const GlowTensor &tensor : inputs.tensors)
    values.shapes[tensor.name] = {tensor.dims, tensor.dims + tensor.rank};
  module = loadModule(model, context.get(), &values);
  if (module && !values.missing.empty()) {
    // Types depend on values of inputs, which are known here.
    for (const GlowTensor &tensor : inputs.tensors)
      if (llvm::is_contained(values.missing, tensor.name)) {
        FailureOr<Type> type = typeOf(tensor.dtype, context.get());
        if (failed(type))
          return llvm::createStringError("unknown element type");
        values.known[tensor.name] =
            Tensor::view(*type, {tensor.dims, tensor.rank},
                         static_cast<const char *>(tensor.data))
                .toAttribute();
      }
    values.mayWait = false;
    module = loadModule(model, context.get(), &values);
  }
  InferShapesOptions infer;
  for (const GlowTensor &tensor : inputs.tensors) {
    std::string shape = std::string(tensor.name) + "=";
    llvm::raw_string_ostream out(shape);
    llvm::interleave(ArrayRef(tensor.dims, tensor.rank), out, "x");
    if (tensor.rank)
      infer.shapes.push_back(shape);
  }
  if (!module || !function())
    return llvm::createStringError("the model cannot be read");
  PassManager manager(context.get());
  manager.addPass(createInferShapes(infer));
  if (failed(manager.run(*module)))
    return llvm::createStringError("the shapes do not fit the model");
  return llvm::Error::success();
}

llvm::Error Subject::open() {
  ProgramOptions options = programOptions();
  options.target = "interpret";
  options.compile.shapes.assign(shapes.begin(), shapes.end());
  auto program = Program::compile(model, options);
  if (!program)
    return program.takeError();
  auto made = makeInputs(**program, inputFiles, {});
  if (!made)
    return made.takeError();
  inputs = std::move(*made);
  registerAllDialects(registry);
  if (llvm::Error error = loadDialectPlugins(options.plugins, registry))
    return error;
  context = std::make_unique<MLIRContext>(registry);
  return load();
}

static void describe(const Steps &steps, const Fault &fault, raw_ostream &out) {
  const Errors &errors = fault.trial.errors[fault.result];
  out << "the first result that departs is "
      << fault.trial.outputs[fault.result].name << ": relative error "
      << llvm::format("%.3g", errors.relative()) << ", "
      << llvm::format("%.3g", errors.maxUlps) << " units in the last place";
  if (errors.mismatches)
    out << "; " << errors.mismatches << " infinities, NaNs or integers differ";
  out << "\nit takes these ops:\n";
  auto function = *fault.window.module.get().getOps<func::FuncOp>().begin();
  OpPrintingFlags flags;
  flags.elideLargeElementsAttrs(16).elideLargeResourceString(64);
  for (Operation &op : function.front().without_terminator()) {
    out << "  ";
    op.print(out, flags);
    out << "\n    " << op.getLoc() << "\n";
  }
}

static llvm::Expected<int> run() {
  ProgramOptions options = programOptions();
  Subject subject;
  if (llvm::Error error = subject.open())
    return std::move(error);
  Steps steps(subject.function());
  Bound bound{tolerance, ulps};
  auto fault =
      bisectOps(steps, subject.tensors(), options, bound, llvm::errs());
  if (!fault)
    return fault.takeError();
  if (!*fault) {
    llvm::outs() << "all results of " << steps.size() << " ops agree\n";
    return 0;
  }
  describe(steps, **fault, llvm::outs());
  if (!output.empty()) {
    auto command = writeReproducer(**fault, options, bound, output);
    if (!command)
      return command.takeError();
    llvm::outs() << "to run them:\n  " << *command << "\n";
  }
  if (what == What::Passes)
    if (llvm::Error error = bisectPasses(**fault, options, bound, llvm::outs()))
      return std::move(error);
  return 3;
}

int main(int argc, char **argv) {
  startTool();
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  if (!cl::ParseCommandLineOptions(
          argc, argv,
          "Finds the first ops of a model whose compiled result departs from "
          "what the interpreter computes.\n",
          &llvm::errs()))
    return 2;
  auto code = run();
  if (!code)
    return fail(code.takeError());
  return *code;
}
