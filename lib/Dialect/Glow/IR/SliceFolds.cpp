//===- SliceFolds.cpp - parts of tensors without detours ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Folds.h"
#include "glow/Dialect/Glow/IR/SliceRanges.h"

using namespace mlir;
using namespace mlir::glow;

Value glow::createInts(OpBuilder &builder, Location loc,
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

std::optional<SmallVector<SliceRange>> glow::knownRanges(SliceOp op) {
  auto starts = constantInts(op.getStarts()), ends = constantInts(op.getEnds());
  auto steps = constantInts(op.getSteps());
  if (!starts || !ends || !steps)
    return std::nullopt;
  SmallVector<SliceRange> ranges;
  for (auto [i, axis] : llvm::enumerate(op.getAxes())) {
    int64_t extent = dimsOf(op.getInput())[axis];
    if (ShapedType::isDynamic(extent))
      return std::nullopt;
    ranges.push_back(sliceRange(extent, (*starts)[i], (*ends)[i], (*steps)[i]));
  }
  return ranges;
}

namespace {

/// slice(concat(x, y)) = slice(y), if it lies within y.
struct SliceOfConcat : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto concat = op.getInput().getDefiningOp<ConcatOp>();
    auto ranges = knownRanges(op);
    if (!concat || !ranges || ranges->size() != 1 ||
        ranges->front().step != 1 ||
        static_cast<int64_t>(concat.getAxis()) != op.getAxes()[0])
      return rewriter.notifyMatchFailure(op, "no concat along the axis");
    SliceRange range = ranges->front();
    int64_t begin = 0;
    for (Value input : concat.getInputs()) {
      int64_t extent = dimsOf(input)[concat.getAxis()];
      if (ShapedType::isDynamic(extent))
        break;
      if (range.start >= begin && range.start + range.size <= begin + extent) {
        int64_t start = range.start - begin;
        Value part = createSlice(rewriter, op.getLoc(), input, concat.getAxis(),
                                 start, start + range.size);
        part.setType(op.getType());
        rewriter.replaceOp(op, part);
        return success();
      }
      begin += extent;
    }
    return rewriter.notifyMatchFailure(op, "spans several inputs");
  }
};

/// The pads and strides with which a convolution makes a part of its result.
struct ConvPart {
  SmallVector<int64_t> pads, strides;

  explicit ConvPart(ConvOp conv)
      : pads(conv.getPads()), strides(conv.getStrides()) {}

  /// Leaves what `range` covers along a spatial axis. False if places would
  /// begin within the input, rather than in the zeros around it.
  bool cut(ConvOp conv, int64_t axis, const SliceRange &range) {
    int64_t rank = strides.size(), first = conv.getFirstSpatialAxis();
    int64_t input = dimsOf(conv.getInput())[axis];
    axis -= first;
    if (axis < 0 || axis >= rank || range.step < 1 || range.size < 1 ||
        ShapedType::isDynamic(input))
      return false;
    int64_t window =
        conv.getDilations()[axis] * (conv.getKernelShape()[axis] - 1) + 1;
    int64_t &before = pads[axis], &after = pads[rank + axis];
    before -= range.start * strides[axis];
    if (range.size > 1)
      strides[axis] *= range.step;
    after = strides[axis] * (range.size - 1) + window - input - before;
    // What remains of the input behind the last window must not hold another.
    if (after < 0 && -after < strides[axis])
      after = 0;
    return before >= 0 && after >= 0;
  }
};

/// slice(conv(x)) = conv(x) with fewer zeros around x, or a larger stride.
/// Causal convolutions are written so (Bai et al., 2018).
struct SliceOfConv : OpRewritePattern<SliceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(SliceOp op,
                                PatternRewriter &rewriter) const override {
    auto conv = op.getInput().getDefiningOp<ConvOp>();
    auto ranges = knownRanges(op);
    if (!conv || !conv->hasOneUse() || !ranges ||
        !conv.getEpilogueInputs().empty() || conv.getPacked() ||
        conv.getWinograd())
      return rewriter.notifyMatchFailure(op, "no plain convolution");
    ConvPart part(conv);
    for (auto [axis, range] : llvm::zip_equal(op.getAxes(), *ranges))
      if (!part.cut(conv, axis, range))
        return rewriter.notifyMatchFailure(op, "not what pads can express");
    rewriter.modifyOpInPlace(conv, [&] {
      conv.setPads(part.pads);
      conv.setStrides(part.strides);
      conv.getResult().setType(op.getType());
    });
    rewriter.replaceOp(op, conv.getResult());
    return success();
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

/// scatter(x, start to end, y) = concat(x[:start], y, x[end:]): a slice that is
/// assigned to. Less than half of an axis is cheaper written where x is.
struct ScatterToConcat : OpRewritePattern<ScatterNDOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(ScatterNDOp op,
                                PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> input = dimsOf(op.getInput());
    ArrayRef<int64_t> indices = dimsOf(op.getIndices());
    ArrayRef<int64_t> updates = dimsOf(op.getUpdates());
    int64_t extent = input.front(), count = indices.front();
    if (op.getKind() != ScatterKind::None || indices.size() != 2 ||
        indices[1] != 1 || ShapedType::isDynamic(extent) ||
        ShapedType::isDynamic(count) || count < 1 ||
        count < extent - extent / 2 ||
        input.drop_front() != updates.drop_front() ||
        op.getInput().getType() != op.getType())
      return rewriter.notifyMatchFailure(op, "not most rows of known extents");
    auto rows = constantInts(op.getIndices());
    if (!rows)
      return rewriter.notifyMatchFailure(op, "the rows are not known");
    int64_t start = rows->front() + (rows->front() < 0 ? extent : 0);
    int64_t end = start + count;
    for (auto [i, row] : llvm::enumerate(*rows))
      if (row + (row < 0 ? extent : 0) != start + static_cast<int64_t>(i))
        return rewriter.notifyMatchFailure(op, "the rows are no range");
    if (start < 0 || end > extent)
      return rewriter.notifyMatchFailure(op, "rows are out of range");
    SmallVector<Value> parts;
    auto keep = [&](int64_t from, int64_t to) {
      if (from < to)
        parts.push_back(createSlice(rewriter, op.getLoc(), op.getInput(),
                                    /*axis=*/0, from, to));
    };
    keep(0, start);
    parts.push_back(op.getUpdates());
    keep(end, extent);
    rewriter.replaceOpWithNewOp<ConcatOp>(op, op.getType(), parts, /*axis=*/0);
    return success();
  }
};

} // namespace

void glow::populateSliceFolds(RewritePatternSet &patterns) {
  patterns.add<SliceOfConcat, SliceOfConv, GatherToSlice, ScatterToConcat>(
      patterns.getContext());
}
