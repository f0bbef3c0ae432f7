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

using namespace mlir;
using namespace mlir::glow;

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

  void buildPipeline(Attribute, OpPassManager &) const {}

  LogicalResult emit(Attribute, ModuleOp module, StringRef) const {
    return module.emitError("this build has no code generator for '#glow.cpu'");
  }
};
} // namespace

void glow::registerCpuTarget(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, GlowDialect *) {
    CpuAttr::attachInterface<CpuTargetModel>(*context);
  });
}
