//===- LowerContractions.cpp - maps, products, convolutions, pooling ------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Lowerings.h"

using namespace mlir;
using namespace mlir::glow;

static SmallVector<int64_t> shapeOf(Value buffer) {
  return SmallVector<int64_t>(cast<MemRefType>(buffer.getType()).getShape());
}

LogicalResult glow::lower(MapOp op, InstLowering &lowering) {
  Value output = lowering.allocate(op.getResult());
  auto map = inst::MapOp::create(lowering.builder, op.getLoc(),
                                 lowering.buffers(op.getInputs()), output);
  IRMapping mapping;
  op.getBody().cloneInto(&map.getBody(), mapping);
  return success();
}

/// A vector operand becomes a matrix with one row (lhs) or column (rhs).
LogicalResult glow::lower(MatMulOp op, InstLowering &lowering) {
  Value lhs = lowering.buffer(op.getLhs()), rhs = lowering.buffer(op.getRhs());
  Value output = lowering.allocate(op.getResult());
  SmallVector<Value> extra = lowering.buffers(op.getEpilogueInputs());
  SmallVector<int64_t> shape = shapeOf(output);
  if (shapeOf(lhs).back() == 0 && op.getEpilogue().empty()) {
    lowering.fill(output, 0.0); // The sum of no products.
    return success();
  }
  if (shapeOf(lhs).size() == 1) {
    lhs = lowering.reshape(lhs, {1, shapeOf(lhs)[0]});
    bool rhsIsMatrix = shapeOf(rhs).size() > 1;
    shape.insert(shape.end() - (rhsIsMatrix ? 1 : 0), 1);
  }
  if (shapeOf(rhs).size() == 1) {
    rhs = lowering.reshape(rhs, {shapeOf(rhs)[0], 1});
    shape.push_back(1);
    for (Value &input : extra) {
      SmallVector<int64_t> column = shapeOf(input);
      // An input of rank 0 broadcasts as it is.
      if (!column.empty())
        column.push_back(1);
      input = lowering.reshape(input, column);
    }
  }
  auto product =
      inst::MatMulOp::create(lowering.builder, op.getLoc(), lhs, rhs, extra,
                             lowering.reshape(output, shape),
                             op.getPackedAttr(), op.getAccumulatorAttr());
  IRMapping mapping;
  op.getEpilogue().cloneInto(&product.getEpilogue(), mapping);
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

LogicalResult glow::lower(ConvOp op, InstLowering &lowering) {
  Value input = lowering.buffer(op.getInput());
  Value filter = lowering.buffer(op.getFilter());
  Value output = lowering.allocate(op.getResult());
  SmallVector<Value> extra = lowering.buffers(op.getEpilogueInputs());
  if (op.getBias()) {
    Value bias = lowering.buffer(op.getBias());
    if (!op.isChannelsLast()) {
      SmallVector<int64_t> shape(op.getSpatialRank() + 1, 1);
      shape[0] = shapeOf(bias)[0];
      bias = lowering.reshape(bias, shape);
    }
    extra.insert(extra.begin(), bias);
  }
  auto conv = inst::ConvOp::create(lowering.builder, op.getLoc(), input, filter,
                                   extra, output, op.getKernelShapeAttr(),
                                   op.getStridesAttr(), op.getPadsAttr(),
                                   op.getDilationsAttr(), op.getGroupAttr(),
                                   op.getLayoutAttr(), op.getPackedAttr());
  IRMapping mapping;
  op.getEpilogue().cloneInto(&conv.getEpilogue(), mapping);
  if (op.getBias())
    addBiasToEpilogue(lowering, conv.getEpilogue(),
                      cast<MemRefType>(output.getType()).getElementType());
  return success();
}

LogicalResult glow::lower(PoolOp op, InstLowering &lowering) {
  Value input = lowering.buffer(op.getInput());
  inst::PoolOp::create(lowering.builder, op.getLoc(), op.getKind(), input,
                       lowering.allocate(op.getResult()), op.getKernelShape(),
                       op.getStrides(), op.getPads(), op.getDilations(),
                       op.getCountIncludePad(),
                       op.getLayout().value_or(LayoutAttr()));
  return success();
}

/// …, K, N to …, panel, K, width: whole panels at once, then the last one.
LogicalResult glow::lower(PackOp op, InstLowering &lowering) {
  Value input = lowering.buffer(op.getInput());
  Value output = lowering.allocate(op.getResult());
  SmallVector<int64_t> shape = shapeOf(output);
  int64_t width = op.getWidth(), columns = shapeOf(input).back();
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
  return success();
}
