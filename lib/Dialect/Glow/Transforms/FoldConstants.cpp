//===- FoldConstants.cpp - replace what is known by constants -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One walk in program order suffices: when an op is reached, its operands are
// folded, so its result type can be refined and it can be folded itself. A
// folded shape makes the types after it static, which makes more shapes known.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Glow/IR/RefineTypes.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "glow/Interpreter/ConstantFolding.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow {
#define GEN_PASS_DEF_FOLDCONSTANTS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

/// Replaces `op` by constants from the interpreter.
static LogicalResult replaceByConstants(Operation *op) {
  FailureOr<SmallVector<Attribute>> values = evaluateOp(op);
  if (failed(values))
    return failure();
  OpBuilder builder(op);
  SmallVector<Value> constants;
  for (Attribute value : *values) {
    auto elements = cast<ElementsAttr>(value);
    constants.push_back(ConstantOp::create(
        builder, op->getLoc(), elements.getType(), elements));
  }
  op->replaceAllUsesWith(constants);
  op->erase();
  return success();
}

/// Refines and folds one op; the op may be gone afterwards.
static LogicalResult foldOne(Operation *op, const FoldLimits &limits) {
  if (failed(refineResultTypes(op)))
    return failure();
  if (op->hasTrait<OpTrait::ConstantLike>())
    return success();
  if (isOpTriviallyDead(op)) {
    op->erase();
    return success();
  }
  OpBuilder builder(op);
  SmallVector<Value> values;
  if (succeeded(builder.tryFold(op, values)) && !values.empty()) {
    op->replaceAllUsesWith(values);
    op->erase();
    return success();
  }
  return isWorthFolding(op, limits) ? replaceByConstants(op) : success();
}

/// Folds the graph ops of a block, nested ones before those around them. The
/// ops of scalar regions are not graph ops and stay as they are.
static LogicalResult foldBlock(Block &block, const FoldLimits &limits) {
  bool failedAny = false;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (!isa_and_nonnull<GlowDialect>(op.getDialect()) || isa<YieldOp>(op))
      continue;
    for (Region &region : op.getRegions())
      for (Block &nested : region)
        failedAny |= failed(foldBlock(nested, limits));
    failedAny |= failed(foldOne(&op, limits));
  }
  return failure(failedAny);
}

namespace {
struct FoldConstants : glow::impl::FoldConstantsBase<FoldConstants> {
  using FoldConstantsBase::FoldConstantsBase;

  void runOnOperation() override {
    func::FuncOp function = getOperation();
    bool failedAny = false;
    FoldLimits limits{maxBytes, maxGrowth};
    for (Block &block : function.getBody())
      failedAny |= failed(foldBlock(block, limits));
    if (failedAny)
      return signalPassFailure();
    eraseUnused(function);
    updateFunctionType(function);
  }

  /// Operands of folded ops are no longer used, last ones first.
  static void eraseUnused(func::FuncOp function) {
    for (Block &block : function.getBody())
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (isOpTriviallyDead(&op))
          op.erase();
  }
};
} // namespace
