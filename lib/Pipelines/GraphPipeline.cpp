//===- GraphPipeline.cpp - the stage on the graph dialect -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Pipelines/Stages.h"
#include "glow/Support/Rewrite.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace mlir::glow;

/// Composite ops become primitive.
static void addDecomposition(OpPassManager &function,
                             const GraphStageOptions &options) {
  // While normalisations are still one op each, next to their producers.
  function.addPass(createFuseBatchNorm());
  function.addPass(createMergeConvs());
  // Those behind the sums that are convolutions now.
  function.addPass(createFuseBatchNorm());
  DecomposeOptions decompose;
  decompose.keep = llvm::to_vector(options.keep);
  function.addPass(createDecompose(decompose));
  // So that what each step of a sequence takes of the weights is one value.
  function.addPass(createCSEPass());
  // Evaluates the new weights and what the decompositions left of constants.
  function.addPass(createFoldConstants(options.constants));
  function.addPass(createCanonicalizerPass(withoutControlFlow()));
  function.addPass(createCSEPass());
}

/// Shapes become known and composite ops primitive.
static void addSimplification(OpPassManager &manager,
                              const GraphStageOptions &options) {
  // First, as all that follows does more on static shapes.
  InferShapesOptions shapes;
  shapes.shapes = llvm::to_vector(options.shapes);
  manager.addPass(createInferShapes(shapes));
  // What is found by equal masks has one number of elements.
  manager.nest<func::FuncOp>().addPass(createCSEPass());
  if (!options.bounds.empty()) {
    BoundShapesOptions bounds;
    bounds.bounds = llvm::to_vector(options.bounds);
    manager.addPass(createBoundShapes(bounds));
  }
  OpPassManager &function = manager.nest<func::FuncOp>();
  // Resolves shape arithmetic, which fixes the types after it.
  function.addPass(createFoldConstants(options.constants));
  // What is open now depends on data.
  if (options.bounds.empty())
    manager.addPass(createBoundShapes());
  // The model, now that shapes are known.
  manager.nest<func::FuncOp>().addPass(createVerifyGraph());
  if (options.leastSteps > 0) {
    RollRecurrencesOptions roll;
    roll.leastSteps = options.leastSteps;
    manager.addPass(createRollRecurrences(roll));
  }
  OpPassManager &known = manager.nest<func::FuncOp>();
  addDecomposition(known, options);
  known.addPass(createDropUnread());
  // Shares slices that several ops read.
  known.addPass(createCSEPass());
  known.addPass(createVerifyGraph());
}

/// Convolutions get their layout and the reorders that it needs disappear.
static void addLayout(OpPassManager &function,
                      const GraphStageOptions &options) {
  // Before clusters are formed: a transpose between two ops keeps them apart.
  function.addPass(createAssignLayout());
  // Cancels the reorders inside each region.
  function.addPass(createSinkTransposes());
  // Reorders the weights.
  function.addPass(createFoldConstants(options.constants));
  function.addPass(createCanonicalizerPass(withoutControlFlow()));
  // Once more for transposes that canonicalisation has brought together.
  function.addPass(createSinkTransposes());
}

/// Element-wise ops become clusters and clusters become epilogues.
static void addFusion(OpPassManager &function) {
  function.addPass(createFuseElementwise());
  // Shares equal clusters, so that fewer have several readers.
  function.addPass(createCanonicalizerPass(withoutControlFlow()));
  function.addPass(createCSEPass());
  // After clusters are complete: an epilogue cannot be merged any more.
  function.addPass(createFuseEpilogue());
}

/// Takes factors apart for tile registers.
static void addPieces(OpPassManager &function,
                      const GraphStageOptions &options) {
  if (options.pieces == 0)
    return;
  SplitProductsOptions split;
  split.pieces = options.pieces;
  split.target = options.target;
  function.addPass(createSplitProducts(split));
  // Shares the pieces of one tensor.
  function.addPass(createCSEPass());
  function.addPass(createFoldConstants(options.constants));
}

/// Convolutions with fewer products.
static void addConvForms(OpPassManager &function,
                         const GraphStageOptions &options) {
  if (options.winogradOutputs > 0) {
    WinogradConvsOptions winograd;
    winograd.outputs = options.winogradOutputs;
    winograd.target = options.target;
    function.addPass(createWinogradConvs(winograd));
  }
  // Of those that are not left to Winograd's algorithm.
  if (options.packWidth > 0)
    function.addPass(createSplitBorders());
}

void glow::buildGraphPipeline(OpPassManager &manager,
                              const GraphStageOptions &options) {
  addSimplification(manager, options);
  OpPassManager &function = manager.nest<func::FuncOp>();
  if (options.channelsLast)
    addLayout(function, options);
  addFusion(function);
  if (options.packWidth > 0) {
    function.addPass(createGroupQueries());
    TurnProductsOptions turn;
    turn.target = options.target;
    function.addPass(createTurnProducts(turn));
    // Before all that is done for products of one group only.
    if (options.bfloat16) {
      JoinGroupsOptions join;
      join.target = options.target;
      function.addPass(createJoinGroups(join));
      function.addPass(createFoldConstants(options.constants));
    }
    function.addPass(createSplitGroups());
    function.addPass(createFoldConstants(options.constants));
  }
  if (options.bfloat16) {
    PadChannelsOptions pad;
    pad.target = options.target;
    function.addPass(createPadChannels(pad));
    function.addPass(createFoldConstants(options.constants));
    // On clusters and epilogues, which convert while they store.
    StoreAsBfloat16Options store;
    store.target = options.target;
    function.addPass(createStoreAsBfloat16(store));
    // Shares conversions of one tensor, also of weights that many steps read.
    function.addPass(createCSEPass());
  }
  // Six products take about as long as Winograd's of vectors, and twice as long
  // where another hyperthread runs too; three are faster than either.
  bool piecesFirst = options.pieces == 2;
  if (piecesFirst)
    addPieces(function, options);
  addConvForms(function, options);
  if (!piecesFirst)
    addPieces(function, options);
  // Evaluates filters of Winograd's or of some taps, and rounds other weights.
  if (options.packWidth > 0 || options.winogradOutputs > 0 || options.bfloat16)
    function.addPass(createFoldConstants(options.constants));
  if (options.weightBits < 32) {
    // After pieces, which are faster for more rows.
    NarrowWeightsOptions narrow;
    narrow.bits = options.weightBits;
    narrow.target = options.target;
    function.addPass(createNarrowWeights(narrow));
    function.addPass(createFoldConstants(options.constants));
  }
  function.addPass(createVerifyGraph());
  // Last of those that look at weights: panels hide the matrix.
  if (options.packWidth > 0) {
    PackWeightsOptions pack;
    pack.width = options.packWidth;
    pack.target = options.target;
    function.addPass(createPackWeights(pack));
    // Weights that several ops read, as the steps of a sequence do, are packed
    // and stored once.
    function.addPass(createCSEPass());
  }
  // Evaluates the panels and drops what has no readers.
  function.addPass(createFoldConstants(options.constants));
  function.addPass(createCanonicalizerPass(withoutControlFlow()));
  function.addPass(createCSEPass());
  // Functions that were inlined or specialised away.
  manager.addPass(createSymbolDCEPass());
  VerifyLoweredGraphOptions verify;
  verify.keep = llvm::to_vector(options.keep);
  manager.nest<func::FuncOp>().addPass(createVerifyLoweredGraph(verify));
}
