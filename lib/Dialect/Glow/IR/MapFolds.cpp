//===- MapFolds.cpp - canonical forms of element-wise clusters ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A canonical `glow.map` reads each tensor once, holds scalar constants in its
// region and computes something.
//
//===----------------------------------------------------------------------===//
#include "Folds.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::glow;

TypedAttr glow::repeatedElement(Attribute value) {
  auto elements = dyn_cast_or_null<ElementsAttr>(value);
  if (!elements)
    return {};
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    Type type = elements.getElementType();
    if (!blob || elements.getNumElements() != 1 || !type.isIntOrFloat() ||
        type.getIntOrFloatBitWidth() != 8 * blob->getData().size())
      return {};
    value = DenseElementsAttr::getFromRawBuffer(elements.getShapedType(),
                                                blob->getData());
  }
  auto dense = dyn_cast<DenseElementsAttr>(value);
  if (!dense || !dense.isSplat())
    return {};
  Type signless = ScalarBuilder::signless(dense.getElementType());
  if (isa<FloatType>(signless))
    return FloatAttr::get(signless, dense.getSplatValue<APFloat>());
  return IntegerAttr::get(signless, dense.getSplatValue<APInt>());
}

/// True if the map has the same shape without the inputs in `dropped`.
static bool keepsShape(MapOp op, const llvm::BitVector &dropped) {
  SmallVector<Value> rest;
  for (auto [i, input] : llvm::enumerate(op.getInputs()))
    if (!dropped[i])
      rest.push_back(input);
  SmallVector<Type> types;
  return !rest.empty() &&
         succeeded(inferElementwise(std::nullopt, rest, op.getElementType(),
                                    types)) &&
         types.front() == op.getType();
}

/// Removes inputs whose region arguments have no uses any more.
static void eraseInputs(MapOp op, const llvm::BitVector &dropped,
                        PatternRewriter &rewriter) {
  rewriter.modifyOpInPlace(op, [&] {
    op.getBody().front().eraseArguments(dropped);
    op->eraseOperands(dropped);
  });
}

namespace {

/// A scalar input becomes an arith.constant.
struct MoveScalarsIntoMap : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const override {
    llvm::BitVector dropped(op.getInputs().size());
    SmallVector<TypedAttr> values(op.getInputs().size());
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      Attribute constant;
      if (!matchPattern(input, m_Constant(&constant)))
        continue;
      values[i] = repeatedElement(constant);
      dropped[i] = static_cast<bool>(values[i]);
      if (dropped[i] && !keepsShape(op, dropped))
        dropped.reset(i);
    }
    if (dropped.none())
      return rewriter.notifyMatchFailure(op, "no scalar inputs");
    Block &body = op.getBody().front();
    rewriter.setInsertionPointToStart(&body);
    for (unsigned i : dropped.set_bits())
      rewriter.replaceAllUsesWith(
          body.getArgument(i),
          arith::ConstantOp::create(rewriter, op.getLoc(), values[i]));
    eraseInputs(op, dropped, rewriter);
    return success();
  }
};

/// An input that is read twice is passed once; one that is not read is dropped.
struct DropRedundantMapInputs : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const override {
    llvm::BitVector dropped(op.getInputs().size());
    Block &body = op.getBody().front();
    llvm::SmallDenseMap<Value, unsigned> first;
    for (auto [i, input] : llvm::enumerate(op.getInputs())) {
      auto [known, isNew] = first.try_emplace(input, i);
      if (!isNew) {
        rewriter.replaceAllUsesWith(body.getArgument(i),
                                    body.getArgument(known->second));
        dropped.set(i);
      }
    }
    for (unsigned i = 0; i < dropped.size(); ++i) {
      if (dropped[i] || !body.getArgument(i).use_empty())
        continue;
      dropped.set(i);
      if (!keepsShape(op, dropped))
        dropped.reset(i);
    }
    if (dropped.none())
      return rewriter.notifyMatchFailure(op, "every input is needed");
    eraseInputs(op, dropped, rewriter);
    return success();
  }
};

/// A map that yields one of its inputs, unchanged, is that input.
struct RemoveIdentityMap : OpRewritePattern<MapOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MapOp op,
                                PatternRewriter &rewriter) const override {
    Block &body = op.getBody().front();
    auto yielded = dyn_cast<BlockArgument>(body.getTerminator()->getOperand(0));
    if (!yielded)
      return rewriter.notifyMatchFailure(op, "computes something");
    Value input = op.getInputs()[yielded.getArgNumber()];
    if (input.getType() != op.getType() ||
        !cast<RankedTensorType>(op.getType()).hasStaticShape())
      return rewriter.notifyMatchFailure(op, "changes the type");
    rewriter.replaceOp(op, input);
    return success();
  }
};

/// Element-wise ops broadcast by themselves: they read the input of an expand.
struct ReadThroughExpand : RewritePattern {
  ReadThroughExpand(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), 1, context) {}
  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    if (!isElementwise(op))
      return rewriter.notifyMatchFailure(op, "not element-wise");
    for (OpOperand &operand : op->getOpOperands()) {
      auto expand = operand.get().getDefiningOp<ExpandOp>();
      if (!expand)
        continue;
      SmallVector<Value> operands(op->getOperands());
      operands[operand.getOperandNumber()] = expand.getInput();
      SmallVector<Type> types;
      auto type = cast<RankedTensorType>(op->getResult(0).getType());
      if (failed(inferElementwise(std::nullopt, operands, type.getElementType(),
                                  types)) ||
          types.front() != type || !type.hasStaticShape())
        continue;
      rewriter.modifyOpInPlace(op, [&] { operand.set(expand.getInput()); });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "reads no expand that it can spare");
  }
};

} // namespace

void glow::populateMapFolds(RewritePatternSet &patterns) {
  patterns.add<MoveScalarsIntoMap, DropRedundantMapInputs, RemoveIdentityMap,
               ReadThroughExpand>(patterns.getContext());
}
