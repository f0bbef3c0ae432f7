//===- InitAll.cpp - the only registration lists --------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/InitAll.h"
#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Conversion/InstToKernels/InstToKernels.h"
#include "glow/Conversion/Passes.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Glow/Transforms/BoundedGraph.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "glow/Interpreter/Interpreter.h"
#include "glow/Pipelines/Stages.h"
#include "glow/Target/CpuTarget.h"
#include "glow/Target/LLVM/Passes.h"
#include "mlir/Dialect/Func/Extensions/InlinerExtension.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"

using namespace mlir;

void glow::registerAllDialects(DialectRegistry &registry) {
  registry.insert<GlowDialect, inst::InstDialect>();
  registerEvaluationModels(registry);
  registerBoundShapesModels(registry);
  registerKernelInterfaces(registry);
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  registerAllToLLVMIRTranslations(registry);
  registerCpuTarget(registry);
  registerGlowToInstModels(registry);
}

void glow::registerAllPasses() {
  mlir::registerAllPasses();
  registerGlowTransformsPasses();
  registerGlowConversionPasses();
  inst::registerGlowInstTransformsPasses();
  registerStagePipelines();
  registerGlowTargetLLVMPasses();
  registerKernelPipeline();
  registerTestEmitKernelsPass();
}
