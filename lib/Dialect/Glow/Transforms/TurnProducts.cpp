//===- TurnProducts.cpp - products of few rows with a transposed matrix ---===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The scores of one query, or of those of a group, are its products with the
// keys, whose elements lie side by side. A kernel that sums along them reads
// each key once, where a transposed copy would be written and read once more.
// So does one that adds up vectors of queries, if there are enough for a
// vector, for which the queries and the scores are transposed instead.
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
  bool gains(MatMulOp product) const;
  static void turn(MatMulOp product, Value matrix);
};
} // namespace

/// Of more rows that share a matrix, each would read it again.
static constexpr int64_t kMostShared = 16;

/// How many rows in the batch are multiplied by each matrix.
static int64_t rowsOfEach(MatMulOp product) {
  auto count = [](ArrayRef<int64_t> dims) {
    return ShapedType::getNumElements(dims);
  };
  return count(dimsOf(product.getLhs()).drop_back()) /
         std::max<int64_t>(1, count(dimsOf(product.getRhs()).drop_back(2)));
}

/// What is transposed to be multiplied by few rows; null if nothing is.
Value TurnProducts::matrixOf(MatMulOp product) const {
  auto transpose = product.getRhs().getDefiningOp<TransposeOp>();
  ArrayRef<int64_t> lhs = dimsOf(product.getLhs());
  // A reshape to no elements would need to say so.
  auto type = cast<RankedTensorType>(product.getType());
  if (!transpose || !type.hasStaticShape() || type.getNumElements() == 0 ||
      product.getPacked() || product.getPieces() || lhs.size() < 2 ||
      lhs.back() < least || rowsOfEach(product) > kMostShared ||
      matchPattern(transpose.getInput(), m_Constant()))
    return {};
  ArrayRef<int64_t> order = transpose.getPermutation();
  bool turns =
      order.size() >= 2 && order == ArrayRef(turningPermutation(order.size()));
  return turns && gains(product) ? transpose.getInput() : Value();
}

/// Whether the rows make good columns: half of a vector of them may be empty
/// where masks cost nothing.
bool TurnProducts::gains(MatMulOp product) const {
  Type element = Float32Type::get(product.getContext());
  const KernelTarget &machine = target.getValue();
  int64_t rows = dimsOf(product.getLhs()).end()[-2],
          depth = dimsOf(product.getLhs()).back(),
          columns = dimsOf(product).back(), lanes = machine.lanes(element);
  if (rows <= std::max<int64_t>(1, machine.fewColumns(element)))
    return true;
  if (rows != lanes && (rows > lanes / 2 || !machine.hasMasks()))
    return false;
  // Scattered elements: half of those that are no longer transposed.
  return 2 * rows * (depth + columns) <= columns * depth;
}

/// The last two axes, or one and another of one element, in each other's place.
static Value turn(GraphBuilder &b, Value matrix) {
  SmallVector<int64_t> dims(dimsOf(matrix));
  if (dims.empty())
    return matrix;
  if (dims.size() == 1)
    dims.insert(dims.begin(), 1);
  int64_t rank = dims.size();
  bool isRow = dims[rank - 1] == 1 || dims[rank - 2] == 1;
  if (!isRow)
    return b.transpose(matrix, turningPermutation(rank));
  std::swap(dims[rank - 1], dims[rank - 2]);
  return b.reshape(matrix, dims);
}

void TurnProducts::turn(MatMulOp product, Value matrix) {
  OpBuilder builder(product);
  GraphBuilder b(builder, product.getLoc());
  auto turned = cast<MatMulOp>(builder.clone(*product));
  turned.getLhsMutable().assign(matrix);
  turned.getRhsMutable().assign(::turn(b, product.getLhs()));
  for (OpOperand &input : turned.getEpilogueInputsMutable())
    input.set(::turn(b, input.get()));
  auto type = cast<RankedTensorType>(product.getType());
  SmallVector<int64_t> dims(type.getShape());
  std::swap(dims[dims.size() - 1], dims[dims.size() - 2]);
  turned.getResult().setType(type.clone(dims));
  // Behind its operands.
  turned->moveBefore(product);
  product.replaceAllUsesWith(::turn(b, turned));
  product.erase();
}
