//===- ConvToHabana.cpp - convolutions on the matrix engine ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Patterns.h"
#include "Window.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Dialect/Inst/IR/Inst.h"

using namespace mlir;
using namespace mlir::glow::habana;
namespace inst = mlir::glow::inst;

namespace {
struct ConvToMme : OpRewritePattern<inst::ConvOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(inst::ConvOp op,
                                PatternRewriter &rewriter) const override;
};
} // namespace

/// O, C / group, KH, KW of a filter that is not packed.
static Box plainFilter(inst::ConvOp op) {
  Box box(op.getFilter());
  if (op.isChannelsLast()) {
    SmallVector<int64_t> order{box.rank() - 1, box.rank() - 2};
    for (int64_t axis = 0; axis + 2 < box.rank(); ++axis)
      order.push_back(axis);
    box = box.permute(order);
  }
  return box.rank() == 3 ? box.insertAxis(2) : box;
}

/// The same for one panel of a packed filter, whose rows are KH, KW, C.
static Box panelFilter(inst::ConvOp op, int64_t panel, int64_t outputs,
                       int64_t channels) {
  Box box = Box(op.getFilter()).slice(0, panel, 1);
  Window window(op);
  int64_t row = box.strides[1];
  Box result = box;
  result.sizes = {outputs, channels, window.kernel[0], window.kernel[1]};
  result.strides = {box.strides[2], row, window.kernel[1] * channels * row,
                    channels * row};
  return result;
}

namespace {
/// One convolution, or the part of it that makes one panel of outputs.
struct ConvTiler {
  ConvTiler(inst::ConvOp op, OpBuilder &builder)
      : op(op), builder(builder), window(op), group(op.getGroup()) {}

  inst::ConvOp op;
  OpBuilder &builder;
  Window window;
  Box input, filter, output;
  SmallVector<Box> extra;
  int64_t group;

  /// Tiles are of whole groups or lie within one group.
  int64_t groupsOf(int64_t outputs) const {
    return std::max<int64_t>(1, outputs / (output.sizes[1] / group));
  }
  int64_t bytesOf(ArrayRef<int64_t> sizes) const {
    int64_t depth = filter.sizes[1];
    int64_t rows = std::min(window.span(0, sizes[2]), input.sizes[2]);
    int64_t out = sramBytes(sizes[1] * sizes[2] * sizes[3]);
    return sramBytes(groupsOf(sizes[1]) * depth * rows * input.sizes[3]) +
           sramBytes(sizes[1] * depth * window.kernel[0] * window.kernel[1]) +
           out * static_cast<int64_t>(1 + extra.size());
  }
  void compute(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes);
  LogicalResult run();
};
} // namespace

void ConvTiler::compute(ArrayRef<int64_t> offsets, ArrayRef<int64_t> sizes) {
  Tile tile(builder, op.getLoc());
  int64_t perGroup = output.sizes[1] / group, depth = filter.sizes[1];
  int64_t groups = groupsOf(sizes[1]);
  Rows rows(window, offsets[2], sizes[2], input.sizes[2]);
  Box source = input.slice(0, offsets[0], 1)
                   .slice(1, offsets[1] / perGroup * depth, groups * depth)
                   .slice(2, rows.begin, rows.end - rows.begin);
  Value in = tile.value(tile.load(source));
  Value weights = tile.value(tile.load(filter.slice(0, offsets[1], sizes[1])));
  Box destination = output.slice(offsets, sizes);
  Box result = tile.allocate(destination);
  ConvOp::create(builder, op.getLoc(), in, weights, tile.value(result),
                 builder.getDenseI64ArrayAttr(window.stride),
                 builder.getDenseI64ArrayAttr({rows.above, window.pad[1]}),
                 builder.getDenseI64ArrayAttr(window.dilation),
                 builder.getI64IntegerAttr(groups));
  SmallVector<Box> inputs;
  for (const Box &box : extra)
    inputs.push_back(box.slice(offsets, sizes));
  launchEpilogue(tile, op.getEpilogue(), result, inputs);
  tile.store(result, destination);
}

/// Images one by one; then channels are halved, along group boundaries as long
/// as there are several groups, and rows.
LogicalResult ConvTiler::run() {
  int64_t sram = sramOf(op), perGroup = output.sizes[1] / group;
  Dims sizes{1, output.sizes[1], output.sizes[2], output.sizes[3]};
  while (bytesOf(sizes) > sram) {
    int64_t depth = filter.sizes[1] * window.kernel[0] * window.kernel[1];
    bool filterIsLarger = sizes[1] * depth * 4 > sram / 2;
    if (sizes[1] > 1 && (filterIsLarger || sizes[2] == 1)) {
      int64_t groups = sizes[1] / perGroup;
      sizes[1] = groups > 1 ? (groups + 1) / 2 * perGroup : (sizes[1] + 1) / 2;
    } else if (sizes[2] > 1) {
      sizes[2] = (sizes[2] + 1) / 2;
    } else {
      return failure();
    }
  }
  for (int64_t n = 0; n < output.sizes[0]; ++n)
    for (int64_t c = 0; c < output.sizes[1];) {
      // A tile within a group ends with it.
      int64_t left =
          sizes[1] < perGroup ? perGroup - c % perGroup : output.sizes[1] - c;
      int64_t channels = std::min(sizes[1], left);
      for (int64_t h = 0; h < output.sizes[2]; h += sizes[2])
        compute({n, c, h, 0},
                {1, channels, std::min(sizes[2], output.sizes[2] - h),
                 output.sizes[3]});
      c += channels;
    }
  return success();
}

LogicalResult ConvToMme::matchAndRewrite(inst::ConvOp op,
                                         PatternRewriter &rewriter) const {
  if (op.getSpatialRank() > 2)
    return op.emitOpError("the matrix engine takes one or two spatial axes");
  if (!op.getFurther().empty())
    return op.emitOpError("the matrix engine writes one output");
  bool last = op.isChannelsLast();
  ConvTiler whole(op, rewriter);
  whole.input = channelsFirst(Box(op.getInput()), last);
  whole.output = channelsFirst(Box(op.getOutput()), last);
  Dims shape = Box(op.getOutput()).sizes;
  for (Value input : op.getEpilogueInputs())
    whole.extra.push_back(channelsFirst(Box(input).broadcast(shape), last));
  int64_t outputs = whole.output.sizes[1];
  int64_t width = op.getPacked().value_or(outputs);
  for (int64_t first = 0; first < outputs; first += width) {
    int64_t count = std::min(width, outputs - first);
    ConvTiler part = whole;
    part.output = whole.output.slice(1, first, count);
    for (Box &box : part.extra)
      box = box.slice(1, first, count);
    part.filter = op.getPacked() ? panelFilter(op, first / width, count,
                                               whole.input.sizes[1])
                                 : plainFilter(op);
    if (failed(part.run()))
      return op.emitOpError("one row of one channel exceeds the SRAM");
  }
  rewriter.eraseOp(op);
  return success();
}

void glow::habana::populateConvPatterns(RewritePatternSet &patterns) {
  patterns.add<ConvToMme>(patterns.getContext());
}
