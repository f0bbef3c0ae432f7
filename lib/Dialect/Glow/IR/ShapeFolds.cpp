//===- ShapeFolds.cpp - folds and canonical forms of the shape ops --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folds of constants are not here: `glow-fold-constants` evaluates ops. Here is
// only what is cheap and shrinks the graph.
//
//===----------------------------------------------------------------------===//
#include "Folds.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

using namespace mlir;
using namespace mlir::glow;

/// The input, if the op does not change its type and that is static.
static OpFoldResult foldIdentity(Value input, Value result) {
  auto type = cast<RankedTensorType>(result.getType());
  return input.getType() == type && type.hasStaticShape() ? input : Value();
}

OpFoldResult RequireOp::fold(FoldAdaptor adaptor) {
  auto known = dyn_cast_if_present<DenseIntElementsAttr>(adaptor.getViolated());
  return known && !*known.value_begin<bool>() ? getInput() : OpFoldResult();
}
OpFoldResult ReshapeOp::fold(FoldAdaptor) {
  return foldIdentity(getInput(), getResult());
}
OpFoldResult ExpandOp::fold(FoldAdaptor) {
  return foldIdentity(getInput(), getResult());
}

OpFoldResult TransposeOp::fold(FoldAdaptor) {
  if (llvm::equal(getPermutation(),
                  llvm::seq<int64_t>(0, getPermutation().size())) &&
      getInput().getType() == getType())
    return getInput();
  return {};
}

OpFoldResult ConcatOp::fold(FoldAdaptor) {
  if (getInputs().size() == 1 && getInputs().front().getType() == getType())
    return getInputs().front();
  return {};
}

/// A slice of everything is its input.
OpFoldResult SliceOp::fold(FoldAdaptor adaptor) {
  auto steps = constantInts(adaptor.getSteps());
  if (!steps || llvm::any_of(*steps, [](int64_t step) { return step < 0; }))
    return {};
  return foldIdentity(getInput(), getResult());
}

OpFoldResult ShapeOfOp::fold(FoldAdaptor) {
  ArrayRef<int64_t> dims =
      dimsOf(getInput()).slice(getStart(), getEnd() - getStart());
  if (llvm::any_of(dims, ShapedType::isDynamic))
    return {};
  return DenseIntElementsAttr::get(
      RankedTensorType::get({static_cast<int64_t>(dims.size())},
                            IntegerType::get(getContext(), 64)),
      dims);
}

/// shape_of(x)[i] for a known extent, even if others are dynamic.
OpFoldResult GatherOp::fold(FoldAdaptor adaptor) {
  auto shapeOf = getInput().getDefiningOp<ShapeOfOp>();
  auto indices = constantInts(adaptor.getIndices());
  auto type = cast<RankedTensorType>(getType());
  if (!shapeOf || !indices || !type.hasStaticShape())
    return {};
  ArrayRef<int64_t> dims =
      dimsOf(shapeOf.getInput())
          .slice(shapeOf.getStart(), shapeOf.getEnd() - shapeOf.getStart());
  SmallVector<int64_t> values;
  for (int64_t index : *indices) {
    if (index < 0)
      index += dims.size();
    if (index < 0 || index >= static_cast<int64_t>(dims.size()) ||
        ShapedType::isDynamic(dims[index]))
      return {};
    values.push_back(dims[index]);
  }
  return DenseIntElementsAttr::get(type, values);
}

/// Replaces `op` by a reshape of `input` to the static type of its result.
static void replaceByReshape(Operation *op, Value input,
                             PatternRewriter &rewriter) {
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  Value shape = createInts(rewriter, op->getLoc(), type.getShape());
  rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, input, shape,
                                         /*allow_zero=*/true);
}

namespace {

/// squeeze, unsqueeze, flatten to a static shape become reshape.
template <typename Op> struct ToReshape : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    if (!type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "result is dynamic");
    replaceByReshape(op, op.getInput(), rewriter);
    return success();
  }
};

/// reshape(reshape(x)) = reshape(x), if the outer shape says everything.
struct MergeReshapes : OpRewritePattern<ReshapeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ReshapeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<ReshapeOp>();
    if (!inner || !cast<RankedTensorType>(op.getType()).hasStaticShape())
      return rewriter.notifyMatchFailure(op, "no inner reshape");
    auto shape = constantInts(op.getShape());
    if (!shape || (!op.getAllowZero() && llvm::is_contained(*shape, 0)))
      return rewriter.notifyMatchFailure(op, "shape copies an extent");
    rewriter.modifyOpInPlace(
        op, [&] { op.getInputMutable().assign(inner.getInput()); });
    return success();
  }
};

/// transpose(transpose(x)) = transpose(x).
struct MergeTransposes : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto inner = op.getInput().getDefiningOp<TransposeOp>();
    if (!inner)
      return rewriter.notifyMatchFailure(op, "no inner transpose");
    SmallVector<int64_t> permutation;
    for (int64_t axis : op.getPermutation())
      permutation.push_back(inner.getPermutation()[axis]);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, op.getType(), inner.getInput(),
                                             permutation);
    return success();
  }
};

/// A transpose that moves only axes of extent 1 is a reshape.
struct TransposeToReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto type = cast<RankedTensorType>(op.getType());
    ArrayRef<int64_t> dims = dimsOf(op.getInput());
    SmallVector<int64_t> moved(llvm::make_filter_range(
        op.getPermutation(), [&](int64_t axis) { return dims[axis] != 1; }));
    if (!llvm::is_sorted(moved) || !type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "moves elements");
    replaceByReshape(op, op.getInput(), rewriter);
    return success();
  }
};

} // namespace

void ReshapeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<MergeReshapes>(context);
}
void SqueezeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<ToReshape<SqueezeOp>>(context);
}
void UnsqueezeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<ToReshape<UnsqueezeOp>>(context);
}
void FlattenOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                            MLIRContext *context) {
  patterns.add<ToReshape<FlattenOp>>(context);
}
void TransposeOp::getCanonicalizationPatterns(RewritePatternSet &patterns,
                                              MLIRContext *context) {
  patterns.add<MergeTransposes, TransposeToReshape>(context);
}
