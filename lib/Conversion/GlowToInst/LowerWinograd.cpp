//===- LowerWinograd.cpp - convolutions as transformed products -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A band of tiles at a time: a map reads the elements of every tile through
// strided views of the input and writes one matrix per product (tiles by
// channels), these are multiplied by the filter's matrices, and another map
// turns the products into results, with the convolution's epilogue.
//
//===----------------------------------------------------------------------===//
#include "LowerWinograd.h"
#include "glow/Support/Winograd.h"

using namespace mlir;
using namespace mlir::glow;

static ArrayRef<int64_t> shapeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getShape();
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

namespace {
/// A range of tiles: images, rows and columns of tiles.
struct TileBox {
  int64_t image, images, row, rows, column, columns;
};

class WinogradLowering {
public:
  WinogradLowering(ConvOp op, InstLowering &lowering)
      : op(op), lowering(lowering),
        winograd(*WinogradTransform::get(op.getWinograd()->getOutputs())),
        tile(winograd.outputs), loc(op.getLoc()) {}

  void run();

private:
  void padInput();
  void emitBand(const TileBox &band);
  void emitInputMap(const TileBox &band, Value matrices);
  void emitOutputMap(const TileBox &band, const TileBox &box, Value products);
  Value place(Value image, const TileBox &box, int64_t i, int64_t j);
  Value part(Value matrices, const TileBox &band, const TileBox &box,
             int64_t product);
  inst::MapOp createMap(ValueRange inputs, ValueRange outputs);
  Value finish(OpBuilder &body, Value sum, ValueRange arguments);

  ConvOp op;
  InstLowering &lowering;
  const WinogradTransform &winograd;
  int64_t tile, tileRows, tileColumns;
  Location loc;
  Value input, filter, output;
  /// The bias, if any, then the epilogue's inputs, broadcast to the output.
  SmallVector<Value> extra;
};
} // namespace

/// Zeros around the input, as many as whole tiles need.
void WinogradLowering::padInput() {
  SmallVector<int64_t> shape(shapeOf(input)), before(4, 0), after(4, 0);
  for (int64_t axis : {0, 1}) {
    int64_t tiles = axis ? tileColumns : tileRows;
    before[1 + axis] = op.getPads()[axis];
    after[1 + axis] = tile * tiles + 2 - shape[1 + axis] - before[1 + axis];
    shape[1 + axis] = tile * tiles + 2;
  }
  if (ArrayRef(shape) == shapeOf(input))
    return;
  Value padded = lowering.scratch(
      shape, cast<MemRefType>(input.getType()).getElementType());
  lowering.copy(input, lowering.border(padded, before, after, [&](Value slab) {
    lowering.fill(slab, 0.0);
  }));
  input = padded;
}

void WinogradLowering::run() {
  input = lowering.buffer(op.getInput());
  filter = lowering.buffer(op.getFilter());
  output = lowering.allocate(op.getResult());
  if (op.getBias())
    extra.push_back(lowering.buffer(op.getBias()));
  llvm::append_range(extra, lowering.buffers(op.getEpilogueInputs()));
  for (Value &value : extra)
    value = lowering.broadcast(value, shapeOf(output));
  tileRows = llvm::divideCeil(shapeOf(output)[1], tile);
  tileColumns = llvm::divideCeil(shapeOf(output)[2], tile);
  padInput();
  // Rows of one image, or several whole images.
  int64_t images = shapeOf(output)[0], atOnce = op.getWinograd()->getRows();
  int64_t imageStep = std::max<int64_t>(1, atOnce / tileRows);
  for (int64_t n = 0; n < images; n += imageStep)
    for (int64_t row = 0; row < tileRows; row += atOnce)
      emitBand({n, std::min(imageStep, images - n), row,
                std::min(atOnce, tileRows - row), 0, tileColumns});
}

void WinogradLowering::emitBand(const TileBox &band) {
  int64_t tiles = band.images * band.rows * band.columns;
  Type element = cast<MemRefType>(output.getType()).getElementType();
  Value matrices = lowering.scratch(
      {winograd.products(), tiles, shapeOf(input).back()}, element);
  emitInputMap(band, matrices);
  Value products = lowering.scratch(
      {winograd.products(), tiles, shapeOf(output).back()}, element);
  inst::MatMulOp::create(lowering.builder, loc, matrices, filter, ValueRange(),
                         products, op.getPackedAttr(), TypeAttr());
  // Tiles at the end of an axis may reach over the result.
  int64_t wholeRows = shapeOf(output)[1] / tile;
  int64_t wholeColumns = shapeOf(output)[2] / tile;
  int64_t inBand = std::clamp<int64_t>(wholeRows - band.row, 0, band.rows);
  for (auto [row, rows] : {std::pair(band.row, inBand),
                           std::pair(band.row + inBand, band.rows - inBand)})
    for (auto [column, columns] :
         {std::pair<int64_t, int64_t>(0, wholeColumns),
          std::pair(wholeColumns, tileColumns - wholeColumns)})
      if (rows && columns)
        emitOutputMap(band,
                      {band.image, band.images, row, rows, column, columns},
                      products);
}

/// Element i, j of every tile in the box, as images, rows, columns, channels.
Value WinogradLowering::place(Value image, const TileBox &box, int64_t i,
                              int64_t j) {
  inst::StridedLayout layout = inst::layoutOf(image);
  ArrayRef<int64_t> strides = layout.strides;
  int64_t offset = layout.offset + box.image * strides[0] +
                   (tile * box.row + i) * strides[1] +
                   (tile * box.column + j) * strides[2];
  return lowering.view(
      image, {box.images, box.rows, box.columns, shapeOf(image).back()},
      {strides[0], tile * strides[1], tile * strides[2], strides[3]}, offset);
}

/// The rows of one product's matrix that stand for the tiles of `box`.
Value WinogradLowering::part(Value matrices, const TileBox &band,
                             const TileBox &box, int64_t product) {
  int64_t channels = shapeOf(matrices).back();
  int64_t rowStride = band.columns * channels;
  int64_t imageStride = band.rows * rowStride;
  int64_t offset = product * shapeOf(matrices)[1] * channels +
                   (box.row - band.row) * rowStride +
                   (box.column - band.column) * channels;
  return lowering.view(matrices, {box.images, box.rows, box.columns, channels},
                       {imageStride, rowStride, channels, 1}, offset);
}

inst::MapOp WinogradLowering::createMap(ValueRange inputs, ValueRange outputs) {
  auto map = inst::MapOp::create(lowering.builder, loc, inputs, outputs);
  Block &block = map.getBody().emplaceBlock();
  for (Value input : inputs)
    block.addArgument(ScalarBuilder::signless(
                          cast<MemRefType>(input.getType()).getElementType()),
                      loc);
  return map;
}

void WinogradLowering::emitInputMap(const TileBox &band, Value matrices) {
  SmallVector<Value> from, to;
  for (int64_t i = 0; i < winograd.inputs(); ++i)
    for (int64_t j = 0; j < winograd.inputs(); ++j) {
      to.push_back(part(matrices, band, band, from.size()));
      from.push_back(place(input, band, i, j));
    }
  inst::MapOp map = createMap(from, to);
  OpBuilder body = OpBuilder::atBlockEnd(&map.getBody().front());
  YieldOp::create(
      body, loc,
      transform(body, loc, winograd.input, map.getBody().getArguments()));
}

/// Whether the same elements serve every place of an image.
static bool isPerChannel(Value image) {
  inst::StridedLayout layout = inst::layoutOf(image);
  return layout.strides[1] == 0 && layout.strides[2] == 0;
}

/// Bias and epilogue of one result.
Value WinogradLowering::finish(OpBuilder &body, Value sum,
                               ValueRange arguments) {
  if (op.getBias()) {
    sum = arith::AddFOp::create(body, loc, sum, arguments.front());
    arguments = arguments.drop_front();
  }
  if (op.getEpilogue().empty())
    return sum;
  Block &epilogue = op.getEpilogue().front();
  IRMapping mapping;
  mapping.map(epilogue.getArgument(0), sum);
  mapping.map(epilogue.getArguments().drop_front(), arguments);
  for (Operation &scalar : epilogue.without_terminator())
    body.clone(scalar, mapping);
  return mapping.lookup(epilogue.getTerminator()->getOperand(0));
}

void WinogradLowering::emitOutputMap(const TileBox &band, const TileBox &box,
                                     Value products) {
  SmallVector<Value> from, to;
  for (int64_t k = 0; k < winograd.products(); ++k)
    from.push_back(part(products, band, box, k));
  // Results that exist: all of a whole tile.
  int64_t rows = std::min(tile, shapeOf(output)[1] - tile * box.row);
  int64_t columns = std::min(tile, shapeOf(output)[2] - tile * box.column);
  SmallVector<size_t> readBy; // which input each result's extra ones are
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      to.push_back(place(output, box, i, j));
      for (auto [k, value] : llvm::enumerate(extra)) {
        if (to.size() > 1 && isPerChannel(value)) {
          readBy.push_back(readBy[k]);
          continue;
        }
        readBy.push_back(from.size());
        from.push_back(place(value, box, i, j));
      }
    }
  inst::MapOp map = createMap(from, to);
  ValueRange arguments = map.getBody().getArguments();
  OpBuilder body = OpBuilder::atBlockEnd(&map.getBody().front());
  SmallVector<Value> sums = transform(
      body, loc, winograd.output, arguments.take_front(winograd.products()));
  SmallVector<Value> results;
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j) {
      auto reads =
          ArrayRef(readBy).slice(results.size() * extra.size(), extra.size());
      results.push_back(
          finish(body, sums[i * tile + j],
                 llvm::map_to_vector(
                     reads, [&](size_t k) -> Value { return arguments[k]; })));
    }
  YieldOp::create(body, loc, results);
}

LogicalResult glow::lowerWinograd(ConvOp op, InstLowering &lowering) {
  WinogradLowering(op, lowering).run();
  return success();
}
