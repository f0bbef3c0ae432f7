//===- StrassenSums.cpp - sums of quarters of the left-hand side ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "MapBuilder.h"
#include "StrassenProduct.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace mlir::glow::inst;
using llvm::divideCeil;
using mlir::glow::YieldOp;

/// A part of the rows of each block's upper or lower half of the left-hand
/// side. Of open rows, whose blocks are as one here, those of all images; a
/// last one alone is both halves.
LoopOperand StrassenProduct::left(const Blocks &rows, const Blocks &part,
                                  bool lower) {
  auto [strides, offset] = lhs.getStridesAndOffset();
  int64_t row = strides[lhs.getRank() - 2], step = rowStep() * row;
  int64_t apart = open ? strides[0] : 2 * rows.size * row;
  int64_t first = firstRow(rows, lower) + rowStep() * part.first;
  if (open)
    first = std::min(first, height - 1);
  return {viewOf(builder, lhsBuffer,
                 {open ? images : rows.count, part.total(), depth},
                 {apart, step, 1}, offset + first * row),
          viewType(lhs, {part.size, depth}, {step, 1}, 0),
          builder.getDenseI64ArrayAttr({apart, part.size * step})};
}

/// For a row whose largest number is `largest`, the power of two that brings it
/// below 4, and its inverse; 0 and NaN if it is not finite, or if the number of
/// rows in its place is 0. The inverse for zeros is 0, so that no rounding of
/// other rows' numbers is left.
static SmallVector<Value> emitScales(OpBuilder &body, Location loc,
                                     Value largest, Value rows) {
  constexpr int64_t kBits = 23, kNotFinite = 255, kMost = 253;
  Type i32 = body.getI32Type(), f32 = body.getF32Type();
  auto integer = [&](int64_t value) -> Value {
    return arith::ConstantOp::create(body, loc,
                                     body.getIntegerAttr(i32, value));
  };
  auto real = [&](float value) -> Value {
    return arith::ConstantOp::create(body, loc, body.getFloatAttr(f32, value));
  };
  auto power = [&](Value exponent) -> Value {
    Value bits = arith::ShLIOp::create(body, loc, exponent, integer(kBits));
    return arith::BitcastOp::create(body, loc, f32, bits);
  };
  Value bits = arith::BitcastOp::create(body, loc, i32, largest);
  Value exponent = arith::ShRUIOp::create(body, loc, bits, integer(kBits));
  Value isFinite = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::slt,
                                         exponent, integer(kNotFinite));
  if (rows) {
    Value isThere = arith::CmpFOp::create(body, loc, arith::CmpFPredicate::OGT,
                                          rows, real(0));
    isFinite = arith::AndIOp::create(body, loc, isFinite, isThere);
  }
  // Both powers are normal numbers.
  Value bounded = arith::MaxSIOp::create(body, loc, exponent, integer(1));
  bounded = arith::MinSIOp::create(body, loc, bounded, integer(kMost));
  Value inverse = arith::SubIOp::create(body, loc, integer(kMost + 1), bounded);
  Value isZero = arith::CmpIOp::create(body, loc, arith::CmpIPredicate::eq,
                                       bits, integer(0));
  Value back =
      arith::SelectOp::create(body, loc, isZero, real(0), power(bounded));
  return {
      arith::SelectOp::create(body, loc, isFinite, power(inverse), real(0)),
      arith::SelectOp::create(body, loc, isFinite, back,
                              real(std::numeric_limits<float>::quiet_NaN()))};
}

/// Those of a few rows at once.
void StrassenProduct::emitLeftSums(const Blocks &rows) {
  constexpr int64_t kAtOnce = 8;
  // Open rows are paired across blocks alike.
  Blocks all = open ? Blocks{rows.first, 1, rows.total()} : rows;
  int64_t alone = open ? middle(rows) : 0, pairs = all.size - alone;
  int64_t size = divideCeil(pairs, divideCeil(pairs, kAtOnce));
  int64_t whole = pairs / size, rest = pairs % size;
  emitLeftSums(all, {0, whole, size});
  if (rest)
    emitLeftSums(all, {whole * size, 1, rest});
  if (alone)
    emitLeftSums(all, {pairs, 1, 1});
}

/// What brings each row of a half to one size; its inverse goes to the loop's
/// outputs. `rows` are those in each place, if any could be missing.
Value StrassenProduct::emitRowScales(OpBuilder &body, Block &block, bool lower,
                                     AffineExpr most, Value rows) {
  Value half = block.getArgument(lower), depthScale = block.getArgument(2);
  Type f32 = body.getF32Type();
  auto type = MemRefType::get(typeOf(half).getDimSize(0), f32);
  Value largest = AllocOp::create(body, loc, type, IntegerAttr());
  Value scale = AllocOp::create(body, loc, type, IntegerAttr());
  auto reduce = ReduceOp::create(body, loc, glow::ReduceKind::Max,
                                 ValueRange{half, depthScale}, largest,
                                 body.getDenseI64ArrayAttr(1));
  Block &magnitude = reduce.getBody().emplaceBlock();
  OpBuilder inner = OpBuilder::atBlockEnd(&magnitude);
  Value scaled =
      arith::MulFOp::create(inner, loc, magnitude.addArgument(f32, loc),
                            magnitude.addArgument(f32, loc));
  YieldOp::create(inner, loc,
                  math::AbsFOp::create(inner, loc, scaled).getResult());
  limit(reduce, most);
  SmallVector<Value> sources{largest};
  if (rows)
    sources.push_back(rows);
  auto map = createMap(
      body, loc, sources, {scale, block.getArguments().take_back(3)[lower]},
      [&](OpBuilder &map, ValueRange arguments) {
        return emitScales(map, loc, arguments.front(),
                          arguments.size() > 1 ? arguments[1] : Value());
      });
  limit(map, most);
  return scale;
}

/// The quarters of a block's rows, scaled and added up for each product.
void StrassenProduct::emitSums(OpBuilder &body, Block &block, ValueRange scales,
                               AffineExpr most) {
  // Quarters, their columns' scales, their rows' scales.
  SmallVector<Value> reads, writes;
  SmallVector<int64_t> shape{typeOf(block.getArgument(0)).getDimSize(0),
                             halfDepth};
  for (size_t i = 0; i < kQuarters; ++i) {
    Value half = block.getArgument(isLower(i));
    reads.push_back(viewOf(body, half, shape, {layoutOf(half).strides[0], 1},
                           isRight(i) ? halfDepth : 0));
  }
  for (int64_t start : {int64_t(0), halfDepth})
    reads.push_back(viewOf(body, block.getArgument(2), shape, {0, 1}, start));
  for (Value scale : scales)
    reads.push_back(viewOf(body, scale, shape, {1, 0}, 0));
  for (size_t i = 0; i < kProducts; ++i)
    writes.push_back(viewOf(body, block.getArguments().back(), shape,
                            {sumStrides[1], 1}, i * sumStrides.front()));
  auto map = createMap(
      body, loc, reads, writes, [&](OpBuilder &map, ValueRange values) {
        Value zero =
            arith::ConstantOp::create(map, loc, map.getF32FloatAttr(0));
        SmallVector<Value> quarters, sums;
        for (size_t i = 0; i < kQuarters; ++i) {
          Value row = values[kQuarters + 2 + isLower(i)];
          Value scaled = arith::MulFOp::create(map, loc, values[i],
                                               values[kQuarters + isRight(i)]);
          scaled = arith::MulFOp::create(map, loc, scaled, row);
          Value isFinite = arith::CmpFOp::create(
              map, loc, arith::CmpFPredicate::OGT, row, zero);
          quarters.push_back(
              arith::SelectOp::create(map, loc, isFinite, scaled, zero));
        }
        for (const Signs<kQuarters> &signs : kLeftSums)
          sums.push_back(signedSum(map, loc, signs, quarters));
        return sums;
      });
  limit(map, {most, number(halfDepth)});
}

/// Scales a part of each block's rows of the left-hand side and adds up its
/// quarters.
void StrassenProduct::emitLeftSums(const Blocks &rows, const Blocks &part) {
  int64_t count = part.size, row = sumStrides[1];
  int64_t apart = open ? sumRows : rows.size,
          outer = open ? images : rows.count;
  auto steps = [&](int64_t down) {
    return builder.getDenseI64ArrayAttr({apart * down, count * down});
  };
  SmallVector<LoopOperand> operands{
      left(rows, part, false),
      left(rows, part, true),
      {weights.depthScales, typeOf(weights.depthScales), steps(0)}};
  if (open) {
    Value lower = lowerRows(count);
    operands.push_back({lower, lower.getType(), steps(0)});
  }
  for (Value scales : rowScales)
    operands.push_back(
        {viewOf(builder, scales, {outer, part.total()}, {apart, 1}, part.first),
         viewType(typeOf(scales), count, 1, 0), steps(1)});
  auto all = llvm::to_vector(sumStrides);
  all.insert(all.begin() + 1, apart * row);
  operands.push_back(
      {viewOf(builder, leftSums, {kProducts, outer, part.total(), halfDepth},
              all, part.first * row),
       viewType(typeOf(leftSums), {kProducts, count, halfDepth}, sumStrides, 0),
       steps(row)});
  AffineExpr outerLimit = number(outer), parts = number(part.count),
             most = number(count), left;
  if (open) {
    left = rowsFrom(rows.first + part.first);
    outerLimit = open->images;
    parts = left.ceilDiv(2 * count) + isMany();
  }
  auto [block, point] =
      createLoop({{outer, outerLimit}, {part.count, parts}}, 1, operands, 3);
  OpBuilder body = OpBuilder::atBlockEnd(&block);
  Value hasLower;
  if (open) {
    left = left - point * (2 * count);
    most = left.ceilDiv(2);
    hasLower = emitLowerRows(body, block.getArgument(3), left);
  }
  SmallVector<Value> scales{emitRowScales(body, block, false, most, Value()),
                            emitRowScales(body, block, true, most, hasLower)};
  emitSums(body, block, scales, most);
}
