//===- RunTest.cpp - one test in one mode ---------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "RunTest.h"
#include "Compare.h"
#include "StatedValues.h"
#include "glow/Driver/CompilePackage.h"
#include "glow/Driver/DialectPlugins.h"
#include "glow/InitAll.h"
#include "glow/Runtime/DType.h"
#include "glow/Translate/ONNX.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <chrono>

using namespace mlir;
using namespace mlir::glow;
namespace rt = ::glow::runtime;

namespace {
/// A model and what is known of it.
struct Model {
  std::string bytes;
  ONNXContents contents;
};

/// The values of a data set's inputs or outputs.
using Values = std::vector<ONNXFileValue>;

/// Adds the time until its end to `milliseconds`.
class Stopwatch {
public:
  explicit Stopwatch(double &milliseconds)
      : milliseconds(milliseconds), start(Clock::now()) {}
  ~Stopwatch() {
    milliseconds +=
        std::chrono::duration<double, std::milli>(Clock::now() - start).count();
  }

private:
  using Clock = std::chrono::steady_clock;
  double &milliseconds;
  Clock::time_point start;
};
} // namespace

static std::string fileOf(const std::string &dataSet, StringRef kind,
                          size_t index) {
  return (dataSet + "/" + kind + "_" + Twine(index) + ".pb").str();
}

static llvm::Expected<Model> readModel(const TestCase &test, Outcome &outcome) {
  auto buffer = llvm::MemoryBuffer::getFile(test.modelPath(), /*IsText=*/false,
                                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return llvm::createStringError("the model cannot be opened");
  Model model{(*buffer)->getBuffer().str(), {}};
  auto contents = contentsOfONNX(model.bytes);
  if (!contents)
    return contents.takeError();
  model.contents = std::move(*contents);
  outcome.operators = model.contents.operators;
  for (const auto *list : {&model.contents.inputs, &model.contents.outputs})
    for (const ONNXContents::Value &value : *list)
      if (std::string type = rt::dtypeName(value.dtype);
          !llvm::is_contained(outcome.types, type))
        outcome.types.push_back(type);
  return std::move(model);
}

static llvm::Expected<Values> readValues(ArrayRef<ONNXContents::Value> infos,
                                         const std::string &dataSet,
                                         StringRef kind) {
  Values values;
  for (auto [i, info] : llvm::enumerate(infos)) {
    ONNXFileValue &value = values.emplace_back();
    value.isSequence = info.isSequence;
    value.isOptional = info.isOptional;
    if (llvm::Error error = readONNXValue(fileOf(dataSet, kind, i), value))
      return std::move(error);
  }
  return std::move(values);
}

namespace {
/// The values of inputs as glow_run wants them.
struct NamedTensors {
  NamedTensors(ArrayRef<ONNXContents::Value> infos, const Values &values) {
    for (auto [info, value] : llvm::zip_equal(infos, values)) {
      bool isList = value.isSequence || value.isOptional;
      if (value.isSequence && value.isPresent && value.tensors.empty())
        add(info.name).dtype = GLOW_UNDEFINED;
      for (auto [i, array] : llvm::enumerate(value.tensors)) {
        GlowTensor &tensor = add(isList ? nameInList(info.name, i) : info.name);
        tensor.data = array.data.data();
        tensor.dims = array.dims.data();
        tensor.rank = array.dims.size();
        tensor.dtype = array.dtype;
        // Behind the pointers to strings, the data has their texts.
        if (!rt::tensorBytes(array.dtype, tensor.dims, tensor.rank,
                             tensor.bytes))
          tensor.bytes = array.data.size();
      }
    }
    for (auto [tensor, name] : llvm::zip(tensors, names))
      tensor.name = name.c_str();
  }
  GlowTensor &add(std::string name) {
    names.push_back(std::move(name));
    return tensors.emplace_back(GlowTensor{});
  }
  std::vector<GlowTensor> tensors;
  std::vector<std::string> names;
};
} // namespace

/// Compares one output, a tensor or a list. Returns what differs.
static std::string compareValue(const Program &program,
                                ArrayRef<OutputTensor> results, StringRef name,
                                const ONNXFileValue &expected,
                                const TestCase &test, double &ulps) {
  auto compare = [&](size_t index, size_t place) {
    std::string reason =
        compareTensor(results[index], expected.tensors[place], test, ulps);
    return reason.empty()
               ? reason
               : "output '" + program.outputs[index].name + "': " + reason;
  };
  for (const TensorList &list : program.outputLists) {
    if (list.name != name)
      continue;
    if (list.isPresent != expected.isPresent ||
        list.count != expected.tensors.size())
      return ("output '" + name + "' has " + Twine(list.count) +
              " tensors instead of " + Twine(expected.tensors.size()))
          .str();
    for (unsigned i = 0; i < list.count; ++i)
      if (std::string reason = compare(list.first + i, i); !reason.empty())
        return reason;
    return "";
  }
  for (auto [i, info] : llvm::enumerate(program.outputs))
    if (info.name == name && expected.tensors.size() == 1)
      return compare(i, 0);
  return ("output '" + name + "' is missing").str();
}

/// Runs a program on a data set and compares.
static Outcome check(Program &program, const TestCase &test, const Model &model,
                     const std::string &dataSet,
                     ArrayRef<ONNXContents::Value> inputs, Outcome outcome) {
  auto fail = [&](Outcome::Status status, std::string reason) {
    outcome.status = status;
    outcome.reason = std::move(reason);
    return outcome;
  };
  auto given = readValues(inputs, dataSet, "input");
  auto wanted = readValues(model.contents.outputs, dataSet, "output");
  if (!given || !wanted)
    return fail(Outcome::Unsupported,
                toString(joinErrors(given.takeError(), wanted.takeError())));
  NamedTensors named(inputs, *given);
  auto bound = [&] {
    // Programs for certain shapes or values are compiled here.
    Stopwatch watch(outcome.compileMilliseconds);
    auto bound = program.bind(named.tensors);
    if (bound)
      if (auto ready = bound->program->specialize(bound->tensors); !ready)
        return llvm::Expected<Program::Bound>(ready.takeError());
    return bound;
  }();
  if (!bound)
    return fail(Outcome::Unsupported, toString(bound.takeError()));
  auto results = [&] {
    Stopwatch watch(outcome.runMilliseconds);
    return bound->program->run(bound->tensors);
  }();
  if (!results)
    return fail(Outcome::Unsupported, toString(results.takeError()));
  for (auto [info, value] : llvm::zip(model.contents.outputs, *wanted))
    if (std::string reason = compareValue(*bound->program, *results, info.name,
                                          value, test, outcome.ulps);
        !reason.empty())
      return fail(Outcome::Failed, reason);
  return outcome;
}

/// The program of a mode; for Mode::Constant, that of one data set.
static llvm::Expected<std::unique_ptr<Program>>
compileFor(Mode mode, const TestCase &test, const Model &model,
           const std::string &dataSet, const ProgramOptions &options) {
  llvm::Expected<std::string> bytes = model.bytes;
  if (mode == Mode::Dynamic)
    bytes = withOpenShapes(model.bytes);
  if (mode == Mode::Constant) {
    std::vector<std::string> files;
    for (size_t i = 0; i < model.contents.inputs.size(); ++i)
      files.push_back(fileOf(dataSet, "input", i));
    bytes = withConstantInputs(model.bytes, files);
  }
  if (!bytes)
    return bytes.takeError();
  return Program::compile(*bytes, test.folder, options);
}

static Outcome runOnce(const TestCase &test, Mode mode,
                       const ProgramOptions &options) {
  Outcome outcome;
  auto model = readModel(test, outcome);
  if (!model)
    return Outcome::failure(Outcome::Unsupported, toString(model.takeError()));
  std::unique_ptr<Program> program;
  for (const std::string &dataSet : test.dataSets) {
    if (!program || mode == Mode::Constant) {
      Stopwatch watch(outcome.compileMilliseconds);
      auto made = compileFor(mode, test, *model, dataSet, options);
      if (!made) {
        outcome.status = Outcome::Unsupported;
        outcome.reason = toString(made.takeError());
        return outcome;
      }
      program = std::move(*made);
    }
    ArrayRef<ONNXContents::Value> inputs = model->contents.inputs;
    if (mode == Mode::Constant)
      inputs = {};
    outcome = check(*program, test, *model, dataSet, inputs, outcome);
    if (outcome.status != Outcome::Passed)
      break;
  }
  return outcome;
}

Outcome mlir::glow::runTest(const TestCase &test, Mode mode,
                            const ProgramOptions &options) {
  Outcome outcome = runOnce(test, mode, options);
  if (mode != Mode::Dynamic || outcome.status != Outcome::Unsupported ||
      options.dynamicShapes != DynamicShapes::Ranges)
    return outcome;
  // As a program does by itself that meets a model without ranges.
  ProgramOptions exact = options;
  exact.dynamicShapes = DynamicShapes::Exact;
  Outcome second = runOnce(test, mode, exact);
  second.noRange = outcome.reason;
  return second;
}

// --- Ahead of time -----------------------------------------------------------

static std::string objectFile(StringRef stem, size_t index) {
  return (stem + "." + Twine(index) + ".so").str();
}

namespace {
/// Compiles a model for the shapes of inputs, into a library or a package.
class ObjectCompiler {
public:
  ObjectCompiler(const TestCase &test, const Model &model, const Values &values,
                 const ProgramOptions &options, StringRef file)
      : test(test), model(model), values(values), options(options), file(file) {
    NamedTensors named(model.contents.inputs, values);
    for (const GlowTensor &tensor : named.tensors)
      known.shapes[tensor.name] = {tensor.dims, tensor.dims + tensor.rank};
    for (auto [info, value] : llvm::zip_equal(model.contents.inputs, values))
      if (value.tensors.empty())
        known.empty[info.name] = value.isPresent;
  }

  Outcome compile() {
    registerAllDialects(registry);
    if (llvm::Error error = loadDialectPlugins(options.plugins, registry))
      return Outcome::failure(Outcome::Unsupported, toString(std::move(error)));
    context.appendDialectRegistry(registry);
    ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
      if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
        errors += (errors.empty() ? "" : "\n") + diagnostic.str();
    });
    auto module = load(known);
    if (known.isWaiting() && known.onlyExtents && compileForRanges())
      return Outcome();
    // Otherwise for these values, one after the other as they are asked for.
    while (known.isWaiting() && stateMissing()) {
      errors.clear();
      module = load(known);
    }
    if (known.isWaiting())
      return Outcome::failure(Outcome::Inexpressible,
                              "the graph depends on the values of inputs");
    if (module && write(*module, options.compile))
      return Outcome();
    return Outcome::failure(Outcome::Unsupported, errors);
  }

private:
  OwningOpRef<ModuleOp> load(ONNXInputValues &inputs) {
    inputs.missing.clear();
    inputs.needsShapes = false;
    return loadModule(test.modelPath(), &context, &inputs);
  }

  bool write(ModuleOp module, const CompileOptions &compile) {
    StageLog log;
    PackageCompileOptions package;
    package.target = options.target;
    package.machine = options.compile.machine;
    package.name = test.name;
    return succeeded(options.target == "cpu"
                         ? compileToFile(module, file, compile, log)
                         : compileToPackage(module, file, package, log));
  }

  /// Calls `take` with the inputs whose values are missing.
  template <typename Function> void forMissing(Function take) {
    for (auto [info, value] : llvm::zip_equal(model.contents.inputs, values))
      if (llvm::is_contained(known.missing, info.name) &&
          value.tensors.size() == 1)
        take(info.name, value.tensors.front());
  }

  /// With room for the most that the values can make.
  bool compileForRanges() {
    CompileOptions compile = options.compile;
    forMissing([&](const std::string &name, const rt::Array &array) {
      if (auto range = rangeOfValues(name, array))
        compile.values.push_back(*range);
    });
    ONNXInputValues open = known;
    open.mayWait = false;
    auto module = load(open);
    return module && write(*module, compile);
  }

  /// False if there is nothing to say that was not said before.
  bool stateMissing() {
    bool isAny = false;
    forMissing([&](const std::string &name, const rt::Array &array) {
      if (auto texts = textsOfValues(array))
        isAny |= known.numbers.try_emplace(name, *texts).second;
    });
    return isAny;
  }

  const TestCase &test;
  const Model &model;
  const Values &values;
  const ProgramOptions &options;
  StringRef file;
  DialectRegistry registry;
  MLIRContext context;
  std::string errors;
  ONNXInputValues known;
};
} // namespace

Outcome mlir::glow::compileObjects(const TestCase &test,
                                   const ProgramOptions &options,
                                   StringRef stem) {
  Outcome outcome;
  auto model = readModel(test, outcome);
  if (!model)
    return Outcome::failure(Outcome::Unsupported, toString(model.takeError()));
  for (auto [i, dataSet] : llvm::enumerate(test.dataSets)) {
    auto values = readValues(model->contents.inputs, dataSet, "input");
    if (!values)
      return Outcome::failure(Outcome::Unsupported,
                              toString(values.takeError()));
    Stopwatch watch(outcome.compileMilliseconds);
    std::string file = objectFile(stem, i);
    Outcome one =
        ObjectCompiler(test, *model, *values, options, file).compile();
    outcome.status = one.status;
    outcome.reason = one.reason;
    if (one.status != Outcome::Passed)
      break;
  }
  return outcome;
}

Outcome mlir::glow::runObjects(const TestCase &test,
                               const ProgramOptions &options, StringRef stem) {
  Outcome outcome;
  auto model = readModel(test, outcome);
  if (!model)
    return Outcome::failure(Outcome::Unsupported, toString(model.takeError()));
  for (auto [i, dataSet] : llvm::enumerate(test.dataSets)) {
    std::string file = objectFile(stem, i);
    if (outcome.status == Outcome::Passed) {
      auto program = Program::load(file, options.threads);
      if (!program)
        return Outcome::failure(Outcome::Failed, toString(program.takeError()));
      outcome = check(**program, test, *model, dataSet, model->contents.inputs,
                      outcome);
    }
    llvm::sys::fs::remove(file);
  }
  return outcome;
}
