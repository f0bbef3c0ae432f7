//===- WinogradBand.cpp - the steps of a Winograd convolution -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WinogradBand.h"
#include "MapBuilder.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Interfaces/ScalarBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::glow::inst;
using glow::roundToBfloat16;
using glow::WinogradMatrix;
using glow::WinogradTransform;

static MemRefType typeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType());
}
static ArrayRef<int64_t> shapeOf(Value buffer) {
  return typeOf(buffer).getShape();
}

/// The sum of `values` times `factors`.
static Value weightedSum(OpBuilder &builder, Location loc,
                         ArrayRef<double> factors, ValueRange values) {
  auto flags = arith::FastMathFlags::contract;
  Value sum;
  for (auto [factor, value] : llvm::zip(factors, values)) {
    if (factor == 0)
      continue;
    if (sum && factor == -1) {
      sum = arith::SubFOp::create(builder, loc, sum, value, flags);
      continue;
    }
    Value term = value;
    if (factor != 1)
      term = arith::MulFOp::create(
          builder, loc, value,
          arith::ConstantOp::create(
              builder, loc, builder.getFloatAttr(value.getType(), factor)),
          flags);
    sum = sum ? arith::AddFOp::create(builder, loc, sum, term, flags) : term;
  }
  return sum;
}

/// T X T' of a square X, given and returned row by row.
static SmallVector<Value> transform(OpBuilder &builder, Location loc,
                                    const WinogradMatrix &matrix,
                                    ValueRange square) {
  size_t from = matrix.columns, to = matrix.rows();
  SmallVector<Value> half, result;
  for (size_t i = 0; i < to; ++i)
    for (size_t j = 0; j < from; ++j) {
      SmallVector<Value> column;
      for (size_t k = 0; k < from; ++k)
        column.push_back(square[k * from + j]);
      half.push_back(weightedSum(builder, loc, matrix.row(i), column));
    }
  for (size_t i = 0; i < to; ++i)
    for (size_t j = 0; j < to; ++j)
      result.push_back(weightedSum(builder, loc, matrix.row(j),
                                   ArrayRef(half).slice(i * from, from)));
  return result;
}

WinogradBand::WinogradBand(ConvOp op, OpBuilder &builder,
                           const WinogradBuffers &band)
    : op(op), builder(builder), band(band),
      winograd(*WinogradTransform::get(op.getWinograd()->getOutputs())),
      tile(winograd.outputs), loc(op.getLoc()), images(shapeOf(band.output)[0]),
      tileRows(llvm::divideCeil(shapeOf(band.output)[1], tile)),
      tileColumns(llvm::divideCeil(shapeOf(band.output)[2], tile)) {}

/// Products and results.
void WinogradBand::emitProducts(Value matrices) {
  Value products = scratch(shapeOf(band.output).back(), builder.getF32Type());
  MatMulOp::create(builder, loc, matrices, band.filter, ValueRange(),
                   ValueRange(), products, op.getPackedAttr(), TypeAttr(),
                   IntegerAttr());
  // Tiles at the end of an axis may reach over the result.
  int64_t wholeRows = shapeOf(band.output)[1] / tile;
  int64_t wholeColumns = shapeOf(band.output)[2] / tile;
  for (auto [row, rows] : {std::pair<int64_t, int64_t>(0, wholeRows),
                           std::pair(wholeRows, tileRows - wholeRows)})
    for (auto [column, columns] :
         {std::pair<int64_t, int64_t>(0, wholeColumns),
          std::pair(wholeColumns, tileColumns - wholeColumns)})
      if (rows && columns)
        emitOutputMap({row, rows, column, columns}, products);
}

Value WinogradBand::scratch(int64_t channels, Type element) {
  auto type = MemRefType::get(
      {winograd.products(), images * tileRows * tileColumns, channels},
      element);
  return AllocOp::create(builder, loc, type, IntegerAttr());
}

Value WinogradBand::view(Value buffer, ArrayRef<int64_t> shape,
                         ArrayRef<int64_t> strides, int64_t offset) {
  return ViewOp::create(builder, loc,
                        viewType(typeOf(buffer), shape, strides, offset),
                        rootBuffer(buffer));
}

/// Element i, j of every tile in the box, as images, rows, columns, channels.
Value WinogradBand::place(Value image, const TileBox &box, int64_t i,
                          int64_t j) {
  StridedLayout layout = layoutOf(image);
  ArrayRef<int64_t> strides = layout.strides;
  int64_t offset = layout.offset + (tile * box.row + i) * strides[1] +
                   (tile * box.column + j) * strides[2];
  return view(image, {images, box.rows, box.columns, shapeOf(image).back()},
              {strides[0], tile * strides[1], tile * strides[2], strides[3]},
              offset);
}

/// The rows of one product's matrix that stand for the tiles of `box`.
Value WinogradBand::part(Value matrices, const TileBox &box, int64_t product) {
  int64_t channels = shapeOf(matrices).back();
  int64_t rowStride = tileColumns * channels;
  int64_t offset = product * shapeOf(matrices)[1] * channels +
                   box.row * rowStride + box.column * channels;
  return view(matrices, {images, box.rows, box.columns, channels},
              {tileRows * rowStride, rowStride, channels, 1}, offset);
}

Value WinogradBand::emitInput() {
  Type element = typeOf(band.input).getElementType();
  Value matrices = scratch(shapeOf(band.input).back(), element);
  TileBox all{0, tileRows, 0, tileColumns};
  SmallVector<Value> from, to;
  for (int64_t i = 0; i < winograd.inputs(); ++i)
    for (int64_t j = 0; j < winograd.inputs(); ++j) {
      to.push_back(part(matrices, all, from.size()));
      from.push_back(place(band.input, all, i, j));
    }
  bool isBfloat16 = element.isBF16();
  createMap(builder, loc, from, to, [&](OpBuilder &body, ValueRange values) {
    SmallVector<Value> square(values);
    if (isBfloat16)
      for (Value &value : square)
        value = arith::ExtFOp::create(body, loc, body.getF32Type(), value);
    square = transform(body, loc, winograd.input, square);
    if (isBfloat16)
      for (Value &value : square)
        value = roundToBfloat16(body, loc, value);
    return square;
  });
  return matrices;
}

/// Whether the same elements serve every place of an image.
static bool isPerChannel(Value image) {
  StridedLayout layout = layoutOf(image);
  return layout.strides[1] == 0 && layout.strides[2] == 0;
}

void WinogradBand::emitOutputMap(const TileBox &box, Value products) {
  SmallVector<Value> from, to;
  for (int64_t k = 0; k < winograd.products(); ++k)
    from.push_back(part(products, box, k));
  // Results that exist: all of a whole tile.
  int64_t rows = std::min(tile, shapeOf(band.output)[1] - tile * box.row);
  int64_t columns = std::min(tile, shapeOf(band.output)[2] - tile * box.column);
  SmallVector<size_t> readBy; // which input each result's extra ones are
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      to.push_back(place(band.output, box, i, j));
      for (auto [k, value] : llvm::enumerate(band.extra)) {
        if (to.size() > 1 && isPerChannel(value)) {
          readBy.push_back(readBy[k]);
          continue;
        }
        readBy.push_back(from.size());
        from.push_back(place(value, box, i, j));
      }
    }
  createMap(builder, loc, from, to, [&](OpBuilder &body, ValueRange values) {
    SmallVector<Value> sums = transform(body, loc, winograd.output,
                                        values.take_front(winograd.products()));
    SmallVector<Value> results;
    size_t count = band.extra.size();
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        auto inputs = llvm::map_to_vector(
            ArrayRef(readBy).slice(results.size() * count, count),
            [&](size_t k) -> Value { return values[k]; });
        results.push_back(
            finishSum(body, op.getEpilogue(), sums[i * tile + j], inputs));
      }
    return results;
  });
}
