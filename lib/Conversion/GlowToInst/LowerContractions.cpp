//===- LowerContractions.cpp - maps, products, convolutions, pooling ------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Glow/IR/TypeInference.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::glow;

static SmallVector<int64_t> shapeOf(Value buffer) {
  return SmallVector<int64_t>(cast<MemRefType>(buffer.getType()).getShape());
}

LogicalResult MapOp::lower(InstLowering &lowering) {
  Value output = lowering.allocate(getResult());
  auto map = inst::MapOp::create(lowering.builder, getLoc(),
                                 lowering.buffers(getInputs()), output);
  IRMapping mapping;
  getBody().cloneInto(&map.getBody(), mapping);
  return success();
}

/// A vector operand becomes a matrix with one row (lhs) or column (rhs).
LogicalResult MatMulOp::lower(InstLowering &lowering) {
  Value lhs = lowering.buffer(getLhs()), rhs = lowering.buffer(getRhs());
  Value output = lowering.allocate(getResult());
  SmallVector<Value> extra = lowering.buffers(getEpilogueInputs());
  SmallVector<int64_t> shape = shapeOf(output);
  if (shapeOf(lhs).back() == 0 && getEpilogue().empty()) {
    lowering.fill(output, 0.0); // The sum of no products.
    return success();
  }
  // Adds an axis of extent 1, so many before the end, to the result and to what
  // reaches beyond it.
  auto addAxis = [&](size_t fromEnd) {
    shape.insert(shape.end() - fromEnd, 1);
    for (Value &input : extra) {
      SmallVector<int64_t> dims = shapeOf(input);
      if (dims.size() <= fromEnd)
        continue;
      dims.insert(dims.end() - fromEnd, 1);
      input = lowering.reshape(input, dims);
    }
  };
  if (shapeOf(lhs).size() == 1) {
    lhs = lowering.reshape(lhs, {1, shapeOf(lhs)[0]});
    addAxis(shapeOf(rhs).size() > 1 ? 1 : 0);
  }
  if (shapeOf(rhs).size() == 1) {
    rhs = lowering.reshape(rhs, {shapeOf(rhs)[0], 1});
    addAxis(0);
  }
  auto product = inst::MatMulOp::create(
      lowering.builder, getLoc(), lhs, rhs, extra, ValueRange(),
      lowering.reshape(output, shape), getPackedAttr(), getAccumulatorAttr(),
      getPiecesAttr(), getFewRowsAttr());
  IRMapping mapping;
  getEpilogue().cloneInto(&product.getEpilogue(), mapping);
  return success();
}

/// Adds the bias before everything else in the epilogue.
static void addBiasToEpilogue(InstLowering &lowering, Region &epilogue,
                              Type element) {
  Type scalar = ScalarBuilder::signless(element);
  OpBuilder &builder = lowering.builder;
  OpBuilder::InsertionGuard guard(builder);
  ScalarBuilder scalars(builder, lowering.loc, element, element);
  if (epilogue.empty()) {
    Block *block = builder.createBlock(&epilogue, {}, {scalar, scalar},
                                       {lowering.loc, lowering.loc});
    YieldOp::create(builder, lowering.loc,
                    scalars.add(block->getArgument(0), block->getArgument(1)));
    return;
  }
  Block &block = epilogue.front();
  Value accumulator = block.getArgument(0);
  Value bias = block.insertArgument(1u, scalar, lowering.loc);
  builder.setInsertionPointToStart(&block);
  Value sum = scalars.add(accumulator, bias);
  accumulator.replaceAllUsesExcept(sum, sum.getDefiningOp());
}

LogicalResult ConvOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  Value filter = lowering.buffer(getFilter());
  Value output = lowering.allocate(getResult());
  SmallVector<Value> extra = lowering.buffers(getEpilogueInputs());
  if (getBias()) {
    Value bias = lowering.buffer(getBias());
    if (!isChannelsLast()) {
      SmallVector<int64_t> shape(getSpatialRank() + 1, 1);
      shape[0] = shapeOf(bias)[0];
      bias = lowering.reshape(bias, shape);
    }
    extra.insert(extra.begin(), bias);
  }
  auto conv = inst::ConvOp::create(
      lowering.builder, getLoc(), input, filter, extra, ValueRange(), output,
      getKernelShapeAttr(), getStridesAttr(), getPadsAttr(), getDilationsAttr(),
      getGroupAttr(), getLayoutAttr(), getPackedAttr(), getWinogradAttr(),
      getPiecesAttr());
  IRMapping mapping;
  getEpilogue().cloneInto(&conv.getEpilogue(), mapping);
  if (getBias())
    addBiasToEpilogue(lowering, conv.getEpilogue(),
                      cast<MemRefType>(output.getType()).getElementType());
  return success();
}

/// The spatial axes along which a maximum is taken one after the other, those
/// that shrink most first. None where the whole window at once costs less.
static SmallVector<unsigned> separateAxes(PoolOp op) {
  ArrayRef<int64_t> kernel = op.getKernelShape(), strides = op.getStrides();
  SmallVector<unsigned> axes;
  for (auto [axis, extent] : llvm::enumerate(kernel))
    if (extent > 1)
      axes.push_back(axis);
  if (op.getKind() != PoolKind::Max || axes.size() < 2)
    return {};
  llvm::sort(axes, [&](unsigned a, unsigned b) {
    return std::pair(-strides[a], a) < std::pair(-strides[b], b);
  });
  // A pass reads and writes its elements besides comparing them.
  constexpr double kPassCost = 4;
  auto elementsOf = [](ArrayRef<int64_t> extents) {
    double product = 1;
    for (int64_t extent : extents)
      product *= extent;
    return product;
  };
  ArrayRef<int64_t> result = dimsOf(op.getResult());
  SmallVector<int64_t> shape(dimsOf(op.getInput()));
  double atOnce = elementsOf(result) * elementsOf(kernel), apart = 0;
  for (unsigned axis : axes) {
    int64_t at = axis + op.getFirstSpatialAxis();
    shape[at] = result[at];
    apart += elementsOf(shape) * (kernel[axis] + kPassCost);
  }
  return apart < atOnce ? axes : SmallVector<unsigned>();
}

/// The maximum along one spatial axis after the other.
static void lowerSeparately(PoolOp op, ArrayRef<unsigned> axes, Value output,
                            InstLowering &lowering) {
  int64_t rank = op.getSpatialRank(), first = op.getFirstSpatialAxis();
  Value current = lowering.buffer(op.getInput());
  Type element = cast<MemRefType>(output.getType()).getElementType();
  SmallVector<int64_t> shape(shapeOf(current));
  for (unsigned axis : axes) {
    shape[first + axis] = shapeOf(output)[first + axis];
    Value next =
        axis == axes.back() ? output : lowering.scratch(shape, element);
    SmallVector<int64_t> kernel(rank, 1), strides(rank, 1), dilations(rank, 1);
    SmallVector<int64_t> pads(2 * rank, 0);
    kernel[axis] = op.getKernelShape()[axis];
    strides[axis] = op.getStrides()[axis];
    dilations[axis] = op.getDilations()[axis];
    for (int64_t end : {int64_t(axis), rank + axis})
      pads[end] = op.getPads()[end];
    inst::PoolOp::create(lowering.builder, op.getLoc(), op.getKind(), current,
                         next, kernel, strides, pads, dilations,
                         op.getCountIncludePad(),
                         op.getLayout().value_or(LayoutAttr()));
    current = next;
  }
}

LogicalResult PoolOp::lower(InstLowering &lowering) {
  Value output = lowering.allocate(getResult());
  if (auto axes = separateAxes(*this); !axes.empty()) {
    lowerSeparately(*this, axes, output, lowering);
    return success();
  }
  inst::PoolOp::create(
      lowering.builder, getLoc(), getKind(), lowering.buffer(getInput()),
      output, getKernelShape(), getStrides(), getPads(), getDilations(),
      getCountIncludePad(), getLayout().value_or(LayoutAttr()));
  return success();
}

/// …, K, N to …, panel, K, width: whole panels at once, then the last one.
static void packInto(Value output, Value input, int64_t width,
                     InstLowering &lowering) {
  SmallVector<int64_t> shape = shapeOf(output);
  int64_t columns = shapeOf(input).back();
  int64_t panels = columns / width, rest = columns % width;
  int64_t lead = static_cast<int64_t>(shape.size()) - 3, last = lead + 2;
  inst::StridedLayout layout = inst::layoutOf(input);
  SmallVector<int64_t> strides(layout.strides);
  strides.insert(strides.end() - 2, width);
  if (panels) {
    shape[lead] = panels;
    lowering.copy(lowering.view(input, shape, strides, layout.offset),
                  lowering.slice(output, lead, 0, panels));
  }
  if (rest) {
    shape[lead] = 1;
    shape[last] = rest;
    Value panel = lowering.slice(output, lead, panels, 1);
    lowering.copy(
        lowering.view(input, shape, strides, layout.offset + panels * width),
        lowering.slice(panel, last, 0, rest));
    lowering.fill(lowering.slice(panel, last, rest, width - rest), 0.0);
  }
}

LogicalResult PackOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  Value output = lowering.allocate(getResult());
  int64_t group = getGroup(), rank = shapeOf(input).size();
  int64_t depth = shapeOf(input)[rank - 2], last = rank;
  if (depth % group)
    lowering.fill(output, 0.0);
  // Every `group`-th row of the matrix, to every `group`-th place.
  for (int64_t i = 0; i < std::min(group, depth); ++i) {
    int64_t rows = (depth - i + group - 1) / group;
    Value places = lowering.slice(output, last, i, getWidth(), group);
    packInto(lowering.slice(places, last - 1, 0, rows),
             lowering.slice(input, rank - 2, i, rows, group), getWidth(),
             lowering);
  }
  return success();
}

LogicalResult NarrowWeightsOp::lower(InstLowering &) {
  return emitOpError(
      "takes constants only, which glow-fold-constants evaluates");
}

LogicalResult Bf16PiecesOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  Value output = lowering.allocate(getResult());
  OpBuilder &builder = lowering.builder;
  int64_t axis = getAxis(), extent = shapeOf(input)[axis];
  int64_t filled = shapeOf(output)[axis] / static_cast<int64_t>(getPieces());
  SmallVector<Value> pieces;
  for (uint64_t i = 0; i < getPieces(); ++i) {
    pieces.push_back(lowering.slice(output, axis, i * filled, extent));
    if (filled > extent)
      lowering.fill(
          lowering.slice(output, axis, i * filled + extent, filled - extent),
          0.0);
  }
  auto map = inst::MapOp::create(builder, getLoc(), input, pieces);
  OpBuilder::InsertionGuard guard(builder);
  Block *block =
      builder.createBlock(&map.getBody(), {}, builder.getF32Type(), getLoc());
  Value rest = block->getArgument(0);
  SmallVector<Value> values;
  for (size_t i = 0; i < pieces.size(); ++i) {
    values.push_back(roundToBfloat16(builder, getLoc(), rest));
    if (i + 1 == pieces.size())
      break;
    Value piece = arith::ExtFOp::create(builder, getLoc(), builder.getF32Type(),
                                        values.back());
    rest = arith::SubFOp::create(builder, getLoc(), rest, piece);
  }
  YieldOp::create(builder, getLoc(), values);
  return success();
}
