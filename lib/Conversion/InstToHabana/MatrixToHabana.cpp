//===- MatrixToHabana.cpp - products of matrices on the matrix engine -----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Patterns.h"
#include "Staging.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Inst/IR/Inst.h"

using namespace mlir;
using namespace mlir::glow::habana;
namespace inst = mlir::glow::inst;

namespace {
struct MatMulToMme : OpRewritePattern<inst::MatMulOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(inst::MatMulOp op,
                                PatternRewriter &rewriter) const override;
};

/// One matrix product: M x K times K x N.
struct Product {
  Box lhs, rhs, output;
  SmallVector<Box> extra;
};
} // namespace

/// The matrix of a batched operand that belongs to the result at `index`.
static Box matrixAt(Box box, ArrayRef<int64_t> index, int64_t rank) {
  int64_t lead = box.rank() - rank;
  for (int64_t axis = lead; axis-- > 0;) {
    int64_t at = index[static_cast<int64_t>(index.size()) - lead + axis];
    box = box.slice(axis, box.sizes[axis] == 1 ? 0 : at, 1).dropAxis(axis);
  }
  return box;
}

static LogicalResult convertProduct(inst::MatMulOp op, OpBuilder &builder,
                                    const Product &product) {
  int64_t depth = product.lhs.sizes[1];
  auto bytes = [&](ArrayRef<int64_t> sizes) {
    int64_t out = sramBytes(sizes[0] * sizes[1]);
    return sramBytes(sizes[0] * depth) + sramBytes(depth * sizes[1]) +
           out * static_cast<int64_t>(1 + product.extra.size());
  };
  auto compute = [&](ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
    Tile tile(builder, op.getLoc());
    Value a = tile.value(
        tile.load(product.lhs.slice({offsets[0], 0}, {sizes[0], depth})));
    Value b = tile.value(
        tile.load(product.rhs.slice({0, offsets[1]}, {depth, sizes[1]})));
    Box destination = product.output.slice(offsets, sizes);
    Box result = tile.allocate(destination);
    GemmOp::create(builder, op.getLoc(), a, b, tile.value(result));
    SmallVector<Box> inputs;
    for (const Box &box : product.extra)
      inputs.push_back(box.slice(offsets, sizes));
    launchEpilogue(tile, op.getEpilogue(), result, inputs);
    tile.store(result, destination);
  };
  return forEachTile(product.output.sizes, {}, sramOf(op), bytes, compute);
}

LogicalResult MatMulToMme::matchAndRewrite(inst::MatMulOp op,
                                           PatternRewriter &rewriter) const {
  if (!op.getFurther().empty())
    return op.emitOpError("the matrix engine writes one output");
  Box lhs(op.getLhs()), rhs(op.getRhs()), output(op.getOutput());
  Dims batch(output.sizes);
  batch.resize(batch.size() - 2);
  int64_t columns = output.sizes.back();
  int64_t width = op.getPacked().value_or(columns);
  LogicalResult result = success();
  auto compute = [&](ArrayRef<int64_t> index, ArrayRef<int64_t>) {
    for (int64_t first = 0; first < columns; first += width) {
      int64_t count = std::min(width, columns - first);
      Product product;
      product.lhs = matrixAt(lhs, index, 2);
      if (op.getPacked())
        product.rhs = matrixAt(rhs, index, 3)
                          .slice(0, first / width, 1)
                          .dropAxis(0)
                          .slice(1, 0, count);
      else
        product.rhs = matrixAt(rhs, index, 2);
      product.output = matrixAt(output, index, 2).slice(1, first, count);
      for (Value input : op.getEpilogueInputs())
        product.extra.push_back(
            matrixAt(Box(input).broadcast(output.sizes), index, 2)
                .slice(1, first, count));
      if (succeeded(result))
        result = convertProduct(op, rewriter, product);
    }
  };
  // One call per matrix of the batch.
  auto oneMatrix = [](ArrayRef<int64_t> sizes) {
    return llvm::all_of(sizes, [](int64_t size) { return size == 1; }) ? 0 : 1;
  };
  if (failed(forEachTile(batch, {}, 0, oneMatrix, compute)) || failed(result))
    return op.emitOpError("one row and one column exceed the SRAM");
  rewriter.eraseOp(op);
  return success();
}

void glow::habana::populateMatrixPatterns(RewritePatternSet &patterns) {
  patterns.add<MatMulToMme>(patterns.getContext());
}
