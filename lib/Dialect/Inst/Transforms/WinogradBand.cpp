//===- WinogradBand.cpp - the steps of a Winograd convolution -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "WinogradBand.h"
#include "MapBuilder.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Interfaces/KernelTarget.h"
#include "glow/Interfaces/ScalarBuilder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::glow::inst;
using glow::roundToBfloat16;
using glow::WinogradMatrix;
using glow::WinogradTile;

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

/// T X S' of X, given and returned row by row, where T is for X's columns.
static SmallVector<Value> transform(OpBuilder &builder, Location loc,
                                    const WinogradMatrix &t,
                                    const WinogradMatrix &s, ValueRange x) {
  size_t rows = t.columns, columns = s.columns;
  SmallVector<Value> half, result;
  for (size_t i = 0; i < t.rows(); ++i)
    for (size_t j = 0; j < columns; ++j) {
      SmallVector<Value> column;
      for (size_t k = 0; k < rows; ++k)
        column.push_back(x[k * columns + j]);
      half.push_back(weightedSum(builder, loc, t.row(i), column));
    }
  for (size_t i = 0; i < t.rows(); ++i)
    for (size_t j = 0; j < s.rows(); ++j)
      result.push_back(weightedSum(builder, loc, s.row(j),
                                   ArrayRef(half).slice(i * columns, columns)));
  return result;
}

WinogradBand::WinogradBand(ConvOp op, OpBuilder &builder,
                           const WinogradBuffers &band)
    : op(op), builder(builder), band(band), tile(*glow::winogradTileOf(op)),
      loc(op.getLoc()), images(shapeOf(band.output)[0]),
      tileRows(tile.rows.tilesOf(shapeOf(band.output)[1])),
      tileColumns(tile.columns.tilesOf(shapeOf(band.output)[2])) {}

/// Products and results.
void WinogradBand::emitProducts(Value matrices) {
  Value products = scratch(shapeOf(band.output).back(), builder.getF32Type());
  auto rows = [&](Value buffer) {
    return band.hasOpenColumns ? tilesOf(buffer) : buffer;
  };
  MatMulOp::create(builder, loc, rows(matrices),
                   band.hasOpenColumns ? filterOfTiles() : band.filter,
                   ValueRange(), ValueRange(), rows(products),
                   op.getPackedAttr(), TypeAttr(), IntegerAttr(),
                   IntegerAttr());
  // Tiles at the end of an axis may reach over the result.
  int64_t wholeRows = shapeOf(band.output)[1] / tile.rows.outputs();
  int64_t wholeColumns = shapeOf(band.output)[2] / tile.columns.outputs();
  for (auto [row, rows] : {std::pair<int64_t, int64_t>(0, wholeRows),
                           std::pair(wholeRows, tileRows - wholeRows)})
    for (auto [column, columns] :
         {std::pair<int64_t, int64_t>(0, wholeColumns),
          std::pair(wholeColumns, tileColumns - wholeColumns)})
      if (rows && columns)
        emitOutputMap({row, rows, column, columns}, products);
}

/// A matrix for each product. The transforms go through all of them at once, so
/// that they do not begin in the same set of the cache there may be one row
/// more of each.
Value WinogradBand::scratch(int64_t channels, Type element) {
  constexpr int64_t kWay = glow::KernelTarget::kWayBytes;
  int64_t rows = images * tileRows * tileColumns, spread = rows;
  int64_t rowBytes = channels * elementBytes(element);
  if (rows * rowBytes % kWay == 0 && rowBytes % kWay != 0)
    ++spread;
  auto type = MemRefType::get({tile.products(), spread, channels}, element);
  Value buffer = AllocOp::create(builder, loc, type, IntegerAttr());
  if (spread == rows)
    return buffer;
  return view(buffer, {tile.products(), rows, channels},
              layoutOf(buffer).strides, 0);
}

/// Tiles in rows and columns: each ends where the image does, in a product over
/// all of them as one axis only the rows would.
Value WinogradBand::tilesOf(Value matrices) {
  int64_t channels = shapeOf(matrices).back(), down = tileColumns * channels;
  return view(matrices,
              {tile.products(), images * tileRows, tileColumns, channels},
              {layoutOf(matrices).strides[0], down, channels, 1},
              layoutOf(matrices).offset);
}

Value WinogradBand::filterOfTiles() {
  SmallVector<int64_t> shape(shapeOf(band.filter)),
      strides = layoutOf(band.filter).strides;
  shape.insert(shape.begin() + 1, 1);
  strides.insert(strides.begin() + 1, 0);
  return view(band.filter, shape, strides, layoutOf(band.filter).offset);
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
  int64_t down = tile.rows.outputs(), right = tile.columns.outputs();
  int64_t offset = layout.offset + (down * box.row + i) * strides[1] +
                   (right * box.column + j) * strides[2];
  return view(image, {images, box.rows, box.columns, shapeOf(image).back()},
              {strides[0], down * strides[1], right * strides[2], strides[3]},
              offset);
}

Value WinogradBand::part(Value matrices, const TileBox &box, int64_t product,
                         int64_t channels, int64_t first) {
  int64_t all = shapeOf(matrices).back(), rowStride = tileColumns * all;
  int64_t offset = product * layoutOf(matrices).strides[0] +
                   box.row * rowStride + box.column * all + first;
  return view(matrices, {images, box.rows, box.columns, channels},
              {tileRows * rowStride, rowStride, all, 1}, offset);
}

Value WinogradBand::emitInput() {
  Value matrices = scratch(shapeOf(band.input).back() * tile.parts(),
                           typeOf(band.input).getElementType());
  int64_t number = 0;
  for (int64_t i = 0; i < tile.rows.parts; ++i)
    for (int64_t j = 0; j < tile.columns.parts; ++j)
      emitInputMap(matrices, {i * tile.rows.transform->taps,
                              j * tile.columns.transform->taps, number++});
  return matrices;
}

void WinogradBand::emitInputMap(Value matrices, const WindowPart &window) {
  TileBox all{0, tileRows, 0, tileColumns};
  int64_t channels = shapeOf(band.input).back();
  SmallVector<Value> from, to;
  for (int64_t i = 0; i < tile.rows.inputs(); ++i)
    for (int64_t j = 0; j < tile.columns.inputs(); ++j) {
      to.push_back(
          part(matrices, all, from.size(), channels, window.number * channels));
      from.push_back(place(band.input, all, window.row + i, window.column + j));
    }
  bool isBfloat16 = typeOf(band.input).getElementType().isBF16();
  createMap(builder, loc, from, to, [&](OpBuilder &body, ValueRange values) {
    SmallVector<Value> inputs(values);
    if (isBfloat16)
      for (Value &value : inputs)
        value = arith::ExtFOp::create(body, loc, body.getF32Type(), value);
    inputs = transform(body, loc, tile.rows.transform->input,
                       tile.columns.transform->input, inputs);
    if (isBfloat16)
      for (Value &value : inputs)
        value = roundToBfloat16(body, loc, value);
    return inputs;
  });
}

/// Whether the same elements serve every place of an image.
static bool isPerChannel(Value image) {
  StridedLayout layout = layoutOf(image);
  return layout.strides[1] == 0 && layout.strides[2] == 0;
}

void WinogradBand::emitOutputMap(const TileBox &box, Value products) {
  SmallVector<Value> from, to;
  for (int64_t k = 0; k < tile.products(); ++k)
    from.push_back(part(products, box, k, shapeOf(products).back(), 0));
  // Results that exist: all of a whole tile.
  int64_t down = tile.rows.outputs(), right = tile.columns.outputs();
  int64_t rows = std::min(down, shapeOf(band.output)[1] - down * box.row);
  int64_t columns =
      std::min(right, shapeOf(band.output)[2] - right * box.column);
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
    SmallVector<Value> sums = transform(body, loc, tile.rows.transform->output,
                                        tile.columns.transform->output,
                                        values.take_front(tile.products()));
    SmallVector<Value> results;
    size_t count = band.extra.size();
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        auto inputs = llvm::map_to_vector(
            ArrayRef(readBy).slice(results.size() * count, count),
            [&](size_t k) -> Value { return values[k]; });
        results.push_back(
            finishSum(body, op.getEpilogue(), sums[i * right + j], inputs));
      }
    return results;
  });
}
