//===- StrassenRows.cpp - as many rows as there are -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of a bounded product the loops stop at the last rows. Where there are too few
// for seven products of quarters, four of the seven right-hand sides, the first
// of `kRightSums`, make the product as it is, in two halves of the columns:
//
//   A1 B11 + A2 B21 = A2 (B21 - B11) + (A1 + A2) B11
//   A1 B12 + A2 B22 = (A1 + A2) B22 + A1 (B12 - B22)
//
//===----------------------------------------------------------------------===//
#include "MapBuilder.h"
#include "StrassenProduct.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// 0 if there are rows enough for seven products, or a very negative number.
AffineExpr StrassenProduct::isMany() {
  return ifAtLeast(open->rows, kLeastOpenRows);
}

/// How many rows there are from a pair of open rows on.
AffineExpr StrassenProduct::rowsFrom(int64_t pair) {
  return open->rows - 2 * pair;
}

/// Notes how much of a bounded product's instruction needs to be computed.
void StrassenProduct::limit(Operation *op, ArrayRef<AffineExpr> extents) {
  if (!open)
    return;
  int64_t symbols = typeOf(open->symbols).getNumElements();
  setLimits(op,
            llvm::map_to_vector(extents,
                                [&](AffineExpr extent) {
                                  return simplifyAffineExpr(extent, 1, symbols);
                                }),
            symbols);
}

/// A loop over the axes that may have more or less than one point. That of a
/// bounded product gets the index of the point along an axis, and the values of
/// the symbols.
StrassenLoop StrassenProduct::createLoop(ArrayRef<LoopAxis> axes,
                                         size_t pointAxis,
                                         ArrayRef<LoopOperand> operands,
                                         size_t numOutputs) {
  SmallVector<size_t> kept;
  for (auto [i, axis] : llvm::enumerate(axes))
    if (axis.extent > 1 || !isa<AffineConstantExpr>(axis.limit))
      kept.push_back(i);
  if (kept.empty())
    kept.push_back(0);
  SmallVector<int64_t> extents;
  SmallVector<AffineExpr> limits;
  for (size_t i : kept) {
    extents.push_back(axes[i].extent);
    limits.push_back(axes[i].limit);
  }
  SmallVector<LoopOperand> own(operands);
  for (LoopOperand &operand : own) {
    SmallVector<int64_t> steps;
    for (size_t i : kept)
      steps.push_back(cast<DenseI64ArrayAttr>(operand.steps)[i]);
    operand.steps = builder.getDenseI64ArrayAttr(steps);
  }
  Block &block = createForall(builder, loc, extents, own, numOutputs);
  AffineExpr point = number(0);
  if (open) {
    auto loop = cast<ForallOp>(block.getParentOp());
    if (auto *place = llvm::find(kept, pointAxis); place != kept.end()) {
      passPoints(loop, place - kept.begin());
      point = builder.getAffineDimExpr(0);
    }
    passWhole(loop, open->symbols);
    limit(loop, limits);
  }
  return {block, point};
}

/// A matrix of which the row for each of some pairs has a 1 in the place of the
/// pair's lower row.
Value StrassenProduct::lowerRows(int64_t pairs) {
  auto f32 = builder.getF32Type();
  SmallVector<float> ones(2 * pairs * pairs);
  for (int64_t i = 0; i < pairs; ++i)
    ones[i * 2 * pairs + 2 * i + 1] = 1;
  SmallVector<int64_t> shape{pairs, 2 * pairs};
  return ConstantOp::create(
      builder, loc, MemRefType::get(shape, f32),
      DenseElementsAttr::get(RankedTensorType::get(shape, f32),
                             ArrayRef<float>(ones)));
}

/// How many lower rows each pair has, none if it is the last one of `left`
/// rows, an odd number. A limit of what is summed up is kept exactly, others
/// are not.
Value StrassenProduct::emitLowerRows(OpBuilder &body, Value lowerRows,
                                     AffineExpr left) {
  int64_t pairs = typeOf(lowerRows).getDimSize(0);
  Value rows = AllocOp::create(
      body, loc, MemRefType::get(pairs, body.getF32Type()), IntegerAttr());
  auto sum = ReduceOp::create(body, loc, glow::ReduceKind::Sum, lowerRows, rows,
                              body.getDenseI64ArrayAttr(1));
  limit(sum, {number(pairs), left});
  return rows;
}

/// Sums of both halves of few rows, scaled as the weights are: the second one,
/// both, the first one.
Value StrassenProduct::emitHalfSums(int64_t rows, AffineExpr few) {
  auto [strides, offset] = lhs.getStridesAndOffset();
  SmallVector<int64_t> shape{images, rows, halfDepth};
  SmallVector<Value> reads, writes;
  for (int64_t start : {int64_t(0), halfDepth}) {
    reads.push_back(viewOf(builder, lhsBuffer, shape, strides, offset + start));
    reads.push_back(
        viewOf(builder, weights.depthScales, shape, {0, 0, 1}, start));
  }
  int64_t row = spread(3 * halfDepth);
  Value sums = AllocOp::create(
      builder, loc, MemRefType::get({images, rows, row}, builder.getF32Type()),
      IntegerAttr());
  for (int64_t i = 0; i < 3; ++i)
    writes.push_back(
        viewOf(builder, sums, shape, {rows * row, row, 1}, i * halfDepth));
  auto map = createMap(
      builder, loc, reads, writes, [&](OpBuilder &body, ValueRange values) {
        Value first = arith::MulFOp::create(body, loc, values[0], values[1]);
        Value second = arith::MulFOp::create(body, loc, values[2], values[3]);
        Value both = arith::AddFOp::create(body, loc, first, second);
        return SmallVector<Value>{second, both, first};
      });
  limit(map, {open->images, few, number(halfDepth)});
  return sums;
}

/// Both halves of the columns of a buffer's first rows, or of a vector.
Value StrassenProduct::halvesOf(Value buffer, MemRefType type, int64_t rows) {
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t right = strides.back(), half = halfColumns();
  if (type.getRank() > 1)
    return viewOf(builder, buffer, {2, images, rows, half},
                  {half, strides[0], strides[1], 1}, offset);
  if (type.getDimSize(0) == 1)
    return viewOf(builder, buffer, 1, 1, offset);
  return viewOf(builder, buffer, {2, 1, 1, half}, {half * right, 0, 0, right},
                offset);
}

/// What the upper or the lower half of the depth adds to both halves of the
/// columns of few rows.
inst::MatMulOp StrassenProduct::emitFewProducts(Value sums, int64_t half,
                                                AffineExpr few,
                                                ValueRange operands,
                                                Value results) {
  int64_t rows = typeOf(sums).getDimSize(1), row = typeOf(sums).getDimSize(2);
  int64_t panel = halfDepth * packed, sum = panels.total() * panel;
  Value a = viewOf(builder, sums, {2, images, rows, halfDepth},
                   {halfDepth, rows * row, row, 1}, half * halfDepth);
  Value b = viewOf(builder, weights.matrices,
                   {2, 1, panels.total(), halfDepth, packed},
                   {2 * sum, 0, panel, packed, 1}, half * sum);
  auto product =
      inst::MatMulOp::create(builder, loc, a, b, operands, ValueRange(),
                             results, builder.getI64IntegerAttr(packed),
                             TypeAttr(), IntegerAttr(), IntegerAttr());
  limit(product, {number(2), open->images, few, number(halfColumns())});
  return product;
}

/// Where there are few rows, computes the columns of all blocks as they are, in
/// two halves.
void StrassenProduct::emitFew() {
  if (!open)
    return;
  auto function = op->getParentOfType<func::FuncOp>();
  auto range = rangeOf(open->rows, symbolsOf(function));
  if (range && range->lower >= kLeastOpenRows)
    return;
  int64_t rows = std::min(height, kLeastOpenRows);
  AffineExpr few = open->rows + ifLess(open->rows, kLeastOpenRows);
  Value sums = emitHalfSums(rows, few);
  Value upper = AllocOp::create(
      builder, loc,
      MemRefType::get({2, images, rows, halfColumns()}, builder.getF32Type()),
      IntegerAttr());
  emitFewProducts(sums, 0, few, {}, upper);
  SmallVector<Value> operands{
      upper,
      halvesOf(weights.columnScales, typeOf(weights.columnScales), rows)};
  for (auto [input, type] : llvm::zip(inputs, inputTypes))
    operands.push_back(halvesOf(input, type, rows));
  auto product =
      emitFewProducts(sums, 1, few, operands, halvesOf(output, result, rows));
  Block &block = product.getEpilogue().emplaceBlock();
  for (size_t i = 0; i <= operands.size(); ++i)
    block.addArgument(builder.getF32Type(), loc);
  OpBuilder body = OpBuilder::atBlockEnd(&block);
  Value whole = arith::AddFOp::create(body, loc, block.getArgument(0),
                                      block.getArgument(1));
  Value scaled = arith::MulFOp::create(body, loc, whole, block.getArgument(2));
  YieldOp::create(
      body, loc,
      finishSum(body, *epilogue, scaled, block.getArguments().drop_front(3)));
}
