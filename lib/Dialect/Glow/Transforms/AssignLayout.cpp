//===- AssignLayout.cpp - layouts chosen for whole regions ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reordering between two convolutions costs more than a worse layout of either,
// so ops that exchange tensors, directly or through ops that any layout suits,
// decide together.
//
//===----------------------------------------------------------------------===//
#include "SinkTransposes.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Interfaces/Target.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

namespace mlir::glow {
#define GEN_PASS_DEF_ASSIGNLAYOUT
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// Bytes that a core moves per nanosecond when a tensor is reordered.
static constexpr double kBytesPerNanosecond = 50;

static double reorderCost(Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  double bytes = 2.0; // Read and written.
  for (int64_t dim : type.getShape())
    bytes *= ShapedType::isDynamic(dim) ? 1 : dim;
  Type element = ScalarBuilder::signless(type.getElementType());
  return element.isIntOrFloat()
             ? bytes * element.getIntOrFloatBitWidth() / 8 / kBytesPerNanosecond
             : 0;
}

/// A transpose of the model ends a region: one that reorders meets it there,
/// and both together cost what it costs alone.
static bool takesPart(Operation *op) {
  return op && !isa<TransposeOp>(op) &&
         (isa<LayoutOpInterface>(op) || isTransparentToTransposes(op));
}

/// What is repeated along axes, as masks are that many ops share, does not bind
/// those that read it.
static bool isRepeated(Operation *op, Value operand) {
  auto elements = [](Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    return type.hasStaticShape() ? type.getNumElements() : int64_t(-1);
  };
  return dimsOf(operand).size() < 3 ||
         (isElementwise(op) && elements(operand) < elements(op->getResult(0)));
}

static bool isBorder(Operation *other) {
  return !takesPart(other) && !isa_and_nonnull<TransposeOp>(other);
}

namespace {

/// Ops that get one layout.
struct LayoutRegion {
  SmallVector<LayoutOpInterface> ops;
  SmallVector<ResizeOp> resizes;
  /// Tensors that come from, or go to, other ops.
  llvm::SmallSetVector<Value, 4> border;
};

struct AssignLayout : glow::impl::AssignLayoutBase<AssignLayout> {
  using AssignLayoutBase::AssignLayoutBase;

  void runOnOperation() override {
    llvm::EquivalenceClasses<Operation *> classes;
    getOperation().walk([&](Operation *op) {
      if (!takesPart(op))
        return;
      classes.insert(op);
      for (Value operand : op->getOperands())
        if (takesPart(operand.getDefiningOp()) && !isRepeated(op, operand))
          classes.unionSets(op, operand.getDefiningOp());
    });
    llvm::MapVector<Operation *, LayoutRegion> regions;
    getOperation().walk([&](Operation *op) {
      if (takesPart(op))
        addToRegion(op, regions[classes.getLeaderValue(op)]);
    });
    IRRewriter rewriter(&getContext());
    for (auto &[leader, region] : regions)
      if (!region.ops.empty() && failed(assign(region, rewriter)))
        return signalPassFailure();
  }

  static void addToRegion(Operation *op, LayoutRegion &region) {
    if (auto layoutOp = dyn_cast<LayoutOpInterface>(op))
      region.ops.push_back(layoutOp);
    if (auto resize = dyn_cast<ResizeOp>(op))
      region.resizes.push_back(resize);
    for (Value operand : op->getOperands()) {
      // Weights are reordered once, when the model is compiled.
      if (isBorder(operand.getDefiningOp()) &&
          !isComputedFromConstants(operand) && dimsOf(operand).size() > 2)
        region.border.insert(operand);
    }
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), isBorder) &&
          dimsOf(result).size() > 2)
        region.border.insert(result);
  }

  LogicalResult assign(LayoutRegion &region, RewriterBase &rewriter);
};

} // namespace

/// The layouts of an op, as its target has them.
static SmallVector<LayoutChoice> choicesOf(LayoutOpInterface op) {
  SmallVector<LayoutChoice> choices;
  auto module = op->getParentOfType<ModuleOp>();
  auto target = module ? module->getAttrOfType<TargetAttrInterface>(
                             GlowDialect::kTargetAttrName)
                       : TargetAttrInterface();
  if (target)
    target.getLayoutChoices(op, choices);
  else
    op.getLayoutChoices(choices);
  return choices;
}

/// What an op has if the region has `layout`: that one or, where its target
/// wants another, the cheapest it has; null if it has none.
static const LayoutChoice *choiceFor(ArrayRef<LayoutChoice> choices,
                                     LayoutAttr layout) {
  const LayoutChoice *own = llvm::find_if(
      choices, [&](const auto &choice) { return choice.layout == layout; });
  if (own == choices.end())
    own = llvm::min_element(choices, [](const auto &a, const auto &b) {
      return a.nanoseconds < b.nanoseconds;
    });
  return own == choices.end() ? nullptr : own;
}

/// Reorders what an image is made larger of: behind, before the first op with
/// channels last, there would be more to reorder.
static void reorderBefore(ResizeOp op, RewriterBase &rewriter) {
  rewriter.setInsertionPoint(op);
  SmallVector<int64_t> toLast =
      channelsLastPermutation(dimsOf(op.getInput()).size());
  Value reordered =
      GraphBuilder(rewriter, op.getLoc()).transpose(op.getInput(), toLast);
  replaceByReordered(op, reordered, inversePermutation(toLast), rewriter);
}

/// Sums up each layout, with the reorders around ops that have another, and
/// applies the cheapest.
LogicalResult AssignLayout::assign(LayoutRegion &region,
                                   RewriterBase &rewriter) {
  auto choices = llvm::map_to_vector(region.ops, choicesOf);
  llvm::SmallSetVector<LayoutAttr, 2> layouts;
  for (ArrayRef<LayoutChoice> own : choices)
    for (const LayoutChoice &choice : own)
      layouts.insert(choice.layout);
  double border = 0;
  for (Value value : region.border)
    border += reorderCost(value);
  LayoutAttr best;
  double least = 0;
  for (LayoutAttr layout : layouts) {
    double cost = layout.getKind() == LayoutKind::ChannelsFirst ? 0 : border;
    for (auto [op, own] : llvm::zip_equal(region.ops, choices)) {
      const LayoutChoice *choice = choiceFor(own, layout);
      cost += choice ? choice->nanoseconds : 0;
      if (choice && choice->layout != layout)
        cost += reorderCost(op->getOperand(0)) + reorderCost(op->getResult(0));
    }
    if (!best || cost < least) {
      best = layout;
      least = cost;
    }
  }
  for (auto [op, own] : llvm::zip_equal(region.ops, choices)) {
    rewriter.setInsertionPoint(op);
    const LayoutChoice *choice = choiceFor(own, best);
    if (choice && failed(op.applyLayout(rewriter, choice->layout)))
      return failure();
  }
  if (best && best.getKind() == LayoutKind::ChannelsLast)
    for (ResizeOp resize : region.resizes)
      if (enlarges(resize) && region.border.contains(resize.getInput()))
        reorderBefore(resize, rewriter);
  return success();
}
