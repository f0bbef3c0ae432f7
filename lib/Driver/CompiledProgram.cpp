//===- CompiledProgram.cpp - programs compiled in this process ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model with open extents is compiled when it is run, for the shapes that
// come or for ranges of them, as ShapePolicy says. The least recently used
// program is dropped.
//
//===----------------------------------------------------------------------===//
#include "ModelProgram.h"
#include "RecentlyUsed.h"
#include "ShapePolicy.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/Transforms/OpenShapes.h"
#include "glow/Runtime/Program.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
class CompiledProgram : public ModelProgram {
public:
  CompiledProgram(std::unique_ptr<MLIRContext> context,
                  OwningOpRef<ModuleOp> module, const ProgramOptions &options)
      : ModelProgram(std::move(context), std::move(module), options),
        policy(options.dynamicShapes) {}

  llvm::Error initialize() {
    if (llvm::Error error = describe(/*hidesBounds=*/true))
      return error;
    if (isForCard() && (isBounded() || symbolsArgument(mainFunction())))
      return llvm::createStringError(
          "ranges of shapes do not go with a card: fix the inputs' shapes");
    if (isForCard())
      policy.giveUpRanges();
    open = openShapesOf(mainFunction());
    // What needs no shapes is compiled now, so that errors come from `compile`.
    if (!isComplete())
      return llvm::Error::success();
    auto program = compile({}, options.compile.bounds);
    if (!program)
      return program.takeError();
    cache.add({{}, {}, *program}, options.cacheSize);
    return llvm::Error::success();
  }

  llvm::Expected<std::shared_ptr<GlowRtProgram>>
  specialize(ArrayRef<GlowTensor> tensors) override {
    std::lock_guard lock(mutex);
    if (isComplete())
      return cache.front().program;
    std::vector<std::string> shapes = shapesOf(tensors);
    std::optional<SmallVector<int64_t>> values = symbolsIn(tensors);
    if (!values)
      return exactly(shapes, {});
    SmallVector<ShapeBox> boxes;
    for (const Entry &entry : cache)
      if (!entry.box.ranges.empty())
        boxes.push_back(entry.box);
    ShapeBox box = policy.choose(*values, boxes);
    if (!box.isFixed()) {
      auto program = forRange(box);
      bool isOnlyWay = options.dynamicShapes == DynamicShapes::Ranges;
      if (isOnlyWay || (program && takes(**program, tensors)))
        return program;
      // Not every model can be compiled for ranges.
      if (!program)
        llvm::consumeError(program.takeError());
      policy.giveUpRanges();
    }
    return exactly(shapes, ShapeBox::of(*values));
  }

  llvm::Error save(StringRef path) override {
    if (!isComplete())
      return llvm::createStringError("only a model whose shapes are known can "
                                     "be saved; fix its inputs' shapes, or "
                                     "give them ranges, when you compile it");
    std::lock_guard lock(mutex);
    ErrorCollector errors(context.get());
    OwningOpRef<ModuleOp> copy = module->clone();
    if (failed(isForCard()
                   ? compileToPackage(*copy, path, packageOptions({}), log)
                   : compileToFile(*copy, path, options.compile, log)))
      return errors.take("the model could not be compiled");
    return llvm::Error::success();
  }

private:
  struct Entry {
    std::vector<std::string> shapes; // empty: those in the box
    ShapeBox box;                    // empty: they do not agree with symbols
    std::shared_ptr<GlowRtProgram> program;
  };

  /// A program for just these shapes.
  llvm::Expected<std::shared_ptr<GlowRtProgram>>
  exactly(const std::vector<std::string> &shapes, ShapeBox box) {
    return find([&](const Entry &entry) { return entry.shapes == shapes; },
                [&] { return compile(shapes, {}); }, {shapes, box, nullptr});
  }

  /// A program for the shapes in `box`.
  llvm::Expected<std::shared_ptr<GlowRtProgram>> forRange(const ShapeBox &box) {
    auto isSame = [&](const Entry &entry) {
      return entry.shapes.empty() && entry.box == box;
    };
    auto make = [&] {
      std::vector<std::string> bounds;
      for (auto [name, range] : llvm::zip_equal(open.symbols, box.ranges))
        if (!range.isFixed())
          bounds.push_back(name + "=" + std::to_string(range.lower) + ".." +
                           std::to_string(range.upper));
      return compile(fixedShapes(box), bounds);
    };
    return find(isSame, make, {{}, box, nullptr});
  }

  /// Extents that meet in an op are taken to be equal in a range, although one
  /// of them may be 1.
  static bool takes(const GlowRtProgram &program,
                    ArrayRef<GlowTensor> tensors) {
    SmallVector<int64_t> values;
    for (const GlowSymbol &symbol : program.impl->symbols)
      values.push_back(tensors[symbol.input].dims[symbol.axis]);
    std::vector<int64_t> wanted = program.impl->extents(values.data());
    size_t next = 0;
    for (const GlowTensor &tensor : tensors)
      for (uint32_t axis = 0; axis < tensor.rank; ++axis)
        if (wanted[next++] != tensor.dims[axis])
          return false;
    return true;
  }

  /// The cached program of which `isSame` holds, or the one that `make` gives.
  llvm::Expected<std::shared_ptr<GlowRtProgram>> find(
      llvm::function_ref<bool(const Entry &)> isSame,
      llvm::function_ref<llvm::Expected<std::shared_ptr<GlowRtProgram>>()> make,
      Entry made) {
    if (const Entry *known = cache.find(isSame))
      return known->program;
    auto program = make();
    if (!program)
      return program.takeError();
    made.program = *program;
    return cache.add(std::move(made), options.cacheSize).program;
  }

  /// The values of the symbols; nothing if the shapes contradict each other.
  std::optional<SmallVector<int64_t>> symbolsIn(ArrayRef<GlowTensor> tensors) {
    SmallVector<int64_t> values(open.symbols.size(), -1);
    auto forEach = [&](auto body) {
      for (auto [map, tensor] : llvm::zip_equal(open.arguments, tensors))
        for (auto [axis, extent] : llvm::enumerate(map.getResults()))
          if (!body(extent, tensor.dims[axis]))
            return false;
      return true;
    };
    forEach([&](AffineExpr extent, int64_t value) {
      if (auto symbol = dyn_cast<AffineSymbolExpr>(extent))
        values[symbol.getPosition()] = value;
      return true;
    });
    bool agree = forEach([&](AffineExpr extent, int64_t value) {
      return evaluate(extent, values) == value;
    });
    if (!agree)
      return std::nullopt;
    return values;
  }

  /// Shapes with the extents that `box` fixes; others are left open.
  std::vector<std::string> fixedShapes(const ShapeBox &box) {
    SmallVector<AffineExpr> known;
    for (auto [i, range] : llvm::enumerate(box.ranges))
      known.push_back(range.isFixed()
                          ? getAffineConstantExpr(range.lower, context.get())
                          : getAffineSymbolExpr(i, context.get()));
    std::vector<std::string> shapes;
    for (auto [info, map] : llvm::zip_equal(inputs, open.arguments)) {
      if (isStatic(info))
        continue;
      std::string text = info.name + "=";
      llvm::raw_string_ostream out(text);
      llvm::interleave(
          map.getResults(), out,
          [&](AffineExpr extent) {
            extent = extent.replaceDimsAndSymbols({}, known);
            if (auto constant = dyn_cast<AffineConstantExpr>(extent))
              out << constant.getValue();
            else
              out << "?";
          },
          "x");
      shapes.push_back(text);
    }
    return shapes;
  }

  static int64_t evaluate(AffineExpr extent, ArrayRef<int64_t> values) {
    SmallVector<AffineExpr> known;
    for (int64_t value : values)
      known.push_back(getAffineConstantExpr(value, extent.getContext()));
    auto constant =
        dyn_cast<AffineConstantExpr>(extent.replaceDimsAndSymbols({}, known));
    return constant ? constant.getValue() : -1;
  }

  bool isForCard() const { return options.target != "cpu"; }

  PackageCompileOptions packageOptions(const std::vector<std::string> &shapes) {
    PackageCompileOptions package;
    package.target = options.target;
    package.machine = options.compile.machine;
    package.name = name;
    package.shapes = shapes;
    return package;
  }

  static bool isStatic(const Info &input) {
    return llvm::all_of(input.dims, [](int64_t extent) { return extent >= 0; });
  }
  bool isBounded() const { return !options.compile.bounds.empty(); }
  /// All that has to be known to compile is known.
  bool isComplete() {
    return isBounded() || symbolsArgument(mainFunction()) ||
           llvm::all_of(inputs, isStatic);
  }

  /// The shapes of inputs that the model leaves open, as name=1x3x4.
  std::vector<std::string> shapesOf(ArrayRef<GlowTensor> tensors) {
    std::vector<std::string> shapes;
    for (auto [info, tensor] : llvm::zip(inputs, tensors)) {
      if (isStatic(info))
        continue;
      std::string text = info.name + "=";
      llvm::raw_string_ostream out(text);
      llvm::interleave(ArrayRef(tensor.dims, tensor.rank), out, "x");
      shapes.push_back(text);
    }
    return shapes;
  }

  llvm::Expected<std::shared_ptr<GlowRtProgram>>
  compile(const std::vector<std::string> &shapes,
          const std::vector<std::string> &bounds) {
    if (options.checkFile)
      if (llvm::Error error = options.checkFile())
        return std::move(error);
    ErrorCollector errors(context.get());
    OwningOpRef<ModuleOp> copy = module->clone();
    if (isForCard()) {
      auto program = loadPackaged(*copy, options, packageOptions(shapes), log);
      if (program)
        return program;
      return errors.take(llvm::toString(program.takeError()));
    }
    CompileOptions compileOptions = options.compile;
    compileOptions.shapes = shapes;
    compileOptions.bounds = bounds;
    auto jit = compileInProcess(*copy, compileOptions, log);
    if (failed(jit))
      return errors.take("the model could not be compiled");
    GlowRtOptions runtime = {};
    runtime.size = sizeof(runtime);
    runtime.threads = options.threads;
    runtime.release = [](void *user) { delete static_cast<JitModel *>(user); };
    runtime.user = jit->get();
    GlowRtProgram *program;
    if (glow_rt_load_model((*jit)->model(), nullptr, &runtime, &program))
      return llvm::createStringError(glow_last_error());
    (void)jit->release();
    return std::shared_ptr<GlowRtProgram>(program, glow_rt_program_free);
  }

  OpenShapes open;
  ShapePolicy policy;
  RecentlyUsed<Entry> cache;
};
} // namespace

llvm::Expected<std::unique_ptr<Program>>
mlir::glow::makeCompiledProgram(std::unique_ptr<MLIRContext> context,
                                OwningOpRef<ModuleOp> module,
                                const ProgramOptions &options) {
  auto program = std::make_unique<CompiledProgram>(std::move(context),
                                                   std::move(module), options);
  if (llvm::Error error = program->initialize())
    return std::move(error);
  return std::move(program);
}
