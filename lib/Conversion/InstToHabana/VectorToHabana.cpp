//===- VectorToHabana.cpp - maps and reductions on the vector cores -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Patterns.h"
#include "Staging.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace mlir::glow::habana;
namespace inst = mlir::glow::inst;
using glow::ReduceKind;
using glow::YieldOp;

/// Bytes of dense copies of all boxes; repeated elements count once.
static int64_t bytesOf(ArrayRef<Box> boxes, ArrayRef<int64_t> sizes) {
  int64_t bytes = 0;
  for (const Box &box : boxes) {
    int64_t elements = 1;
    for (auto [size, stride] : llvm::zip(sizes, box.strides))
      elements *= stride == 0 ? 1 : size;
    bytes += sramBytes(elements);
  }
  return bytes;
}

namespace {
struct MapToLaunch : OpRewritePattern<inst::MapOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(inst::MapOp op,
                                PatternRewriter &rewriter) const override {
    Dims shape = Box(op.getOutputs().front()).sizes;
    SmallVector<Box> inputs, outputs, all;
    for (Value input : op.getInputs())
      inputs.push_back(Box(input).broadcast(shape));
    for (Value output : op.getOutputs())
      outputs.push_back(Box(output));
    all.append(inputs);
    all.append(outputs);
    auto compute = [&](ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
      Tile tile(rewriter, op.getLoc());
      SmallVector<Value> ins, outs;
      SmallVector<Box> results;
      for (const Box &input : inputs)
        ins.push_back(tile.value(tile.load(input.slice(offsets, sizes))));
      for (const Box &output : outputs) {
        results.push_back(tile.allocate(output.slice(offsets, sizes)));
        outs.push_back(tile.value(results.back()));
      }
      auto launch =
          LaunchOp::create(rewriter, op.getLoc(), ins, outs, CombineAttr());
      IRMapping mapping;
      op.getBody().cloneInto(&launch.getKernel(), mapping);
      for (auto [result, output] : llvm::zip(results, outputs))
        tile.store(result, output.slice(offsets, sizes));
    };
    auto bytes = [&](ArrayRef<int64_t> sizes) { return bytesOf(all, sizes); };
    if (failed(forEachTile(shape, {}, sramOf(op), bytes, compute)))
      return op.emitOpError("one element of each operand exceeds the SRAM");
    rewriter.eraseOp(op);
    return success();
  }
};

struct ReduceToLaunch : OpRewritePattern<inst::ReduceOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(inst::ReduceOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

static Combine combineOf(ReduceKind kind) {
  switch (kind) {
  case ReduceKind::Prod:
    return Combine::Prod;
  case ReduceKind::Max:
    return Combine::Max;
  case ReduceKind::Min:
    return Combine::Min;
  default:
    return Combine::Sum;
  }
}

static double neutralOf(Combine combine) {
  switch (combine) {
  case Combine::Sum:
    return 0;
  case Combine::Prod:
    return 1;
  case Combine::Max:
    return -std::numeric_limits<double>::infinity();
  case Combine::Min:
    return std::numeric_limits<double>::infinity();
  }
  return 0;
}

/// A launch that combines the elements of `input` into `output`, unchanged.
static void launchCombine(OpBuilder &builder, Location loc, Value input,
                          Value output, Combine combine) {
  auto launch =
      LaunchOp::create(builder, loc, input, output,
                       CombineAttr::get(builder.getContext(), combine));
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(&launch.getKernel(), {},
                                     {builder.getF32Type()}, {loc});
  YieldOp::create(builder, loc, block->getArgument(0));
}

LogicalResult ReduceToLaunch::matchAndRewrite(inst::ReduceOp op,
                                              PatternRewriter &rewriter) const {
  if (!op.getBody().empty())
    return op.emitOpError("cannot compute what it combines on a card");
  Box input(op.getInputs().front()), output(op.getOutput());
  Combine combine = combineOf(op.getKind());
  for (int64_t axis : op.getAxes())
    output = output.insertAxis(axis);
  auto compute = [&](ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
    Tile tile(rewriter, op.getLoc());
    Dims once(sizes);
    for (int64_t axis : op.getAxes())
      once[axis] = 1;
    Box destination = output.slice(offsets, once);
    Box result = tile.allocate(destination);
    tile.fill(result, neutralOf(combine));
    Box repeated = result;
    for (int64_t axis : op.getAxes()) {
      repeated.sizes[axis] = sizes[axis];
      repeated.strides[axis] = 0;
    }
    Value in = tile.value(tile.load(input.slice(offsets, sizes)));
    launchCombine(rewriter, op.getLoc(), in, tile.value(repeated), combine);
    tile.store(result, destination);
  };
  auto bytes = [&](ArrayRef<int64_t> sizes) {
    return bytesOf({input, output}, sizes);
  };
  if (failed(
          forEachTile(input.sizes, op.getAxes(), sramOf(op), bytes, compute)))
    return op.emitOpError("the elements of one result exceed the SRAM");
  rewriter.eraseOp(op);
  return success();
}

void glow::habana::populateVectorPatterns(RewritePatternSet &patterns) {
  patterns.add<MapToLaunch, ReduceToLaunch>(patterns.getContext());
}
