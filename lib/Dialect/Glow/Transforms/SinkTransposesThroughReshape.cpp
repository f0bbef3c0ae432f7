//===- SinkTransposesThroughReshape.cpp - where reshapes allow it ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A reshape merges and splits groups of neighbouring axes. It can run before a
// transpose if the axes of each group are neighbours there too.
//
//===----------------------------------------------------------------------===//
#include "AxisGroups.h"
#include "SinkTransposes.h"

using namespace mlir;
using namespace mlir::glow;

/// The groups in the order in which their axes stand before the transpose, or
/// nothing if the axes of one are apart there. Groups of extent 1 fit
/// anywhere and stay behind their neighbour.
static std::optional<SmallVector<size_t>>
orderBefore(ArrayRef<AxisGroup> groups, ArrayRef<int64_t> dims,
            ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> inverse = inversePermutation(permutation);
  SmallVector<size_t> order;
  int64_t lastPlace = -1;
  for (int64_t place : inverse) {
    if (dims[place] == 1)
      continue;
    size_t index = llvm::find_if(groups,
                                 [&](const AxisGroup &group) {
                                   return place >= group.fromBegin &&
                                          place < group.fromEnd;
                                 }) -
                   groups.begin();
    if (order.empty() || order.back() != index) {
      if (llvm::is_contained(order, index))
        return std::nullopt;
      order.push_back(index);
    } else if (place < lastPlace) {
      return std::nullopt;
    }
    lastPlace = place;
  }
  for (size_t index = 0; index < groups.size(); ++index)
    if (!llvm::is_contained(order, index))
      order.insert(
          index == 0 ? order.begin() : llvm::find(order, index - 1) + 1, index);
  return order;
}

/// The transpose of which a value is a reshape, if it is one.
static TransposeOp reshapedTranspose(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  return reshape ? reshape.getInput().getDefiningOp<TransposeOp>()
                 : TransposeOp();
}

namespace {

/// reshape(transpose(x)) = transpose(reshape(x)).
struct SinkThroughReshape : SinkThrough<ReshapeOp> {
  using SinkThrough::SinkThrough;
  LogicalResult sink(ReshapeOp op, TransposeOp transpose,
                     PatternRewriter &rewriter) const override {
    ArrayRef<int64_t> from = dimsOf(op.getInput()), to = dimsOf(op.getResult());
    SmallVector<AxisGroup> groups = matchGroups(from, to);
    if (groups.empty())
      return rewriter.notifyMatchFailure(op, "shapes do not match in groups");
    auto order = orderBefore(groups, from, transpose.getPermutation());
    if (!order)
      return rewriter.notifyMatchFailure(op, "merges axes that stand apart");
    SmallVector<int64_t> places;
    for (size_t index : *order)
      llvm::append_range(places,
                         llvm::seq(groups[index].toBegin, groups[index].toEnd));
    GraphBuilder b(rewriter, op.getLoc());
    Value moved = b.reshape(transpose.getInput(), permute(to, places));
    rewriter.replaceOp(op, b.transpose(moved, inversePermutation(places)));
    return success();
  }
};

/// transpose(reshape(transpose(x))) = reshape(transpose(x)), if the reshape
/// makes one axis of each group: the outer transpose can move the group.
struct MergeAcrossReshape : OpRewritePattern<TransposeOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(TransposeOp op,
                                PatternRewriter &rewriter) const override {
    TransposeOp inner = reshapedTranspose(op.getInput());
    if (!inner)
      return rewriter.notifyMatchFailure(op, "no inner transpose");
    SmallVector<AxisGroup> groups =
        matchGroups(dimsOf(inner.getResult()), dimsOf(op.getInput()));
    auto isOneAxis = [](const AxisGroup &group) {
      return group.toEnd - group.toBegin == 1;
    };
    if (groups.empty() || !llvm::all_of(groups, isOneAxis))
      return rewriter.notifyMatchFailure(op, "the reshape splits an axis");
    SmallVector<int64_t> permutation;
    for (int64_t axis : op.getPermutation())
      for (int64_t from :
           llvm::seq(groups[axis].fromBegin, groups[axis].fromEnd))
        permutation.push_back(inner.getPermutation()[from]);
    GraphBuilder b(rewriter, op.getLoc());
    rewriter.replaceOp(op, b.reshape(b.transpose(inner.getInput(), permutation),
                                     dimsOf(op.getResult())));
    return success();
  }
};

/// matmul(reshape(transpose(x)), w) = matmul(reshape(x), w with other rows), if
/// the reshape flattens what the transpose moves and w is constant.
struct PermuteRowsOfWeights : OpRewritePattern<MatMulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(MatMulOp op,
                                PatternRewriter &rewriter) const override {
    TransposeOp transpose = reshapedTranspose(op.getLhs());
    if (!transpose || op.getPacked() || dimsOf(op.getRhs()).size() != 2 ||
        !isComputedFromConstants(op.getRhs()))
      return rewriter.notifyMatchFailure(op, "no flattened transpose");
    ArrayRef<int64_t> from = dimsOf(transpose.getResult());
    ArrayRef<int64_t> permutation = transpose.getPermutation();
    SmallVector<AxisGroup> groups = matchGroups(from, dimsOf(op.getLhs()));
    if (groups.empty())
      return rewriter.notifyMatchFailure(op, "shapes do not match in groups");
    int64_t begin = groups.back().fromBegin, size = from.size() - begin;
    if (!isIdentityPermutation(permutation.take_front(begin)) ||
        groups.back().toEnd - groups.back().toBegin != 1)
      return rewriter.notifyMatchFailure(op, "moves other axes too");

    GraphBuilder b(rewriter, op.getLoc());
    Dims rows(from.drop_front(begin));
    rows.push_back(dimsOf(op.getRhs())[1]);
    SmallVector<int64_t> local;
    for (int64_t axis : permutation.drop_front(begin))
      local.push_back(axis - begin);
    SmallVector<int64_t> inverse = inversePermutation(local);
    inverse.push_back(size);
    Value weights = b.transpose(b.reshape(op.getRhs(), rows), inverse);
    weights = b.reshape(weights, dimsOf(op.getRhs()));
    Value flat = b.reshape(transpose.getInput(), dimsOf(op.getLhs()));
    rewriter.modifyOpInPlace(op, [&] {
      op.getLhsMutable().assign(flat);
      op.getRhsMutable().assign(weights);
    });
    return success();
  }
};

} // namespace

void glow::populateSinkTransposesThroughReshape(RewritePatternSet &patterns) {
  patterns.add<SinkThroughReshape, MergeAcrossReshape, PermuteRowsOfWeights>(
      patterns.getContext());
}
