//===- PoolToHabana.cpp - pooling as a reduction over windows -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Patterns.h"
#include "Window.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::glow::habana;
namespace inst = mlir::glow::inst;
using glow::PoolKind;
using glow::YieldOp;

namespace {
struct PoolToLaunch : OpRewritePattern<inst::PoolOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(inst::PoolOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// out = kind over the index space C, OH, OW, KH, KW of a padded input.
static void launchPool(Tile &tile, PoolKind kind, const Window &window,
                       const Box &padded, const Box &result) {
  Box windows = padded.dropAxis(0), out = result.dropAxis(0);
  windows.sizes = {result.sizes[1], result.sizes[2], result.sizes[3],
                   window.kernel[0], window.kernel[1]};
  int64_t row = padded.strides[2], column = padded.strides[3];
  windows.strides = {padded.strides[1], row * window.stride[0],
                     column * window.stride[1], row * window.dilation[0],
                     column * window.dilation[1]};
  out.sizes = windows.sizes;
  out.strides.append({0, 0});
  Combine combine = kind == PoolKind::Max ? Combine::Max : Combine::Sum;
  auto launch = LaunchOp::create(
      tile.builder, tile.loc, tile.value(windows), tile.value(out),
      CombineAttr::get(tile.builder.getContext(), combine));
  OpBuilder::InsertionGuard guard(tile.builder);
  Block *block = tile.builder.createBlock(
      &launch.getKernel(), {}, {tile.builder.getF32Type()}, {tile.loc});
  YieldOp::create(tile.builder, tile.loc, block->getArgument(0));
}

/// How many elements each window of one axis counts for a mean.
static SmallVector<float> countsOf(inst::PoolOp op, const Window &window,
                                   int axis, int64_t extent, int64_t windows) {
  int64_t rank = op.getSpatialRank();
  int64_t after = axis >= 2 - rank ? op.getPads()[rank + axis - (2 - rank)] : 0;
  bool all = op.getCountIncludePad();
  int64_t low = all ? -window.pad[axis] : 0;
  int64_t high = all ? extent + after : extent;
  SmallVector<float> counts;
  for (int64_t i = 0; i < windows; ++i) {
    int64_t count = 0;
    for (int64_t k = 0; k < window.kernel[axis]; ++k) {
      int64_t at = i * window.stride[axis] - window.pad[axis] +
                   k * window.dilation[axis];
      count += at >= low && at < high;
    }
    counts.push_back(count);
  }
  return counts;
}

/// The divisors of a mean, as a constant of the output's H and W.
static Box divisors(inst::PoolOp op, OpBuilder &builder, const Window &window,
                    const Box &input, const Box &output) {
  SmallVector<float> rows =
      countsOf(op, window, 0, input.sizes[2], output.sizes[2]);
  SmallVector<float> columns =
      countsOf(op, window, 1, input.sizes[3], output.sizes[3]);
  SmallVector<float> values;
  for (float row : rows)
    for (float column : columns)
      values.push_back(row * column);
  Dims shape{output.sizes[2], output.sizes[3]};
  auto type = RankedTensorType::get(shape, builder.getF32Type());
  auto ddr = MemAttr::get(builder.getContext(), Memory::DDR);
  auto alloc =
      AllocOp::create(builder, op.getLoc(),
                      MemRefType::get(shape, builder.getF32Type(),
                                      MemRefLayoutAttrInterface(), ddr),
                      Section::Constants, nullptr, nullptr, nullptr,
                      DenseElementsAttr::get(type, ArrayRef<float>(values)));
  return Box(alloc).broadcast(output.sizes);
}

static void launchDivide(Tile &tile, const Box &result, const Box &divisor) {
  Value out = tile.value(result);
  Value counts = tile.value(tile.load(divisor));
  auto launch = LaunchOp::create(tile.builder, tile.loc,
                                 ValueRange{out, counts}, out, CombineAttr());
  OpBuilder::InsertionGuard guard(tile.builder);
  Type f32 = tile.builder.getF32Type();
  Block *block = tile.builder.createBlock(&launch.getKernel(), {}, {f32, f32},
                                          {tile.loc, tile.loc});
  Value quotient = arith::DivFOp::create(
      tile.builder, tile.loc, block->getArgument(0), block->getArgument(1));
  YieldOp::create(tile.builder, tile.loc, quotient);
}

namespace {
/// One pooling instruction, cut into tiles.
struct PoolTiler {
  PoolTiler(inst::PoolOp op, OpBuilder &builder)
      : op(op), builder(builder), window(op),
        input(channelsFirst(Box(op.getInput()), op.isChannelsLast())),
        output(channelsFirst(Box(op.getOutput()), op.isChannelsLast())),
        isMean(op.getKind() == PoolKind::Average),
        edge(isMean ? 0 : -std::numeric_limits<double>::infinity()),
        width(window.span(1, output.sizes[3])) {
    if (isMean)
      counts = divisors(op, builder, window, input, output);
  }

  int64_t bytesOf(ArrayRef<int64_t> sizes) const {
    int64_t out = sramBytes(sizes[1] * sizes[2] * sizes[3]);
    int64_t in = sramBytes(sizes[1] * window.span(0, sizes[2]) * width);
    return sizes[0] * (in + 2 * out);
  }
  Box loadPadded(Tile &tile, int64_t image, ArrayRef<int64_t> offsets,
                 ArrayRef<int64_t> sizes);
  void compute(int64_t image, ArrayRef<int64_t> offsets,
               ArrayRef<int64_t> sizes);

  inst::PoolOp op;
  OpBuilder &builder;
  Window window;
  Box input, output, counts;
  bool isMean;
  double edge;
  int64_t width; // of the padded input
};
} // namespace

/// The input rows of a tile, with the edge's value around them.
Box PoolTiler::loadPadded(Tile &tile, int64_t image, ArrayRef<int64_t> offsets,
                          ArrayRef<int64_t> sizes) {
  Rows rows(window, offsets[2], sizes[2], input.sizes[2]);
  int64_t columns =
      std::clamp<int64_t>(width - window.pad[1], 0, input.sizes[3]);
  Box source = input.slice(0, image, 1)
                   .slice(1, offsets[1], sizes[1])
                   .slice(2, rows.begin, rows.end - rows.begin)
                   .slice(3, 0, columns);
  Box shape = source;
  shape.sizes[2] = window.span(0, sizes[2]);
  shape.sizes[3] = width;
  Box padded = tile.allocate(shape);
  if (padded.numElements() != source.numElements())
    tile.fill(padded, edge);
  tile.store(source, padded.slice(2, rows.above, source.sizes[2])
                         .slice(3, window.pad[1], columns));
  return padded;
}

void PoolTiler::compute(int64_t image, ArrayRef<int64_t> offsets,
                        ArrayRef<int64_t> sizes) {
  Tile tile(builder, op.getLoc());
  Box padded = loadPadded(tile, image, offsets, sizes);
  Box destination = output.slice(0, image, 1)
                        .slice(1, offsets[1], sizes[1])
                        .slice(2, offsets[2], sizes[2]);
  Box result = tile.allocate(destination);
  tile.fill(result, edge);
  launchPool(tile, op.getKind(), window, padded, result);
  if (isMean)
    launchDivide(tile, result,
                 counts.slice(0, 0, 1)
                     .slice(1, 0, sizes[1])
                     .slice(2, offsets[2], sizes[2]));
  tile.store(result, destination);
}

LogicalResult PoolToLaunch::matchAndRewrite(inst::PoolOp op,
                                            PatternRewriter &rewriter) const {
  if (op.getSpatialRank() > 2)
    return op.emitOpError("the vector cores pool one or two spatial axes");
  PoolTiler tiler(op, rewriter);
  auto bytes = [&](ArrayRef<int64_t> sizes) { return tiler.bytesOf(sizes); };
  auto compute = [&](ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
    for (int64_t n = 0; n < sizes[0]; ++n)
      tiler.compute(offsets[0] + n, offsets, sizes);
  };
  if (failed(forEachTile(tiler.output.sizes, {3}, sramOf(op), bytes, compute)))
    return op.emitOpError("the windows of one output row exceed the SRAM");
  rewriter.eraseOp(op);
  return success();
}

void glow::habana::populatePoolPatterns(RewritePatternSet &patterns) {
  patterns.add<PoolToLaunch>(patterns.getContext());
}
