//===- Stages.h - the stages of compilation as pipelines -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_PIPELINES_STAGES_H
#define GLOW_PIPELINES_STAGES_H

#include "glow/Interfaces/KernelTarget.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"

namespace mlir::glow {

class ConstantScope;

struct GraphStageOptions : PassPipelineOptions<GraphStageOptions> {
  ListOption<std::string> shapes{
      *this, "shapes",
      llvm::cl::desc("Shapes of arguments, as name=1x3x224x224")};
  ListOption<std::string> bounds{
      *this, "bounds",
      llvm::cl::desc("Ranges of open extents, as sequence=1..512")};
  ListOption<std::string> keep{
      *this, "keep",
      llvm::cl::desc("Composite ops that stay whole, as glow.softmax")};
  Option<int64_t> leastSteps{
      *this, "least-steps",
      llvm::cl::desc("Steps of recurrent layers that are loops; 0: none"),
      llvm::cl::init(0)};
  Option<bool> channelsLast{
      *this, "channels-last",
      llvm::cl::desc(
          "Let convolutions choose their layout; otherwise they stay "
          "as imported, channels first"),
      llvm::cl::init(true)};
  Option<int64_t> packWidth{
      *this, "pack-width",
      llvm::cl::desc("Columns per panel of packed weights, 0 for no packing"),
      llvm::cl::init(32)};
  Option<int64_t> winogradOutputs{
      *this, "winograd-outputs",
      llvm::cl::desc("Extent of the tiles of Winograd convolutions of 3 x 3 "
                     "taps: 2, 4, or 0 for none"),
      llvm::cl::init(0)};
  Option<bool> bfloat16{
      *this, "bfloat16",
      llvm::cl::desc("Compute the products of f32 models in bf16"),
      llvm::cl::init(false)};
  Option<int64_t> pieces{
      *this, "pieces",
      llvm::cl::desc("Multiply f32 in 2 or 3 pieces of bf16 where it pays; 0: "
                     "do not"),
      llvm::cl::init(0)};
  Option<int64_t> weightBits{
      *this, "weight-bits",
      llvm::cl::desc("Store f32 weights in 24 or 16 bits where it pays; 32: do "
                     "not"),
      llvm::cl::init(32)};
  Option<KernelTarget> target{
      *this, "target", llvm::cl::desc("The machine, as vector-bits=256,l2=1M"),
      llvm::cl::init(KernelTarget())};
  /// Has the constants that may be freed once they are not used; null: none.
  ConstantScope *constants = nullptr;
};

/// From the imported graph to a graph of primitive ops and clusters on static
/// shapes, as `glow-verify-lowered-graph` states. Runs on a module.
void buildGraphPipeline(OpPassManager &manager,
                        const GraphStageOptions &options);

struct InstStageOptions : PassPipelineOptions<InstStageOptions> {
  Option<bool> fuseBands{
      *this, "fuse-bands",
      llvm::cl::desc("Make loops over bands of chains of instructions"),
      llvm::cl::init(false)};
  Option<bool> compactArguments{
      *this, "compact-arguments",
      llvm::cl::desc("Take arrays of open extents as callers have them, where "
                     "kernels can"),
      llvm::cl::init(false)};
  Option<bool> strassen{
      *this, "strassen",
      llvm::cl::desc("With fuse-bands, make seven products for eight where it "
                     "pays"),
      llvm::cl::init(false)};
  Option<KernelTarget> target{
      *this, "target", llvm::cl::desc("The machine, as vector-bits=256,l2=1M"),
      llvm::cl::init(KernelTarget())};
  Option<bool> padConvs{
      *this, "pad-convs",
      llvm::cl::desc("Give convolutions a padded input, so that kernels need "
                     "not test for edges"),
      llvm::cl::init(true)};
  Option<uint64_t> alignment{
      *this, "alignment", llvm::cl::desc("Alignment of every buffer in bytes"),
      llvm::cl::init(64)};
  Option<uint64_t> budget{
      *this, "budget",
      llvm::cl::desc("Largest arena allowed, in bytes; 0 is no limit"),
      llvm::cl::init(0)};
  /// Has the constants that may be freed once they are not used; null: none.
  ConstantScope *constants = nullptr;
};

/// From a graph of primitive ops and clusters to instructions on planned
/// memory, as `glow-inst-verify-plan` states. Runs on a module.
void buildInstPipeline(OpPassManager &manager, const InstStageOptions &options);

/// Registers each stage under its name, as `--glow-graph-pipeline`.
void registerStagePipelines();

} // namespace mlir::glow

#endif // GLOW_PIPELINES_STAGES_H
