//===- InstPipeline.cpp - the stage on the instruction dialect ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/Passes.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "glow/Pipelines/Stages.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::glow;

/// The options of a pass that needs to know nothing but the target.
template <typename Options>
static Options forTarget(const InstStageOptions &stage) {
  Options options;
  options.target = stage.target;
  return options;
}

/// Whether there may be more memory than is needed: not under a budget.
static bool mayTakeMemory(const InstStageOptions &options) {
  return options.budget == 0;
}

/// Strassen's algorithm takes more memory.
static bool usesStrassen(const InstStageOptions &options) {
  return options.strassen && mayTakeMemory(options);
}

/// What sees which buffers are updated in place.
static void addAfterSharing(OpPassManager &function,
                            const InstStageOptions &options) {
  if (usesStrassen(options))
    function.addPass(inst::createStrassenProducts(
        forTarget<inst::StrassenProductsOptions>(options), options.constants));
  function.addPass(
      inst::createSplitDepth(forTarget<inst::SplitDepthOptions>(options)));
  function.addPass(
      inst::createSplitTaps(forTarget<inst::SplitTapsOptions>(options)));
  function.addPass(
      inst::createFuseGates(forTarget<inst::FuseGatesOptions>(options)));
  if (mayTakeMemory(options))
    function.addPass(inst::createFewRows());
  // After all that looks at instructions one by one.
  function.addPass(inst::createFormSections());
}

void glow::buildInstPipeline(OpPassManager &manager,
                             const InstStageOptions &options) {
  OpPassManager &function = manager.nest<func::FuncOp>();
  function.addPass(createConvertGlowToInst());
  // Before copies go away, so that producers can write into padded buffers.
  if (options.padConvs)
    function.addPass(
        inst::createPadConvs(forTarget<inst::PadConvsOptions>(options)));
  function.addPass(inst::createEliminateCopies());
  if (options.padConvs)
    function.addPass(
        inst::createSpreadRows(forTarget<inst::SpreadRowsOptions>(options)));
  // Once it is known where inputs and outputs lie: views of the bands hide it.
  function.addPass(inst::createExpandWinograd());
  // Merges views that copy elimination made, and equal constants.
  function.addPass(createCSEPass());
  // After copies, which are what reads a buffer last.
  function.addPass(inst::createEliminateDeadStores());
  if (options.fuseBands) {
    // Before loops are made, in whose bodies only loops are looked for.
    function.addPass(inst::createFuseReductions());
    function.addPass(
        inst::createFuseRows(forTarget<inst::FuseRowsOptions>(options)));
    function.addPass(
        inst::createFuseBands(forTarget<inst::FuseBandsOptions>(options)));
    function.addPass(inst::createFuseOutputs());
    function.addPass(inst::createJoinMaps());
    auto images = forTarget<inst::FuseImagesOptions>(options);
    images.strassen = usesStrassen(options);
    function.addPass(inst::createFuseImages(images));
    // What is left outside of loops.
    function.addPass(inst::createSplitReductions());
  }
  // While each allocation holds one tensor.
  function.addPass(inst::createLimitWork());
  // After loops, which know the fills of each border.
  if (options.fuseBands)
    function.addPass(inst::createJoinFills());
  // Before sharing, which needs to know what is used last.
  function.addPass(inst::createSchedule());
  if (options.fuseBands)
    function.addPass(inst::createAlternateColumns(
        forTarget<inst::AlternateColumnsOptions>(options)));
  function.addPass(inst::createShareBuffers());
  if (options.fuseBands)
    addAfterSharing(function, options);
  function.addPass(inst::createInsertDeallocs());
  if (options.compactArguments)
    function.addPass(inst::createCompactArguments(
        forTarget<inst::CompactArgumentsOptions>(options)));
  function.addPass(inst::createNontemporalStores(
      forTarget<inst::NontemporalStoresOptions>(options)));
  // The last of those that move instructions was before.
  manager.addPass(inst::createInlineLoops());
  OpPassManager &whole = manager.nest<func::FuncOp>();
  inst::PlanMemoryOptions plan;
  plan.alignment = options.alignment;
  plan.budget = options.budget;
  whole.addPass(inst::createPlanMemory(plan));
  whole.addPass(inst::createVerifyPlan());
}
