//===- GatherFolds.cpp - indices of indices -------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is done to gathered elements is done to their indices instead, which are
// fewer where each addresses a row or several batches are gathered from.
//
//===----------------------------------------------------------------------===//
#include "Folds.h"
#include "glow/Dialect/Glow/IR/Glow.h"

using namespace mlir;
using namespace mlir::glow;

/// The gather that makes `value`, if nothing else reads its result.
static GatherOp onlyGather(Value value) {
  auto gather = value.getDefiningOp<GatherOp>();
  bool isStatic =
      gather && cast<RankedTensorType>(gather.getType()).hasStaticShape();
  return isStatic && gather->hasOneUse() ? gather : GatherOp();
}

static int64_t numElements(Value value) {
  return cast<RankedTensorType>(value.getType()).getNumElements();
}

/// The extents of indices with `axes` of which `outer` indexes one.
static AffineMapAttr extentsOf(std::optional<AffineMap> inner,
                               ArrayRef<int64_t> axes, int64_t axis,
                               GatherOp outer) {
  std::optional<AffineMap> own = outer.getIndexExtents();
  if (!inner && !own)
    return {};
  MLIRContext *context = outer.getContext();
  auto numbers = [&](ArrayRef<int64_t> extents) {
    return llvm::map_to_vector(extents, [&](int64_t extent) -> AffineExpr {
      return getAffineConstantExpr(extent, context);
    });
  };
  SmallVector<AffineExpr> results =
      inner ? llvm::to_vector(inner->getResults()) : numbers(axes);
  results.erase(results.begin() + axis);
  SmallVector<AffineExpr> indexed = own ? llvm::to_vector(own->getResults())
                                        : numbers(dimsOf(outer.getIndices()));
  results.insert(results.begin() + axis, indexed.begin(), indexed.end());
  unsigned numSymbols = own ? own->getNumSymbols() : inner->getNumSymbols();
  return AffineMapAttr::get(AffineMap::get(0, numSymbols, results, context));
}

namespace {

/// slice(gather(x, i)) = gather(x, slice(i)).
struct SliceOfGather : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    GatherOp gather = onlyGather(op.getInput());
    auto type = cast<RankedTensorType>(op.getType());
    if (!gather || !type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "no gather of its own");
    int64_t first = gather.getAxis(), rank = dimsOf(gather.getIndices()).size();
    SmallVector<int64_t> axes;
    for (int64_t axis : op.getAxes()) {
      if (axis < first || axis >= first + rank)
        return rewriter.notifyMatchFailure(op, "takes a part of the rows");
      axes.push_back(axis - first);
    }
    auto part = RankedTensorType::get(type.getShape().slice(first, rank),
                                      elementType(gather.getIndices()));
    Value indices =
        SliceOp::create(rewriter, op.getLoc(), part, gather.getIndices(),
                        op.getStarts(), op.getEnds(), op.getSteps(), axes);
    rewriter.replaceOpWithNewOp<GatherOp>(op, gather.getInput(), indices,
                                          first);
    return success();
  }
};

/// gather(gather(x, i), j) = gather(x, gather(i, j)), also with the axes of `i`
/// merged in between.
struct GatherOfGather : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const override {
    auto merge = op.getInput().getDefiningOp<ReshapeOp>();
    if (merge && !merge->hasOneUse())
      return rewriter.notifyMatchFailure(op, "no gather of its own");
    GatherOp inner = onlyGather(merge ? merge.getInput() : op.getInput());
    if (!inner || numElements(op) == 0)
      return rewriter.notifyMatchFailure(op, "no gather of its own");
    Value places = inner.getIndices();
    int64_t first = inner.getAxis(), axis = op.getAxis() - first;
    Dims axes(dimsOf(places)), whole(dimsOf(inner.getInput()));
    if (merge)
      axes = {numElements(places)};
    whole.erase(whole.begin() + first);
    whole.insert(whole.begin() + first, axes.begin(), axes.end());
    if (axis < 0 || axis >= static_cast<int64_t>(axes.size()) ||
        dimsOf(op.getInput()) != ArrayRef(whole))
      return rewriter.notifyMatchFailure(op, "of another axis");
    // Where an index addresses one element, there must not become more of them.
    bool areRows = numElements(inner) > numElements(places);
    if (!areRows && numElements(op) > numElements(inner))
      return rewriter.notifyMatchFailure(op, "more indices than elements");
    if (merge)
      places = ReshapeOp::create(
          rewriter, op.getLoc(),
          RankedTensorType::get(axes, elementType(places)), places,
          createInts(rewriter, op.getLoc(), axes), /*allow_zero=*/true);
    Value indices =
        GatherOp::create(rewriter, op.getLoc(), places, op.getIndices(), axis);
    rewriter.replaceOpWithNewOp<GatherOp>(
        op, inner.getInput(), indices, rewriter.getI64IntegerAttr(first),
        extentsOf(merge ? std::nullopt : inner.getIndexExtents(), axes, axis,
                  op));
    return success();
  }
};

} // namespace

void glow::populateGatherFolds(RewritePatternSet &patterns) {
  patterns.add<SliceOfGather, GatherOfGather>(patterns.getContext());
}
