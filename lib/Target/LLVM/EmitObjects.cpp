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

std::string glow::kernelSymbol(const EmitOptions &options, StringRef kernel) {
  return (options.symbol + "_" + kernel).str();
}

static void optimize(llvm::Module &module, llvm::TargetMachine &machine) {
  llvm::PipelineTuningOptions tuning;
  tuning.LoopUnrolling = false; // kernels are unrolled where it pays
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

/// One kernel module in the LLVM dialect to an object.
static llvm::Expected<Object> emitKernel(ModuleOp kernel,
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
  for (llvm::Function &function : *module)
    if (!function.isDeclaration() && !function.hasLocalLinkage()) {
      function.setName(kernelSymbol(options, function.getName()));
      function.setVisibility(llvm::GlobalValue::HiddenVisibility);
    }
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
glow::emitObjects(ModuleOp module, const ProgramSpec &program,
                  const EmitOptions &options) {
  auto kernels = llvm::to_vector(module.getOps<ModuleOp>());
  std::vector<Object> objects(kernels.size() + 1);
  std::vector<std::string> errors(objects.size());
  parallelFor(module.getContext(), 0, objects.size(), [&](size_t i) {
    llvm::Expected<Object> object = i < kernels.size()
                                        ? emitKernel(kernels[i], options)
                                        : emitDescriptor(program, options);
    if (object)
      objects[i] = std::move(*object);
    else
      errors[i] = llvm::toString(object.takeError());
  });
  for (const std::string &error : errors)
    if (!error.empty())
      return llvm::createStringError(error);
  return std::move(objects);
}
