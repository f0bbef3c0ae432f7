//===- ModelProgram.cpp - programs that hold a model's graph --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ModelProgram.h"
#include "SharedThreads.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Driver/DialectPlugins.h"
#include "glow/InitAll.h"
#include "glow/Interfaces/Target.h"
#include "glow/Support/DType.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"

using namespace mlir;
using namespace mlir::glow;

ModelProgram::ModelProgram(std::unique_ptr<MLIRContext> context,
                           OwningOpRef<ModuleOp> module,
                           const ProgramOptions &options)
    : context(std::move(context)), module(std::move(module)), options(options) {
}

ErrorCollector::ErrorCollector(MLIRContext *context)
    : handler(context, [this](Diagnostic &diagnostic) {
        std::lock_guard lock(mutex);
        if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
          return failure();
        llvm::raw_string_ostream out(text);
        if (!text.empty())
          out << '\n';
        Location loc = diagnostic.getLocation();
        auto file = dyn_cast<FileLineColLoc>(loc);
        if (file && file.getLine() == 0)
          out << file.getFilename().getValue() << ": ";
        else if (!isa<UnknownLoc>(loc))
          out << loc << ": ";
        out << diagnostic;
        for (Diagnostic &note : diagnostic.getNotes())
          out << "\n  note: " << note;
        return success();
      }) {}

llvm::Error ErrorCollector::take(StringRef fallback) {
  std::lock_guard lock(mutex);
  return llvm::createStringError(text.empty() ? fallback.str() : text);
}

func::FuncOp ModelProgram::mainFunction() {
  for (auto function : module->getOps<func::FuncOp>())
    if (function.isPublic())
      return function;
  return {};
}

static llvm::Expected<Program::Info> describeTensor(Type type, Attribute name,
                                                    std::string fallback,
                                                    AffineMapAttr extents) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  FailureOr<uint32_t> dtype = failure();
  if (tensor)
    dtype = dtypeOf(tensor.getElementType());
  Program::Info info;
  info.name = name ? cast<StringAttr>(name).str() : fallback;
  if (failed(dtype))
    return llvm::createStringError("'" + info.name +
                                   "' is not a tensor that can be bound");
  for (int64_t extent : tensor.getShape())
    info.dims.push_back(ShapedType::isDynamic(extent) ? -1 : extent);
  if (extents)
    for (auto [dim, extent] :
         llvm::zip(info.dims, extents.getValue().getResults()))
      if (!isa<AffineConstantExpr>(extent))
        dim = -1;
  info.dtype = *dtype;
  return info;
}

llvm::Error ModelProgram::describe(bool hidesBounds) {
  func::FuncOp function = mainFunction();
  if (!function)
    return llvm::createStringError("the module has no public function");
  name = function.getName();
  auto add = [&](std::vector<Info> &list, Type type, DictionaryAttr attributes,
                 StringRef stem) -> llvm::Error {
    auto get = [&](StringRef name) {
      return attributes ? attributes.get(name) : Attribute();
    };
    // Their values follow from shapes, and shapes from their values.
    if (hidesBounds &&
        (get(GlowDialect::kSymbolsAttrName) || get(kComputedSymbolsAttrName)))
      return llvm::Error::success();
    auto info =
        describeTensor(type, get(GlowDialect::kNameAttrName),
                       (stem + Twine(list.size())).str(),
                       hidesBounds ? dyn_cast_or_null<AffineMapAttr>(
                                         get(GlowDialect::kExtentsAttrName))
                                   : AffineMapAttr());
    if (!info)
      return info.takeError();
    list.push_back(*info);
    return llvm::Error::success();
  };
  inputLists = tensorListsOf(function->getAttr(kInputListsAttrName));
  outputLists = tensorListsOf(function->getAttr(kOutputListsAttrName));
  for (auto [i, type] : llvm::enumerate(function.getArgumentTypes()))
    if (llvm::Error error =
            add(inputs, type, function.getArgAttrDict(i), "input"))
      return error;
  for (auto [i, type] : llvm::enumerate(function.getResultTypes()))
    if (llvm::Error error =
            add(outputs, type, function.getResultAttrDict(i), "output"))
      return error;
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<MLIRContext>>
makeContext(ArrayRef<std::string> plugins) {
  DialectRegistry registry;
  registerAllDialects(registry);
  if (llvm::Error error = loadDialectPlugins(plugins, registry))
    return std::move(error);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->setThreadPool(sharedThreads());
  // An error of a function would bring all of it.
  context->printOpOnDiagnostic(false);
  context->loadDialect<GlowDialect>();
  return std::move(context);
}

/// Fixes the shapes that the options name, so that inputs show them.
static LogicalResult fixShapes(ModuleOp module, const ProgramOptions &options) {
  InferShapesOptions shapes;
  shapes.shapes.assign(options.compile.shapes.begin(),
                       options.compile.shapes.end());
  PassManager manager(module.getContext());
  manager.addPass(createInferShapes(shapes));
  return manager.run(module);
}

/// A model whose extents depend on the values of inputs: one program with room
/// for the most there can be if it can be compiled so, otherwise one for each
/// set of values.
static llvm::Expected<std::unique_ptr<Program>>
makeProgramForValues(const ProgramOptions &options, ModelLoader load,
                     const ONNXInputValues &values) {
  if (values.onlyExtents && options.target == "cpu") {
    auto program =
        makeProgram(options, [&](MLIRContext *context, ONNXInputValues *known) {
          known->mayWait = false;
          return load(context, known);
        });
    // With ranges of values one program is what was asked for.
    if (program || !options.compile.values.empty())
      return program;
    llvm::consumeError(program.takeError());
  }
  return makeWaitingProgram(options, std::move(load), values);
}

static bool hasRanges(ArrayRef<std::string> shapes) {
  return llvm::any_of(shapes, [](StringRef shape) {
    return shape.rsplit('=').second.contains("..");
  });
}

llvm::Expected<std::unique_ptr<Program>>
glow::makeProgram(const ProgramOptions &asked, ModelLoader load) {
  ProgramOptions options = asked;
  auto made = makeContext(options.plugins);
  if (!made)
    return made.takeError();
  std::unique_ptr<MLIRContext> context = std::move(*made);
  OwningOpRef<ModuleOp> module;
  ONNXInputValues values;
  bool interprets =
      options.target == "interpret" || options.target == "interpret-double";
  {
    // Must go before the context, which a failing program takes along.
    ErrorCollector errors(context.get());
    if (!interprets && failed(parseTarget(options.target, context.get())))
      return errors.take("the target is not known");
    llvm::erase_if(options.compile.shapes, [&](const std::string &shape) {
      return !values.addShape(shape);
    });
    llvm::erase_if(options.compile.values, [&](const std::string &text) {
      return !values.addValue(text);
    });
    for (const std::string &text : options.compile.most)
      values.addMost(text);
    module = load(context.get(), &values);
    // What has a range has no shape to wait for: say who needs one.
    if (values.needsShapes && hasRanges(options.compile.shapes)) {
      values.mayWait = values.needsShapes = false;
      values.missing.clear();
      module = load(context.get(), &values);
      if (!module)
        return llvm::createStringError(
            llvm::toString(errors.take("the model could not be read")) +
            "; the model is compiled for a range of shapes: fix the shapes of "
            "its inputs");
    }
    if (values.isWaiting())
      return makeProgramForValues(asked, std::move(load), values);
    llvm::erase_if(options.compile.most, [&](const std::string &text) {
      return values.tookMost(text);
    });
    if (!module || failed(resolveRanges(*module, options.compile)) ||
        failed(fixShapes(*module, options)))
      return errors.take("the model could not be read");
  }
  auto make = interprets ? makeInterpretedProgram : makeCompiledProgram;
  return make(std::move(context), std::move(module), options);
}

namespace {
/// What a file was when it was first looked at.
class FileStamp {
public:
  explicit FileStamp(StringRef path)
      : path(path), isKnown(!llvm::sys::fs::status(path, first)) {}

  llvm::Error check() const {
    llvm::sys::fs::file_status now;
    if (isKnown &&
        (llvm::sys::fs::status(path, now) ||
         now.getUniqueID() != first.getUniqueID() ||
         now.getSize() != first.getSize() ||
         now.getLastModificationTime() != first.getLastModificationTime()))
      return llvm::createStringError("the model file '" + path +
                                     "' has changed since it was opened; "
                                     "compile it again");
    return llvm::Error::success();
  }

private:
  std::string path;
  llvm::sys::fs::file_status first;
  bool isKnown;
};
} // namespace

llvm::Expected<std::unique_ptr<Program>>
Program::compile(StringRef path, const ProgramOptions &given) {
  auto stamp = std::make_shared<FileStamp>(path);
  ProgramOptions options = given;
  options.checkFile = [stamp] { return stamp->check(); };
  return makeProgram(options, [path = path.str(),
                               stamp](MLIRContext *context,
                                      ONNXInputValues *values) {
    if (llvm::Error error = stamp->check()) {
      emitError(UnknownLoc::get(context)) << llvm::toString(std::move(error));
      return OwningOpRef<ModuleOp>();
    }
    return loadModule(path, context, values);
  });
}

llvm::Expected<std::unique_ptr<Program>>
Program::compile(StringRef bytes, StringRef folder,
                 const ProgramOptions &options) {
  // Kept for models that are read again for each value of an input.
  auto model = std::make_shared<std::string>(bytes);
  return makeProgram(
      options, [model, folder = folder.str()](MLIRContext *context,
                                              ONNXInputValues *values) {
        return loadModule(llvm::MemoryBuffer::getMemBufferCopy(*model, "model"),
                          folder, context, values);
      });
}
