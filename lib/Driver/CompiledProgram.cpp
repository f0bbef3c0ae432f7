//===- CompiledProgram.cpp - programs compiled in this process ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Machine code has static shapes. A model with dynamic ones is compiled once
// for each set of input shapes that it meets; the least recently used is
// dropped.
//
//===----------------------------------------------------------------------===//
#include "ModelProgram.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include <list>

using namespace mlir;
using namespace mlir::glow;

namespace {
class CompiledProgram : public ModelProgram {
public:
  using ModelProgram::ModelProgram;

  llvm::Error initialize() {
    if (llvm::Error error = describe())
      return error;
    // A static model is compiled now, so that errors come from `compile`.
    if (!isStatic())
      return llvm::Error::success();
    std::vector<GlowTensor> tensors;
    for (const Info &input : inputs)
      tensors.push_back({input.name.c_str(), nullptr, input.dims.data(), 0,
                         input.dtype,
                         static_cast<uint32_t>(input.dims.size())});
    return specialize(tensors).takeError();
  }

  llvm::Expected<std::shared_ptr<GlowRtProgram>>
  specialize(ArrayRef<GlowTensor> tensors) override {
    std::lock_guard lock(mutex);
    std::vector<std::string> shapes = shapesOf(tensors);
    for (auto entry = cache.begin(); entry != cache.end(); ++entry)
      if (entry->shapes == shapes) {
        cache.splice(cache.begin(), cache, entry);
        return cache.front().program;
      }
    auto program = compile(shapes);
    if (!program)
      return program.takeError();
    cache.push_front({shapes, *program});
    if (cache.size() > std::max(1u, options.cacheSize))
      cache.pop_back();
    return *program;
  }

  llvm::Error save(StringRef path) override {
    if (!isStatic())
      return llvm::createStringError("only a model with static shapes can be "
                                     "saved; fix its inputs' shapes "
                                     "when you compile it");
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
    std::vector<std::string> shapes;
    std::shared_ptr<GlowRtProgram> program;
  };

  bool isForCard() const { return options.target != "cpu"; }

  PackageCompileOptions packageOptions(const std::vector<std::string> &shapes) {
    PackageCompileOptions package;
    package.target = options.target;
    package.machine = options.compile.machine;
    package.name = name;
    package.shapes = shapes;
    return package;
  }

  bool isStatic() {
    return llvm::all_of(inputs, [](const Info &input) {
      return llvm::all_of(input.dims,
                          [](int64_t extent) { return extent >= 0; });
    });
  }

  /// The shapes of inputs that the model leaves open, as name=1x3x4.
  std::vector<std::string> shapesOf(ArrayRef<GlowTensor> tensors) {
    std::vector<std::string> shapes;
    for (auto [info, tensor] : llvm::zip(inputs, tensors)) {
      if (llvm::all_of(info.dims, [](int64_t extent) { return extent >= 0; }))
        continue;
      std::string text = info.name + "=";
      llvm::raw_string_ostream out(text);
      llvm::interleave(ArrayRef(tensor.dims, tensor.rank), out, "x");
      shapes.push_back(text);
    }
    return shapes;
  }

  llvm::Expected<std::shared_ptr<GlowRtProgram>>
  compile(const std::vector<std::string> &shapes) {
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

  std::list<Entry> cache; // the most recently used first
};
} // namespace

std::unique_ptr<Program>
glow::makeCompiledProgram(std::unique_ptr<MLIRContext> context,
                          OwningOpRef<ModuleOp> module,
                          const ProgramOptions &options, llvm::Error &error) {
  auto program = std::make_unique<CompiledProgram>(std::move(context),
                                                   std::move(module), options);
  error = program->initialize();
  return program;
}
