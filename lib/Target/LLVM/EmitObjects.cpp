//===- EmitObjects.cpp - kernels to object files, in parallel -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "EmitEntry.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/Threading.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SmallVectorMemoryBuffer.h"
#include "llvm/Target/TargetMachine.h"

using namespace mlir;
using namespace mlir::glow;

using Object = std::unique_ptr<llvm::MemoryBuffer>;

/// Whether LLVM may make vectors of the loops that kernels have none for. It
/// follows every path through the values of a loop; a function of a function
/// has so many that this takes minutes.
static bool hasShortBlocks(const llvm::Module &module) {
  constexpr size_t kMostInstructions = 24;
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      if (block.size() > kMostInstructions)
        return false;
  return true;
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false; // kernels are unrolled where it pays
  tuning.LoopVectorization = hasShortBlocks(module);
  llvm::PassBuilder builder(&machine, tuning);
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager graphs;
  llvm::ModuleAnalysisManager modules;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(graphs);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, graphs, modules);
  builder.buildPerModuleDefaultPipeline(llvm::OptimizationLevel::O2)
      .run(module, modules);
}

static llvm::Expected<Object> generate(llvm::Module &module,
                                       llvm::TargetMachine &machine) {
  SmallVector<char, 0> bytes;
  llvm::raw_svector_ostream stream(bytes);
  llvm::legacy::PassManager manager;
  if (machine.addPassesToEmitFile(manager, stream, nullptr,
                                  llvm::CodeGenFileType::ObjectFile))
    return llvm::createStringError("LLVM cannot write objects for this target");
  manager.run(module);
  return std::make_unique<llvm::SmallVectorMemoryBuffer>(
      std::move(bytes), module.getModuleIdentifier(),
      /*RequiresNullTerminator=*/false);
}

/// Names what the module defines after its content, so that the object is the
/// same for every program. Programs linked into one may share a kernel.
static void nameSymbols(llvm::Module &module, StringRef symbol) {
  module.setModuleIdentifier(symbol);
  module.setSourceFileName(symbol);
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    if (function.hasLocalLinkage()) {
      function.setName(symbol + "_body");
      continue;
    }
    function.setName(symbol);
    function.setLinkage(llvm::GlobalValue::WeakODRLinkage);
    function.setVisibility(llvm::GlobalValue::HiddenVisibility);
  }
}

/// States how long scalable registers are: LLVM then keeps our vectors in them.
static void fixVectorLength(llvm::Module &module, const KernelTarget &target) {
  if (!target.hasScalableRegisters())
    return;
  auto length = static_cast<unsigned>(target.vectorBits / 128);
  for (llvm::Function &function : module)
    if (!function.isDeclaration())
      function.addFnAttr(llvm::Attribute::getWithVScaleRangeArgs(
          module.getContext(), length, length));
}

/// One kernel module in the LLVM dialect to an object.
static llvm::Expected<Object> emitKernel(ModuleOp kernel, StringRef symbol,
                                         const EmitOptions &options) {
  auto machine = createTargetMachine(options.machine);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module = translateModuleToLLVMIR(
      kernel, context, kernel.getName().value_or("kernel"));
  if (!module)
    return llvm::createStringError("kernel " + kernel.getName().value_or("") +
                                   " could not be translated to LLVM IR");
  module->setTargetTriple(llvm::Triple(options.machine.triple));
  module->setDataLayout((*machine)->createDataLayout());
  nameSymbols(*module, symbol);
  fixVectorLength(*module, options.machine.kernels);
  optimize(*module, **machine);
  return generate(*module, **machine);
}

static llvm::Expected<Object> emitDescriptor(const ProgramSpec &program,
                                             const EmitOptions &options) {
  auto machine = createTargetMachine(options.machine);
  if (!machine)
    return machine.takeError();
  llvm::LLVMContext context;
  auto module =
      emitEntry(context, (*machine)->createDataLayout(), program, options);
  if (!module)
    return module.takeError();
  return generate(**module, **machine);
}

llvm::Expected<std::vector<Object>>
glow::emitObjects(MLIRContext *context, KernelObjects kernels,
                  const ProgramSpec &program, const EmitOptions &options) {
  std::vector<Object> objects(kernels.entries.size() + 1);
  std::vector<std::string> errors(objects.size());
  auto emit = [&](size_t i) -> llvm::Expected<Object> {
    if (i == kernels.entries.size())
      return emitDescriptor(program, options);
    KernelObjects::Entry &entry = kernels.entries[i];
    if (entry.object)
      return std::move(entry.object);
    auto object = emitKernel(entry.module, entry.symbol, options);
    if (object && kernels.cache)
      kernels.cache->store(entry.key, (*object)->getBuffer());
    return object;
  };
  parallelFor(context, 0, objects.size(), [&](size_t i) {
    llvm::Expected<Object> object = emit(i);
    if (object)
      objects[i] = std::move(*object);
    else
      errors[i] = llvm::toString(object.takeError());
  });
  if (kernels.cache)
    kernels.cache->prune();
  for (const std::string &error : errors)
    if (!error.empty())
      return llvm::createStringError(error);
  return std::move(objects);
}
