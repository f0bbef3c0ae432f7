//===- CpuTarget.cpp - what #glow.cpu answers as a target -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processor takes every op, so it is where partitioning falls back to.
//
//===----------------------------------------------------------------------===//
#include "glow/Target/CpuTarget.h"
#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Interfaces/Target.h"
#include "glow/Pipelines/Stages.h"
#include "glow/Target/LLVM/Link.h"
#include "glow/Target/LLVM/Passes.h"

using namespace mlir;
using namespace mlir::glow;

static llvm::Expected<Machine> machineOf(Attribute target) {
  auto cpu = cast<CpuAttr>(target);
  return resolveMachine({cpu.getTriple().str(), cpu.getCpu().str(),
                         cpu.getFeatures().str(), "", ""});
}

namespace {
struct CpuTargetModel
    : TargetAttrInterface::ExternalModel<CpuTargetModel, CpuAttr> {
  StringRef getDeviceName(Attribute) const { return "cpu"; }
  StringRef getFileExtension(Attribute) const { return "so"; }

  ArrayRef<Capability> getCapabilities(Attribute) const { return {}; }
  std::optional<std::string> whyUnsupported(Attribute, Operation *) const {
    return std::nullopt;
  }

  /// One core with 256-bit vectors; only the ratio to a card's rates counts.
  TargetRates getRates(Attribute) const {
    TargetRates rates;
    rates.flops = 40;
    rates.memoryBytes = 10;
    return rates;
  }

  void buildPipeline(Attribute target, OpPassManager &manager) const {
    llvm::Expected<Machine> machine = machineOf(target);
    if (!machine) {
      // `emit` asks again and reports it.
      llvm::consumeError(machine.takeError());
      return;
    }
    const KernelTarget &kernels = machine->kernels;
    GraphStageOptions graph;
    graph.packWidth = 2 * kernels.vectorBits / 32;
    graph.target = kernels;
    buildGraphPipeline(manager, graph);
    InstStageOptions inst;
    inst.fuseBands = true;
    inst.target = kernels;
    buildInstPipeline(manager, inst);
    OutlineKernelsOptions outline;
    outline.target = kernels;
    manager.addPass(createOutlineKernels(outline));
    buildKernelPipeline(manager, kernels);
  }

  LogicalResult emit(Attribute target, ModuleOp module, StringRef path) const {
    llvm::Expected<Machine> machine = machineOf(target);
    if (!machine)
      return module.emitError(llvm::toString(machine.takeError()));
    KernelObjects kernels(module, *machine);
    FailureOr<ProgramSpec> program = readProgram(module, kernels);
    if (failed(program))
      return failure();
    if (llvm::Error error = writeSharedLibrary(
            {module.getContext(), *program, std::move(kernels), *machine},
            path))
      return module.emitError(llvm::toString(std::move(error)));
    return success();
  }
};
} // namespace

void glow::registerCpuTarget(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GlowDialect *) {
    CpuAttr::attachInterface<CpuTargetModel>(*context);
  });
}
