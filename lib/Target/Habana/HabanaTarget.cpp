//===- HabanaTarget.cpp - what #habana.target answers as a target ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Target/Habana/HabanaTarget.h"
#include "glow/Conversion/InstToHabana/InstToHabana.h"
#include "glow/Dialect/Habana/IR/Habana.h"
#include "glow/Pipelines/Stages.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::glow;
using glow::habana::TargetAttr;

static bool isEmpty(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && tensor.getNumElements() == 0;
}

namespace {
struct HabanaTargetModel
    : TargetAttrInterface::ExternalModel<HabanaTargetModel, TargetAttr> {
  StringRef getDeviceName(Attribute) const { return "habana"; }
  StringRef getDeviceLibrary(Attribute) const { return "glow_habana_sim.so"; }
  StringRef getFileExtension(Attribute) const { return "recipe"; }
  ArrayRef<Capability> getCapabilities(Attribute) const {
    return glow::habana::habanaCapabilities();
  }

  std::optional<std::string> whyUnsupported(Attribute target,
                                            Operation *op) const {
    if (ArrayAttr without = cast<TargetAttr>(target).getWithout())
      if (llvm::any_of(without.getAsRange<StringAttr>(), [&](StringAttr name) {
            return name == op->getName().getStringRef();
          }))
        return "is told to do without " + op->getName().getStringRef().str();
    if (llvm::any_of(op->getOperandTypes(), isEmpty) ||
        llvm::any_of(op->getResultTypes(), isEmpty))
      return std::string("takes no tensors without elements");
    return glow::whyUnsupported(getCapabilities(target), op, target);
  }

  TargetRates getRates(Attribute attribute) const {
    auto target = cast<TargetAttr>(attribute);
    TargetRates rates;
    rates.flops = target.getFlops();
    rates.memoryBytes = target.getDdr();
    rates.transferBytes = target.getLink();
    rates.transferLatency = target.getLatency();
    rates.launchLatency = target.getLatency();
    return rates;
  }

  void buildPipeline(Attribute, OpPassManager &manager) const {
    // Layouts and packed weights are the processor's concern.
    GraphStageOptions graph;
    graph.channelsLast = false;
    graph.packWidth = 0;
    buildGraphPipeline(manager, graph);
    InstStageOptions inst;
    inst.padConvs = false;
    inst.alignment = glow::habana::kAlignment;
    buildInstPipeline(manager, inst);
    manager.addPass(glow::habana::createConvertInstToHabana());
    manager.addPass(createCSEPass());
  }

  LogicalResult emit(Attribute, ModuleOp module, StringRef path) const {
    return glow::habana::emitRecipe(module, path);
  }
};
} // namespace

void glow::habana::registerHabanaTarget(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, HabanaDialect *) {
    TargetAttr::attachInterface<HabanaTargetModel>(*context);
  });
}
