//===- GroupQueries.cpp - products with matrices repeated for groups ------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In grouped-query attention (Ainslie et al., "GQA", 2023) several heads share
// keys and values, which models repeat for each of them before they multiply.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"

namespace mlir::glow {
#define GEN_PASS_DEF_GROUPQUERIES
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

namespace {
/// A tensor of which each entry along an axis stands `count` times in a row.
struct Repeated {
  /// The entries, with an axis of one place behind theirs.
  Value source;
  size_t axis;
  int64_t entries, count;

  static std::optional<Repeated> of(Value value);
};

struct GroupQueries : glow::impl::GroupQueriesBase<GroupQueries> {
  void runOnOperation() override {
    getOperation().walk([](MatMulOp product) { group(product); });
  }

  static void group(MatMulOp product);
};
} // namespace

std::optional<Repeated> Repeated::of(Value value) {
  auto reshape = value.getDefiningOp<ReshapeOp>();
  auto expand =
      reshape ? reshape.getInput().getDefiningOp<ExpandOp>() : ExpandOp();
  if (!expand)
    return std::nullopt;
  ArrayRef<int64_t> from = dimsOf(expand.getInput()),
                    wide = dimsOf(expand.getResult()), merged = dimsOf(value);
  if (from.size() != wide.size() || merged.size() + 1 != wide.size())
    return std::nullopt;
  for (size_t axis = 0; axis < merged.size(); ++axis) {
    SmallVector<int64_t> single(wide), joined(wide);
    single[axis + 1] = 1;
    joined[axis] *= joined[axis + 1];
    joined.erase(joined.begin() + axis + 1);
    if (wide[axis + 1] > 1 && from == ArrayRef(single) &&
        merged == ArrayRef(joined))
      return Repeated{expand.getInput(), axis, wide[axis], wide[axis + 1]};
  }
  return std::nullopt;
}

/// The shape of rows of heads, of a product of `rank` axes, as those of the
/// group that they belong to: the axis of heads is split, and one row of each
/// head is one of several of the group. Broadcast axes stay so.
static SmallVector<int64_t> groupedDims(ArrayRef<int64_t> rows,
                                        const Repeated &repeated, size_t rank,
                                        bool hasOneRow) {
  SmallVector<int64_t> dims(rows);
  if (dims.size() + repeated.axis < rank)
    return dims;
  size_t heads = dims.size() + repeated.axis - rank;
  bool isShared = dims[heads] == 1;
  dims[heads] = isShared ? 1 : repeated.entries;
  int64_t count = isShared ? 1 : repeated.count;
  if (hasOneRow)
    dims[heads + 1] = count;
  else
    dims.insert(dims.begin() + heads + 1, count);
  return dims;
}

void GroupQueries::group(MatMulOp product) {
  auto transpose = product.getRhs().getDefiningOp<TransposeOp>();
  Value matrix = transpose ? transpose.getInput() : product.getRhs();
  auto repeated = Repeated::of(matrix);
  SmallVector<int64_t> lhs(dimsOf(product.getLhs()));
  size_t rank = dimsOf(product.getRhs()).size();
  auto type = cast<RankedTensorType>(product.getType());
  // A reshape to no elements would need to say so.
  if (!repeated || !type.hasStaticShape() || type.getNumElements() == 0 ||
      product.getPacked() || product.getPieces() || lhs.size() != rank ||
      repeated->axis + 2 >= rank ||
      lhs[repeated->axis] != repeated->entries * repeated->count)
    return;
  if (transpose &&
      transpose.getPermutation() != ArrayRef(turningPermutation(rank)))
    return;
  bool hasOneRow = lhs[rank - 2] == 1 && repeated->axis + 3 == rank;
  OpBuilder builder(product);
  GraphBuilder b(builder, product.getLoc());
  auto dimsAs = [&](ArrayRef<int64_t> dims) {
    return groupedDims(dims, *repeated, rank, hasOneRow);
  };
  SmallVector<int64_t> shared(dimsOf(repeated->source));
  if (hasOneRow)
    shared.erase(shared.begin() + repeated->axis + 1);
  Value rhs = b.reshape(repeated->source, shared);
  if (transpose)
    rhs = b.transpose(rhs, turningPermutation(shared.size()));
  auto grouped = cast<MatMulOp>(builder.clone(*product));
  auto regroup = [&](OpOperand &rows) {
    rows.set(b.reshape(rows.get(), dimsAs(dimsOf(rows.get()))));
  };
  regroup(grouped.getLhsMutable());
  grouped.getRhsMutable().assign(rhs);
  llvm::for_each(grouped.getEpilogueInputsMutable(), regroup);
  grouped.getResult().setType(type.clone(dimsAs(type.getShape())));
  // Behind its operands.
  grouped->moveBefore(product);
  product.replaceAllUsesWith(b.reshape(grouped, type.getShape()));
  product.erase();
}
