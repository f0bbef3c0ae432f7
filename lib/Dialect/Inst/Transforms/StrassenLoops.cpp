//===- StrassenLoops.cpp - loops over blocks of seven products ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each point makes seven products of a block of rows and columns and adds them
// up to four parts of the result.
//
//===----------------------------------------------------------------------===//
#include "MapBuilder.h"
#include "StrassenProduct.h"
#include "glow/Dialect/Glow/Transforms/Epilogues.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include <cstring>

using namespace mlir;
using namespace mlir::glow::inst;
using llvm::divideCeil;
using mlir::glow::Tensor;

Value StrassenProduct::constant(const Tensor &value) {
  return ConstantOp::create(
      builder, loc, MemRefType::get(value.getShape(), value.getElementType()),
      value.toAttribute());
}

Value StrassenProduct::viewOf(OpBuilder &builder, Value buffer,
                              ArrayRef<int64_t> shape,
                              ArrayRef<int64_t> strides, int64_t offset) {
  return viewOrRoot(builder, loc, buffer,
                    viewType(typeOf(buffer), shape, strides, offset));
}

/// Where a row begins.
static int64_t placeOf(MemRefType type, int64_t row) {
  auto [strides, place] = type.getStridesAndOffset();
  for (int64_t axis = type.getRank() - 2; axis > 0; --axis) {
    place += row % type.getDimSize(axis) * strides[axis];
    row /= type.getDimSize(axis);
  }
  return place + row * strides[0];
}

/// The axes of some rows, line by line if they lie so, and of columns.
SmallVector<int64_t> StrassenProduct::shapeOf(int64_t rows,
                                              ArrayRef<int64_t> columns) const {
  SmallVector<int64_t> shape{rows};
  if (line > 1)
    shape = {rows / line, line};
  llvm::append_range(shape, columns);
  return shape;
}

/// The same of rows that all are at one distance.
SmallVector<int64_t>
StrassenProduct::stridesOf(int64_t row, ArrayRef<int64_t> columns) const {
  SmallVector<int64_t> strides{row};
  if (line > 1)
    strides = {line * row, row};
  llvm::append_range(strides, columns);
  return strides;
}

/// Both halves of the columns, of a half of the rows of each block. The middle
/// row is stored as one of the lower half, the last one of an odd number of
/// open rows as one of the upper half.
LoopOperand StrassenProduct::matrix(Value buffer, MemRefType type,
                                    const Blocks &rows, bool lower) {
  auto strides = type.getStridesAndOffset().first;
  int64_t size = rows.size - (lower == open.has_value() ? middle(rows) : 0);
  int64_t columns = panels.size * packed, rank = type.getRank();
  SmallVector<int64_t> walk =
      stridesOf(rowStep() * strides[rank - 2], {halfColumns(), 1});
  if (line > 1 && rank > 2)
    walk.front() = strides[rank - 3];
  int64_t apart = 2 * rows.size / (line * rowStep()) * walk.front();
  MemRefType window = viewType(type, shapeOf(size, {2, columns}), walk, 0);
  SmallVector<int64_t> all = shapeOf(size, {2, halfColumns()});
  if (open) {
    all.insert(all.begin(), images);
    walk.insert(walk.begin(), imageStep(type));
  }
  all.insert(all.begin(), rows.count);
  walk.insert(walk.begin(), apart);
  return {
      viewOf(builder, buffer, all, walk, placeOf(type, firstRow(rows, lower))),
      window, steps(apart, imageStep(type), columns)};
}

/// Both halves of a vector with an element for each column, or for all.
LoopOperand StrassenProduct::columns(Value buffer, MemRefType type) {
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t stride = type.getDimSize(0) == 1 ? 0 : strides[0];
  int64_t columns = panels.size * packed;
  SmallVector<int64_t> walk{halfColumns() * stride, stride};
  return {viewOf(builder, buffer, {2, halfColumns()}, walk, offset),
          viewType(type, {2, columns}, walk, 0), steps(0, 0, columns * stride)};
}

/// Seven products of a block's rows and columns, part by part of the depth.
Value StrassenProduct::emitPoint(OpBuilder &body, Block &block, int64_t rows,
                                 AffineExpr most) {
  Value sums = block.getArgument(0), filter = block.getArgument(1);
  int64_t columns = panels.size * packed;
  int64_t product = spread(rows * columns);
  Value products = AllocOp::create(
      body, loc, MemRefType::get({kProducts, product}, body.getF32Type()),
      IntegerAttr());
  products = viewOf(body, products, {kProducts, rows, columns},
                    {product, columns, 1}, 0);
  StridedLayout from = layoutOf(sums), to = layoutOf(filter);
  for (int64_t start = 0; start < halfDepth; start += partDepth) {
    int64_t length = std::min(partDepth, halfDepth - start);
    Value a =
        viewOf(body, sums, {kProducts, rows, length}, from.strides, start);
    Value b = viewOf(body, filter, {kProducts, panels.size, length, packed},
                     to.strides, start * packed);
    auto part = MatMulOp::create(body, loc, a, b, ValueRange(), ValueRange(),
                                 products, body.getI64IntegerAttr(packed),
                                 TypeAttr(), IntegerAttr(), IntegerAttr());
    limit(part, {number(kProducts), most, number(columns)});
    if (start > 0)
      glow::addToSums(part, part.getEpilogue(), part.getEpilogueInputsMutable(),
                      products);
  }
  return products;
}

/// Adds up the products to these quarters of the result, with the epilogue.
void StrassenProduct::emitResults(OpBuilder &body, Block &block, Value products,
                                  const Blocks &rows, ArrayRef<size_t> quarters,
                                  AffineExpr most) {
  int64_t columns = panels.size * packed;
  SmallVector<int64_t> shape = shapeOf(rows.size, columns);
  SmallVector<Value> reads, writes;
  int64_t product = layoutOf(products).strides.front();
  for (size_t i = 0; i < kProducts; ++i)
    reads.push_back(viewOf(body, products, shape, stridesOf(columns, 1),
                           i * product + rows.first * columns));
  auto read = [&](Value buffer, ArrayRef<int64_t> strides, int64_t offset) {
    reads.push_back(viewOf(body, buffer, shape, strides, offset));
    return reads.size() - 1;
  };
  auto ofColumns = [&](Value window, size_t quarter) {
    SmallVector<int64_t> strides = layoutOf(window).strides;
    return read(window, stridesOf(0, strides[1]),
                isRight(quarter) ? strides[0] : 0);
  };
  auto ofMatrix = [&](Value window, size_t quarter) {
    SmallVector<int64_t> strides = layoutOf(window).strides;
    int64_t toRight = *(strides.end() - 2);
    strides.erase(strides.end() - 2);
    return viewOf(body, window, shape, strides,
                  rows.first * strides[0] + (isRight(quarter) ? toRight : 0));
  };
  auto windows = block.getArguments();
  // For each quarter the places of its scales and of the epilogue's inputs.
  SmallVector<SmallVector<size_t>> places;
  for (size_t quarter : quarters) {
    SmallVector<size_t> own{
        ofColumns(windows[2], quarter),
        read(windows[3 + isLower(quarter)], stridesOf(1, 0), rows.first)};
    size_t next = 5;
    Value target = windows.take_back(2)[isLower(quarter)];
    for (auto [input, type] : llvm::zip(inputs, inputTypes)) {
      if (type.getRank() == 1) {
        own.push_back(ofColumns(windows[next++], quarter));
        continue;
      }
      // What is updated in place is the output's window.
      Value window = target;
      if (!areSame(input, output)) {
        window = windows[next + isLower(quarter)];
        next += 2;
      }
      reads.push_back(ofMatrix(window, quarter));
      own.push_back(reads.size() - 1);
    }
    places.push_back(own);
    writes.push_back(ofMatrix(target, quarter));
  }
  auto sum = createMap(
      body, loc, reads, writes, [&](OpBuilder &map, ValueRange values) {
        SmallVector<Value> results;
        for (auto [quarter, own] : llvm::zip(quarters, places)) {
          Value sum = signedSum(map, loc, kResultSums[quarter],
                                values.take_front(kProducts));
          for (size_t scale : ArrayRef(own).take_front(2))
            sum = arith::MulFOp::create(map, loc, sum, values[scale]);
          auto arguments = llvm::map_to_vector(
              ArrayRef(own).drop_front(2),
              [&](size_t place) -> Value { return values[place]; });
          sum = finishSum(map, *epilogue, sum, arguments);
          results.push_back(sum);
        }
        return results;
      });
  limit(sum, {most, number(columns)});
}

/// A loop over blocks of rows and columns. Of the middle row, which is the last
/// one of the upper half, only the lower half's results are stored.
void StrassenProduct::emitProducts(const Blocks &rows) {
  int64_t panel = halfDepth * packed, sum = panels.total() * panel;
  int64_t allRows = (images - 1) * sumRows + rows.total();
  SmallVector<int64_t> panelWalk{sum, panel, packed, 1};
  SmallVector<LoopOperand> operands{
      {viewOf(builder, leftSums, {kProducts, allRows, halfDepth}, sumStrides,
              0),
       viewType(typeOf(leftSums), {kProducts, rows.size, halfDepth}, sumStrides,
                0),
       steps(rows.size * sumStrides[1], sumRows * sumStrides[1], 0)},
      {weights.matrices,
       viewType(typeOf(weights.matrices),
                {kProducts, panels.size, halfDepth, packed}, panelWalk, 0),
       steps(0, 0, panels.size * panel)},
      columns(weights.columnScales, typeOf(weights.columnScales))};
  for (Value scales : rowScales)
    operands.push_back({viewOf(builder, scales, allRows, 1, 0),
                        viewType(typeOf(scales), rows.size, 1, 0),
                        steps(rows.size, sumRows, 0)});
  for (auto [input, type] : llvm::zip(inputs, inputTypes)) {
    if (type.getRank() == 1) {
      operands.push_back(columns(input, type));
    } else if (!areSame(input, output)) {
      operands.push_back(matrix(input, type, rows, false));
      operands.push_back(matrix(input, type, rows, true));
    }
  }
  for (bool lower : {false, true})
    operands.push_back(matrix(output, result, rows, lower));
  AffineExpr blocks = number(rows.count), images = number(this->images);
  if (open) {
    blocks = rowsFrom(rows.first).ceilDiv(2 * rows.size) + isMany();
    images = open->images;
  }
  auto [block, point] = createLoop({{rows.count, blocks},
                                    {panels.count, number(panels.count)},
                                    {this->images, images}},
                                   0, operands, 2);
  OpBuilder body = OpBuilder::atBlockEnd(&block);
  if (open) {
    AffineExpr left = rowsFrom(rows.first) - point * (2 * rows.size);
    Value products = emitPoint(body, block, rows.size, left.ceilDiv(2));
    emitResults(body, block, products, {0, 1, rows.size}, {0, 1},
                left.ceilDiv(2));
    emitResults(body, block, products, {0, 1, rows.size - middle(rows)}, {2, 3},
                left.floorDiv(2));
    return;
  }
  Value products = emitPoint(body, block, rows.size, number(rows.size));
  int64_t both = rows.size - middle(rows);
  emitResults(body, block, products, {0, 1, both}, {0, 1, 2, 3}, number(both));
  if (middle(rows))
    emitResults(body, block, products, {both, 1, 1}, {2, 3}, number(1));
}

/// Columns that are in no block stay a product.
void StrassenProduct::emitRest() {
  int64_t first = 2 * halfColumns(), rest = width - first;
  if (rest == 0)
    return;
  // A view would keep all panels.
  const Tensor &all = weights.packed;
  int64_t skipped = 2 * panels.total(), left = all.getDim(0) - skipped;
  int64_t bytes = depth * packed * sizeof(float);
  FailureOr<Tensor> own =
      Tensor::allocate(loc, all.getElementType(), {left, depth, packed});
  assert(succeeded(own) && "a part of what there is");
  std::memcpy(own->mutableBytes(), all.bytes() + skipped * bytes, left * bytes);
  SmallVector<Value> operands{lhsBuffer, constant(*own)};
  for (Value buffer : op->getOperands().drop_front(operands.size())) {
    int64_t last = typeOf(buffer).getRank() - 1;
    if (typeOf(buffer).getDimSize(last) == width)
      buffer = sliceView(builder, loc, buffer, last, first, rest);
    operands.push_back(buffer);
  }
  Operation *product = builder.clone(*op);
  product->setOperands(operands);
  if (AffineMap limits = limitsOf(op)) {
    auto extents = llvm::to_vector(limits.getResults());
    extents.back() = number(rest);
    limit(product, extents);
  }
}

void StrassenProduct::expand(const StrassenConstants &made) {
  weights = made;
  auto allocate = [&](ArrayRef<int64_t> shape) -> Value {
    return AllocOp::create(builder, loc,
                           MemRefType::get(shape, builder.getF32Type()),
                           IntegerAttr());
  };
  sumRows = 0;
  for (const Blocks &rows : blocks)
    sumRows = std::max(sumRows, rows.total());
  int64_t row = spread(halfDepth);
  sumStrides = {spread(images * sumRows * row), row, 1};
  leftSums = allocate({kProducts, sumStrides.front()});
  for (Value &scales : rowScales)
    scales = allocate(images * sumRows);
  for (const Blocks &rows : blocks) {
    emitLeftSums(rows);
    emitProducts(rows);
  }
  emitFew();
  emitRest();
  op->erase();
}
