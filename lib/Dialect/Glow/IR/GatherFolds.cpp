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
#include <numeric>

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

/// Of indices that name each place of an axis once, as digits in an order of
/// their own, the axes from the last digit to the first one. PyTorch gathers
/// patches of images by such. Nothing for all others.
std::optional<SmallVector<int64_t>> axesByStride(ArrayRef<int64_t> indices,
                                                 ArrayRef<int64_t> shape) {
  SmallVector<int64_t> strides(shape.size()), order;
  int64_t below = 1;
  for (size_t axis = shape.size(); axis-- > 0; below *= shape[axis])
    strides[axis] = shape[axis] > 1 ? indices[below] : 0;
  for (size_t axis = 0; axis < shape.size(); ++axis)
    order.push_back(axis);
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::pair(strides[a], a) < std::pair(strides[b], b);
  });
  int64_t next = 1;
  for (int64_t axis : order) {
    if (shape[axis] > 1 && strides[axis] != next)
      return std::nullopt;
    next *= shape[axis];
  }
  for (auto [i, index] : llvm::enumerate(indices)) {
    int64_t rest = i, place = 0;
    for (size_t axis = shape.size(); axis-- > 0; rest /= shape[axis])
      place += rest % shape[axis] * strides[axis];
    if (place != index)
      return std::nullopt;
  }
  return order;
}

/// gather(x, i) = transpose(reshape(x)) where the indices are its digits.
struct GatherOfDigits : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const override {
    auto input = cast<RankedTensorType>(op.getInput().getType()),
         type = cast<RankedTensorType>(op.getType());
    ArrayRef<int64_t> digits = dimsOf(op.getIndices());
    int64_t first = op.getAxis();
    if (!input.hasStaticShape() || !type.hasStaticShape() ||
        type.getNumElements() == 0)
      return rewriter.notifyMatchFailure(op, "of unknown shape");
    auto indices = constantInts(op.getIndices());
    if (!indices ||
        static_cast<int64_t>(indices->size()) != input.getDimSize(first))
      return rewriter.notifyMatchFailure(op, "not of each place");
    auto order = axesByStride(*indices, digits);
    if (!order)
      return rewriter.notifyMatchFailure(op, "not by digits");
    Dims split(input.getShape().take_front(first));
    SmallVector<int64_t> permutation(type.getRank());
    std::iota(permutation.begin(), permutation.end(), 0);
    for (auto [i, axis] : llvm::enumerate(llvm::reverse(*order))) {
      split.push_back(digits[axis]);
      permutation[first + axis] = first + i;
    }
    llvm::append_range(split, input.getShape().drop_front(first + 1));
    Value parts = ReshapeOp::create(
        rewriter, op.getLoc(),
        RankedTensorType::get(split, input.getElementType()), op.getInput(),
        createInts(rewriter, op.getLoc(), split), /*allow_zero=*/true);
    rewriter.replaceOpWithNewOp<TransposeOp>(op, type, parts, permutation);
    return success();
  }
};

} // namespace

void glow::populateGatherFolds(RewritePatternSet &patterns) {
  patterns.add<GatherOfDigits, GatherOfGather, SliceOfGather>(
      patterns.getContext());
}
