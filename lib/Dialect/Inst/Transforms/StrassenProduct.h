//===- StrassenProduct.h - one product in seven ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_STRASSENPRODUCT_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_STRASSENPRODUCT_H

#include "LoopOperand.h"
#include "StrassenWeights.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Interfaces/KernelTarget.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace mlir::glow::inst {

/// Columns of each half, or pairs of rows, from `first` on: `count` blocks of
/// `size`. The rows of a block lie side by side, first those of the upper half.
struct Blocks {
  int64_t first, count, size;
  int64_t total() const { return count * size; }
};

/// The constants that stand for a right-hand side, all null if it stays as it
/// is; `packed` is that side.
struct StrassenConstants {
  Tensor packed;
  Value depthScales, columnScales, matrices;
};

/// What one product computes, and how it is cut.
class StrassenProduct {
public:
  /// Nothing if it is none of those that could be cut, or not worth it.
  static std::optional<StrassenProduct> of(Operation *op,
                                           const KernelTarget &target);
  /// Makes the constants that it reads, where its right-hand side is.
  FailureOr<StrassenConstants> makeWeights();
  /// Makes seven products of it.
  void expand(const StrassenConstants &made);
  ConstantOp rhs() { return rhsBuffer.getDefiningOp<ConstantOp>(); }
  /// Products with equal keys read the same constants.
  std::pair<Operation *, int64_t> key() { return {rhs(), panels.total()}; }

private:
  bool findOperands();
  bool findLines();
  using Groups = SmallVector<Blocks, 2>;
  bool chooseBlocks(const KernelTarget &target);
  Groups groupsOf(int64_t rows, int64_t together) const;
  friend struct StrassenCosts;

  Value constant(const Tensor &value);
  Value viewOf(OpBuilder &builder, Value buffer, ArrayRef<int64_t> shape,
               ArrayRef<int64_t> strides, int64_t offset);
  LoopOperand left(const Blocks &rows, const Blocks &part, bool lower);
  LoopOperand matrix(Value buffer, MemRefType type, const Blocks &rows,
                     bool lower);
  /// Where a half of the first block begins.
  int64_t firstRow(const Blocks &rows, bool lower) const {
    return 2 * rows.first + (lower ? rows.size - middle(rows) : 0);
  }
  /// 1 for the block in which an odd number of rows ends: the middle one is in
  /// both halves.
  int64_t middle(const Blocks &rows) const {
    return 2 * (rows.first + rows.total()) > height ? 1 : 0;
  }
  SmallVector<int64_t> shapeOf(int64_t rows, ArrayRef<int64_t> columns) const;
  SmallVector<int64_t> stridesOf(int64_t row, ArrayRef<int64_t> columns) const;
  LoopOperand columns(Value buffer, MemRefType type);

  void emitLeftSums(const Blocks &rows, const Blocks &part);
  void emitProducts(const Blocks &rows);
  Value emitPoint(OpBuilder &body, Block &block, int64_t rows);
  void emitResults(OpBuilder &body, Block &block, Value products,
                   const Blocks &rows, ArrayRef<size_t> quarters);
  void emitRest();

  Operation *op;
  Value lhsBuffer, rhsBuffer, output;
  SmallVector<Value> inputs;
  Region *epilogue;
  /// The left-hand side as a matrix, others as rows or as vectors.
  MemRefType lhs, result;
  SmallVector<MemRefType> inputTypes;
  int64_t height, depth, width, packed;
  /// Rows at one distance from each other, if not all are: pixels of a line of
  /// an image that has borders. And those of lines at one distance, if not all
  /// are.
  int64_t line = 1, image = 0;
  /// Rows of all blocks' quarters, and the depth of one. Columns are those of
  /// `count` times `size` panels.
  int64_t halfRows, halfDepth;
  Groups blocks;
  Blocks panels;
  int64_t partDepth;

  // What the loops read.
  OpBuilder builder;
  Location loc;
  StrassenConstants weights;
  Value leftSums, rowScales[2];
  /// The strides of `leftSums`: from sum to sum, from row to row and in a row.
  /// Its rows are used by those of `blocks` in turn.
  SmallVector<int64_t, 3> sumStrides;

  explicit StrassenProduct(Operation *op)
      : op(op), builder(op), loc(op->getLoc()) {}

  int64_t halfColumns() const { return panels.total() * packed; }
  /// Pairs of rows that lie alike.
  int64_t rowsAtOnce() const { return image ? image / 2 : halfRows; }
  /// How far a window moves with blocks of rows and of columns.
  Attribute steps(int64_t down, int64_t right) {
    return builder.getDenseI64ArrayAttr({down, right});
  }
};

/// The values of which `signs` has one, added or subtracted.
template <size_t count>
Value signedSum(OpBuilder &body, Location loc, const Signs<count> &signs,
                ValueRange values) {
  // A number to be added comes first, so none is negated.
  Value sum;
  for (int sign : {1, -1})
    for (auto [own, value] : llvm::zip(signs, values)) {
      if (own != sign)
        continue;
      if (!sum)
        sum = value;
      else if (sign > 0)
        sum = arith::AddFOp::create(body, loc, sum, value);
      else
        sum = arith::SubFOp::create(body, loc, sum, value);
    }
  return sum;
}

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_STRASSENPRODUCT_H
