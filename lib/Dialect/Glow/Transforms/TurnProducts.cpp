//===- TurnProducts.cpp - products of one row with a transposed matrix ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scores of one query are its products with the keys, whose elements lie
// side by side. A kernel that sums along them reads each key once, where a
// transposed copy would be written and read once more.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"

namespace mlir::glow {
#define GEN_PASS_DEF_TURNPRODUCTS
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

namespace {
struct TurnProducts : glow::impl::TurnProductsBase<TurnProducts> {
  using TurnProductsBase::TurnProductsBase;

  void runOnOperation() override {
    getOperation().walk([&](MatMulOp product) {
      if (Value matrix = matrixOf(product))
        turn(product, matrix);
    });
  }

  Value matrixOf(MatMulOp product) const;
  static void turn(MatMulOp product, Value matrix);
};
} // namespace

/// What is transposed to be multiplied by one row; null if nothing is.
Value TurnProducts::matrixOf(MatMulOp product) const {
  auto transpose = product.getRhs().getDefiningOp<TransposeOp>();
  ArrayRef<int64_t> lhs = dimsOf(product.getLhs());
  if (!transpose || product.getPacked() || product.getPieces() ||
      lhs.size() < 2 || lhs[lhs.size() - 2] != 1 || lhs.back() < least ||
      matchPattern(transpose.getInput(), m_Constant()))
    return {};
  ArrayRef<int64_t> order = transpose.getPermutation();
  int64_t rank = order.size();
  for (auto [axis, from] : llvm::enumerate(order.drop_back(2)))
    if (from != static_cast<int64_t>(axis))
      return {};
  return rank >= 2 && order[rank - 2] == rank - 1 && order[rank - 1] == rank - 2
             ? transpose.getInput()
             : Value();
}

/// A row, or several, as columns.
static Value turnRow(GraphBuilder &b, Value row) {
  SmallVector<int64_t> dims(dimsOf(row));
  if (dims.empty())
    return row;
  if (dims.size() == 1)
    dims.push_back(1);
  else
    std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
  return b.reshape(row, dims);
}

void TurnProducts::turn(MatMulOp product, Value matrix) {
  OpBuilder builder(product);
  GraphBuilder b(builder, product.getLoc());
  auto turned = cast<MatMulOp>(builder.clone(*product));
  turned.getLhsMutable().assign(matrix);
  turned.getRhsMutable().assign(turnRow(b, product.getLhs()));
  for (OpOperand &input : turned.getEpilogueInputsMutable())
    input.set(turnRow(b, input.get()));
  auto type = cast<RankedTensorType>(product.getType());
  SmallVector<int64_t> dims(type.getShape());
  std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
  turned.getResult().setType(type.clone(dims));
  // Behind its operands.
  turned->moveBefore(product);
  product.replaceAllUsesWith(b.reshape(turned, type.getShape()));
  product.erase();
}
