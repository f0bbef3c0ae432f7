//===- ExpandWinograd.cpp - convolutions as transformed products ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts a convolution into bands of tiles and makes loops of them: over rows of
// tiles where these, or those of all groups of the convolution, are enough for
// several threads, else over channels. Of a number of images that is known at
// run time there may be one.
//
//===----------------------------------------------------------------------===//
#include "LoopOperand.h"
#include "LoopPoints.h"
#include "WinogradBand.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_EXPANDWINOGRAD
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow::inst;
using glow::WinogradTile;

namespace {
/// Bands of equal size: `groups` of `images` images, and of each image `count`
/// bands of `height` rows of results from `row` on.
struct Bands {
  int64_t image, groups, images, row, count, height;
};

/// Cuts one convolution into bands.
class Expansion {
public:
  /// One of `siblings` that can run at once.
  Expansion(ConvOp op, int64_t siblings)
      : op(op), builder(op), tile(*glow::winogradTileOf(op)),
        siblings(siblings) {}

  LogicalResult run();

private:
  void emit(const Bands &bands);
  void emitRows(const Bands &bands, int64_t parts);
  void emitBand(const Bands &band);
  void emitColumns(Value matrices, const WinogradBuffers &band, int64_t panels);
  int64_t wholePanels();
  int64_t panelsPerPoint();
  int64_t partsOfColumns(const Bands &bands);
  LoopOperand rowsOf(Value buffer, const Bands &bands, int64_t parts,
                     bool isInput);
  Value window(Value buffer, const Bands &bands, bool isInput);

  ConvOp op;
  OpBuilder builder;
  WinogradTile tile;
  int64_t siblings;
  WinogradBuffers buffers;
};
} // namespace

/// Axes of stride 0 up to the shape, as in NumPy's broadcasting.
static Value broadcast(OpBuilder &builder, Value value,
                       ArrayRef<int64_t> shape) {
  StridedLayout layout = layoutOf(value);
  size_t missing = shape.size() - layout.strides.size();
  SmallVector<int64_t> strides(missing, 0);
  for (auto [extent, stride] : llvm::zip(shapeOf(value), layout.strides))
    strides.push_back(extent == 1 ? 0 : stride);
  MemRefType type = viewType(typeOf(value), shape, strides, layout.offset);
  return ViewOp::create(builder, value.getLoc(), type, rootBuffer(value));
}

/// Images times rows that all the bands read or write.
Value Expansion::window(Value buffer, const Bands &bands, bool isInput) {
  StridedLayout layout = layoutOf(buffer);
  ArrayRef<int64_t> strides = layout.strides;
  SmallVector<int64_t> shape(shapeOf(buffer));
  shape[0] = bands.images * bands.groups;
  shape[1] = bands.height * bands.count;
  if (isInput) // Neighbours share rows.
    shape[1] += tile.rows.inputsOf(bands.height) - bands.height;
  int64_t offset =
      layout.offset + bands.image * strides[0] + bands.row * strides[1];
  return ViewOp::create(builder, op.getLoc(),
                        viewType(typeOf(buffer), shape, strides, offset),
                        rootBuffer(buffer));
}

/// A window of the bands' rows, and of the columns of a loop's `parts`.
LoopOperand Expansion::rowsOf(Value buffer, const Bands &bands, int64_t parts,
                              bool isInput) {
  Value whole = window(buffer, bands, isInput);
  SmallVector<int64_t> strides = layoutOf(buffer).strides;
  SmallVector<int64_t> shape(shapeOf(whole));
  shape[0] = bands.images;
  shape[1] -= (bands.count - 1) * bands.height;
  SmallVector<int64_t> steps{bands.images * strides[0],
                             bands.height * strides[1]};
  if (parts > 1) {
    if (!isInput)
      shape[3] /= parts;
    steps.push_back(isInput ? 0 : shape[3] * strides[3]);
  }
  return {whole, viewType(typeOf(whole), shape, strides, 0),
          builder.getDenseI64ArrayAttr(steps)};
}

/// All the bands in one loop, with each of `parts` of their columns.
void Expansion::emitRows(const Bands &bands, int64_t parts) {
  SmallVector<int64_t> extents{bands.groups, bands.count}, steps{0, 0};
  StridedLayout filter = layoutOf(buffers.filter);
  SmallVector<int64_t> shape(shapeOf(buffers.filter));
  if (parts > 1) {
    extents.push_back(parts);
    shape[1] /= parts;
    steps.push_back(shape[1] * filter.strides[1]);
  }
  SmallVector<LoopOperand> operands{
      rowsOf(buffers.input, bands, parts, true),
      {buffers.filter,
       viewType(typeOf(buffers.filter), shape, filter.strides, 0),
       builder.getDenseI64ArrayAttr(steps)}};
  for (Value value : buffers.extra)
    operands.push_back(rowsOf(value, bands, parts, false));
  operands.push_back(rowsOf(buffers.output, bands, parts, false));
  Block &body = createForall(builder, op.getLoc(), extents, operands);
  WinogradBuffers band{body.getArgument(0),
                       body.getArgument(1),
                       body.getArguments().back(),
                       {},
                       buffers.hasOpenColumns};
  llvm::append_range(band.extra, body.getArguments().drop_front(2).drop_back());
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToEnd(&body);
  WinogradBand emitter(op, builder, band);
  Value matrices = emitter.emitInput();
  // All products of one image, of which each matrix is large, would not stay in
  // the core's cache together with what they are made of. Limits of rows and
  // columns do not reach into a loop within a loop.
  auto function = op->getParentOfType<func::FuncOp>();
  if (parts > 1 && shape[1] > 1 && !glow::hasOpenExtents(function))
    emitColumns(matrices, band, /*panels=*/1);
  else
    emitter.emitProducts(matrices);
}

/// Two where one image would be one point: each transforms the whole input,
/// which takes little, for its part of the columns.
int64_t Expansion::partsOfColumns(const Bands &bands) {
  constexpr int64_t kParts = 2;
  int64_t groups = leastExtent(op, bands.groups);
  bool isOnePoint = groups * bands.count * siblings == 1;
  int64_t panels = wholePanels();
  return isOnePoint && panels && panels % kParts == 0 ? kParts : 1;
}

/// The filter's panels, if columns fill all of them; else 0.
int64_t Expansion::wholePanels() {
  int64_t width = op.getPacked().value_or(0);
  if (width == 0 || shapeOf(buffers.output).back() % width != 0)
    return 0;
  return shapeOf(buffers.filter)[1];
}

/// Of the filter's panels, so that there are enough points; 0 if there cannot
/// be.
int64_t Expansion::panelsPerPoint() {
  int64_t panels = wholePanels();
  for (int64_t each = panels / kLeastPoints; each > 0; --each)
    if (panels % each == 0 && panels / each >= 2 * kLeastPoints)
      return each;
  return panels >= kLeastPoints ? 1 : 0;
}

/// A loop over the channels of the results.
void Expansion::emitColumns(Value matrices, const WinogradBuffers &band,
                            int64_t panels) {
  int64_t channels = panels * static_cast<int64_t>(*op.getPacked());
  auto part = [&](Value buffer, int64_t axis, int64_t extent) -> LoopOperand {
    StridedLayout layout = layoutOf(buffer);
    SmallVector<int64_t> shape(shapeOf(buffer));
    shape[axis] = extent;
    return {buffer, viewType(typeOf(buffer), shape, layout.strides, 0),
            builder.getDenseI64ArrayAttr(extent * layout.strides[axis])};
  };
  SmallVector<LoopOperand> operands{{matrices, withoutOffset(typeOf(matrices)),
                                     builder.getDenseI64ArrayAttr(0)},
                                    part(band.filter, 1, panels)};
  for (Value value : band.extra)
    operands.push_back(part(value, 3, channels));
  operands.push_back(part(band.output, 3, channels));
  Block &body = createForall(builder, op.getLoc(),
                             shapeOf(band.output).back() / channels, operands);
  WinogradBuffers columns{band.input,
                          body.getArgument(1),
                          body.getArguments().back(),
                          {},
                          band.hasOpenColumns};
  llvm::append_range(columns.extra,
                     body.getArguments().drop_front(2).drop_back());
  OpBuilder inner = OpBuilder::atBlockEnd(&body);
  WinogradBand(op, inner, columns).emitProducts(body.getArgument(0));
}

/// One band, in steps that are parallel in themselves.
void Expansion::emitBand(const Bands &one) {
  WinogradBuffers band{window(buffers.input, one, true),
                       buffers.filter,
                       window(buffers.output, one, false),
                       {},
                       buffers.hasOpenColumns};
  for (Value value : buffers.extra)
    band.extra.push_back(window(value, one, false));
  WinogradBand emitter(op, builder, band);
  Value matrices = emitter.emitInput();
  if (int64_t panels = panelsPerPoint())
    emitColumns(matrices, band, panels);
  else
    emitter.emitProducts(matrices);
}

void Expansion::emit(const Bands &bands) {
  if (bands.groups * bands.count * bands.height * bands.images == 0)
    return;
  // A loop can stop before images that are not there.
  bool isFixed = leastExtent(op, bands.groups) == bands.groups;
  if (!isFixed || bands.groups * bands.count * siblings >= kLeastPoints)
    return emitRows(bands, partsOfColumns(bands));
  for (int64_t group = 0; group < bands.groups; ++group)
    for (int64_t i = 0; i < bands.count; ++i)
      emitBand({bands.image + group * bands.images, 1, bands.images,
                bands.row + i * bands.height, 1, bands.height});
}

LogicalResult Expansion::run() {
  if (typeOf(op.getOutput()).getNumElements() == 0) {
    op.erase();
    return success();
  }
  buffers = {op.getInput(),
             op.getFilter(),
             op.getOutput(),
             {},
             glow::hasOpenWidth(op->getParentOfType<func::FuncOp>())};
  ArrayRef<int64_t> in = shapeOf(buffers.input), out = shapeOf(buffers.output);
  for (int64_t axis : {1, 2})
    if (in[axis] < tile.along(axis - 1).inputsOf(out[axis]))
      return op.emitOpError("input ")
             << buffers.input.getType()
             << " does not hold whole tiles; run glow-inst-pad-convs first";
  for (Value value : op.getEpilogueInputs())
    buffers.extra.push_back(broadcast(builder, value, out));
  int64_t images = out[0], height = out[1];
  int64_t tileRows = tile.rows.tilesOf(height);
  int64_t atOnce = op.getWinograd()->getRows();
  if (atOnce >= tileRows) { // Several whole images.
    int64_t step = std::min(atOnce / tileRows, images);
    // Images that are not there are computed with those that are. Few may be.
    if (int64_t least = leastExtent(op, images); least < images)
      for (step = std::min(step, 1 + least / 8); images % step != 0;)
        --step;
    int64_t groups = images / step;
    emit({0, groups, step, 0, 1, height});
    emit({groups * step, 1, images - groups * step, 0, 1, height});
  } else {
    int64_t rows = atOnce * tile.rows.outputs(), count = height / rows;
    emit({0, images, 1, 0, count, rows});
    emit({0, images, 1, count * rows, 1, height - count * rows});
  }
  op.erase();
  return success();
}

namespace {
struct ExpandWinograd
    : public mlir::glow::inst::impl::ExpandWinogradBase<ExpandWinograd> {
  void runOnOperation() override {
    SmallVector<ConvOp> convs;
    // The groups of a convolution read and write parts of two buffers. Those
    // that read and write one, as dense blocks do, depend on each other.
    auto rootsOf = [](ConvOp conv) {
      return std::pair(rootBuffer(conv.getInput()),
                       rootBuffer(conv.getOutput()));
    };
    DenseMap<std::pair<Value, Value>, int64_t> readers;
    getOperation().walk([&](ConvOp conv) {
      if (!conv.getWinograd())
        return;
      convs.push_back(conv);
      ++readers[rootsOf(conv)];
    });
    for (ConvOp conv : convs) {
      auto roots = rootsOf(conv);
      int64_t siblings = roots.first == roots.second ? 1 : readers[roots];
      if (failed(Expansion(conv, siblings).run()))
        signalPassFailure();
    }
  }
};
} // namespace
