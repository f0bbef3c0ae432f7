//===- SliceFolds.cpp - parts of tensors without detours ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Folds.h"
#include "glow/Dialect/Glow/IR/Glow.h"

using namespace mlir;
using namespace mlir::glow;

static Value createInts(OpBuilder &builder, Location loc,
                        ArrayRef<int64_t> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    builder.getI64Type());
  return ConstantOp::create(builder, loc, type,
                            DenseIntElementsAttr::get(type, values));
}

/// Elements `start` to `end` of one axis.
static Value createSlice(OpBuilder &builder, Location loc, Value input,
                         int64_t axis, int64_t start, int64_t end) {
  return SliceOp::create(builder, loc, input, createInts(builder, loc, start),
                         createInts(builder, loc, end),
                         createInts(builder, loc, 1), axis);
}

/// The range of a slice along one axis of known extent, in steps of 1.
static std::optional<SliceRange> singleRange(SliceOp op) {
  auto starts = constantInts(op.getStarts()), ends = constantInts(op.getEnds());
  auto steps = constantInts(op.getSteps());
  if (op.getAxes().size() != 1 || !starts || !ends || !steps ||
      steps->front() != 1)
    return std::nullopt;
  int64_t extent = dimsOf(op.getInput())[op.getAxes()[0]];
  if (ShapedType::isDynamic(extent))
    return std::nullopt;
  return sliceRange(extent, starts->front(), ends->front(), 1);
}

namespace {

/// slice(concat(x, y)) = slice(y), if it lies within y.
struct SliceOfConcat : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto concat = op.getInput().getDefiningOp<ConcatOp>();
    auto range = singleRange(op);
    if (!concat || !range ||
        static_cast<int64_t>(concat.getAxis()) != op.getAxes()[0])
      return rewriter.notifyMatchFailure(op, "no concat along the axis");
    int64_t begin = 0;
    for (Value input : concat.getInputs()) {
      int64_t extent = dimsOf(input)[concat.getAxis()];
      if (ShapedType::isDynamic(extent))
        break;
      if (range->start >= begin &&
          range->start + range->size <= begin + extent) {
        int64_t start = range->start - begin;
        Value part = createSlice(rewriter, op.getLoc(), input, concat.getAxis(),
                                 start, start + range->size);
        part.setType(op.getType());
        rewriter.replaceOp(op, part);
        return success();
      }
      begin += extent;
    }
    return rewriter.notifyMatchFailure(op, "spans several inputs");
  }
};

/// gather(x, one known index) = slice(x), which needs no indices at run time
/// and can be a view.
struct GatherToSlice : OpRewritePattern<GatherOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(GatherOp op,
                                PatternRewriter &rewriter) const override {
    auto indices = constantInts(op.getIndices());
    auto type = cast<RankedTensorType>(op.getType());
    int64_t extent = dimsOf(op.getInput())[op.getAxis()];
    // Vectors are left alone: shapes are read by index.
    if (!indices || indices->size() != 1 || !type.hasStaticShape() ||
        dimsOf(op.getInput()).size() < 2 || ShapedType::isDynamic(extent))
      return rewriter.notifyMatchFailure(op, "not one known index");
    int64_t index = indices->front();
    index += index < 0 ? extent : 0;
    if (index < 0 || index >= extent)
      return rewriter.notifyMatchFailure(op, "index is out of range");
    Value part = createSlice(rewriter, op.getLoc(), op.getInput(), op.getAxis(),
                             index, index + 1);
    Value shape = createInts(rewriter, op.getLoc(), type.getShape());
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, type, part, shape,
                                           /*allow_zero=*/true);
    return success();
  }
};

} // namespace

void glow::populateSliceFolds(RewritePatternSet &patterns) {
  patterns.add<SliceOfConcat, GatherToSlice>(patterns.getContext());
}
