//===- Stages.cpp - the stages of compilation by name ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Pipelines/Stages.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::glow;

void glow::registerStagePipelines() {
  PassPipelineRegistration<GraphStageOptions>(
      "glow-graph-pipeline",
      "From the imported graph to primitive ops and clusters",
      buildGraphPipeline);
  PassPipelineRegistration<InstStageOptions>(
      "glow-inst-pipeline",
      "From primitive ops and clusters to instructions on planned memory",
      buildInstPipeline);
}
