//===- StrassenProduct.h - one product in seven ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_STRASSENPRODUCT_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_STRASSENPRODUCT_H

#include "LoopOperand.h"
#include "StrassenRows.h"
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
  bool findRows();
  bool findInputs(MemRefType (*asWhole)(Value));
  bool findOpenRows();
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
  /// Where a half of the first block begins. Of open rows, every second one is
  /// in the upper half.
  int64_t firstRow(const Blocks &rows, bool lower) const {
    int64_t apart = open ? 1 : rows.size - middle(rows);
    return 2 * rows.first + (lower ? apart : 0);
  }
  /// From a row of a half to the next one.
  int64_t rowStep() const { return open ? 2 : 1; }
  /// 1 for the block in which an odd number of rows ends: the middle one is in
  /// both halves.
  int64_t middle(const Blocks &rows) const {
    return 2 * (rows.first + rows.total()) > height ? 1 : 0;
  }
  SmallVector<int64_t> shapeOf(int64_t rows, ArrayRef<int64_t> columns) const;
  SmallVector<int64_t> stridesOf(int64_t row, ArrayRef<int64_t> columns) const;
  LoopOperand columns(Value buffer, MemRefType type);

  void emitLeftSums(const Blocks &rows);
  void emitLeftSums(const Blocks &rows, const Blocks &part);
  Value emitRowScales(OpBuilder &body, Block &block, bool lower,
                      AffineExpr most, Value rows);
  void emitSums(OpBuilder &body, Block &block, ValueRange scales,
                AffineExpr most);
  void emitProducts(const Blocks &rows);
  Value emitPoint(OpBuilder &body, Block &block, int64_t rows, AffineExpr most);
  void emitResults(OpBuilder &body, Block &block, Value products,
                   const Blocks &rows, ArrayRef<size_t> quarters,
                   AffineExpr most);
  void emitRest();

  // In StrassenRows.cpp.
  StrassenLoop createLoop(ArrayRef<LoopAxis> axes, size_t pointAxis,
                          ArrayRef<LoopOperand> operands, size_t numOutputs);
  void limit(Operation *op, ArrayRef<AffineExpr> extents);
  AffineExpr number(int64_t value) {
    return builder.getAffineConstantExpr(value);
  }
  AffineExpr isMany();
  AffineExpr rowsFrom(int64_t pair);
  Value lowerRows(int64_t pairs);
  Value emitLowerRows(OpBuilder &body, Value lowerRows, AffineExpr left);
  Value emitHalfSums(int64_t rows, AffineExpr few);
  Value halvesOf(Value buffer, MemRefType type, int64_t rows);
  MatMulOp emitFewProducts(Value sums, int64_t half, AffineExpr few,
                           ValueRange operands, Value results);
  void emitFew();

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
  /// If rows are open, types have an axis of images first, and `height` is that
  /// of one.
  std::optional<OpenRows> open;
  int64_t images = 1;
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
  /// Its rows are used by those of `blocks` in turn, as many for each image.
  SmallVector<int64_t, 3> sumStrides;
  int64_t sumRows;

  explicit StrassenProduct(Operation *op)
      : op(op), builder(op), loc(op->getLoc()) {}

  int64_t halfColumns() const { return panels.total() * packed; }
  /// Pairs of rows that lie alike.
  int64_t rowsAtOnce() const { return image ? image / 2 : halfRows; }
  /// From an image of rows to the next one.
  int64_t imageStep(MemRefType type) const {
    return open ? type.getStridesAndOffset().first.front() : 0;
  }
  /// How far a window moves with blocks of rows, images, and blocks of columns.
  Attribute steps(int64_t down, int64_t image, int64_t right) {
    return builder.getDenseI64ArrayAttr({down, right, image});
  }
};

/// At least so many elements: an odd number of lines, so that what is at that
/// distance is in different sets of a cache.
inline int64_t spread(int64_t elements) {
  constexpr int64_t kLine = 64 / sizeof(float);
  return (llvm::divideCeil(elements, kLine) | 1) * kLine;
}

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
