//===- SplitTaps.cpp - deep windows as loops over lines of taps -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A panel of a deep filter passes through the second-level cache between two
// uses of a line, so the lines that a block of results reads are brought from
// behind it for each panel. Lines of one row of taps at a time are fewer, and
// so is that row's part of a panel.
//
//===----------------------------------------------------------------------===//
#include "LoopOperand.h"
#include "LoopPoints.h"
#include "PartialSums.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_SPLITTAPS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow::inst;
using llvm::divideCeil;
using mlir::glow::KernelTarget;

/// The part of the second-level cache for a block's lines: a neighbour on the
/// same core may have half of it, and panels pass.
static constexpr double kLinesPart = 0.25;
/// Images of fewer second-level caches than that do not come from far.
static constexpr double kLeastCaches = 1.5;
/// Rows of results in a block that are worth the panels that it reads.
static constexpr int64_t kLeastRows = 24;

namespace {
/// A convolution and how it is cut.
class DeepWindow {
public:
  /// Nothing if it is not worth a loop, or cannot be one.
  static std::optional<DeepWindow> of(ConvOp op, const KernelTarget &target);
  void split();

private:
  explicit DeepWindow(ConvOp op);
  bool chooseBlocks(const KernelTarget &target);
  /// What `count` lines of results read by windows of so many rows of taps.
  int64_t linesOf(int64_t count, int64_t window) {
    return (count - 1) * op.getStrides().front() +
           (window - 1) * op.getDilations().front() + 1;
  }
  /// A loop over blocks of `height` lines of results, `count` lines in all.
  void emitLoop(OpBuilder &builder, int64_t first, int64_t count,
                int64_t height);
  LoopOperand inputOf(OpBuilder &builder, int64_t first, int64_t count,
                      int64_t height);
  LoopOperand elementsOf(OpBuilder &builder, Value buffer, int64_t first,
                         int64_t count, int64_t height);
  void emitParts(OpBuilder &body, Block &block, int64_t height);

  ConvOp op;
  int64_t taps, lines, columns, packed, depth;
  int64_t blockLines = 0, blockColumns = 0;
};

struct SplitTaps : public mlir::glow::inst::impl::SplitTapsBase<SplitTaps> {
  using SplitTapsBase::SplitTapsBase;

  void runOnOperation() override {
    splitProducts<DeepWindow, ConvOp>(getOperation(), target);
  }
};
} // namespace

/// A convolution of f32 without borders, in vectors.
static bool isPlain(ConvOp op) {
  // Not what other blocks have written.
  auto isApart = [&](Value input) {
    return areSame(input, op.getOutput()) || !mayMeet(input, op.getOutput());
  };
  return hasPlainSums(op, op.getInput(), op.getFilter()) &&
         typeOf(op.getOutput()).getElementType().isF32() && !op.getWinograd() &&
         op.getGroup() == 1 && op.isChannelsLast() && op.getSpatialRank() > 1 &&
         llvm::all_of(op.getPads(), [](int64_t pad) { return pad == 0; }) &&
         llvm::all_of(op.getEpilogueInputs(), isApart);
}

DeepWindow::DeepWindow(ConvOp op)
    : op(op), taps(op.getKernelShape().front()),
      lines(typeOf(op.getOutput()).getDimSize(1)),
      columns(typeOf(op.getOutput()).getShape().back()),
      packed(*op.getPacked()), depth(typeOf(op.getFilter()).getDimSize(1)) {}

bool DeepWindow::chooseBlocks(const KernelTarget &target) {
  constexpr int64_t kBytes = sizeof(float);
  ArrayRef<int64_t> in = typeOf(op.getInput()).getShape(),
                    out = typeOf(op.getOutput()).getShape();
  int64_t cache = target.l2Bytes, panel = depth * packed * kBytes;
  int64_t line = ShapedType::getNumElements(in.drop_front(2)) * kBytes;
  int64_t rows = ShapedType::getNumElements(out.drop_front(2).drop_back());
  if (taps == 1 || typeOf(op.getOutput()).getNumElements() == 0 ||
      panel <= cache / 8 || in[1] * line <= kLeastCaches * cache ||
      columns <= 2 * packed)
    return false;
  int64_t images = out[0], least = divideCeil(kLeastRows, rows);
  auto most = static_cast<int64_t>(kLinesPart * cache / line);
  most = std::min<int64_t>(most, divideCeil(images * lines, kEnoughPoints));
  most = std::max(most, least);
  if (most > lines)
    return false;
  blockLines = divideCeil(lines, divideCeil(lines, most));
  int64_t points = images * divideCeil(lines, blockLines);
  blockColumns = *chooseBlockColumns(columns, packed, points,
                                     std::numeric_limits<int64_t>::max());
  return points * (columns / blockColumns) >= kLeastPoints;
}

std::optional<DeepWindow> DeepWindow::of(ConvOp op,
                                         const KernelTarget &target) {
  if (!isPlain(op))
    return std::nullopt;
  DeepWindow window(op);
  return window.chooseBlocks(target) ? std::optional(window) : std::nullopt;
}

/// `count` places of an axis.
static Value placesOf(OpBuilder &builder, Value buffer, int64_t axis,
                      int64_t first, int64_t count) {
  return typeOf(buffer).getDimSize(axis) == count
             ? buffer
             : sliceView(builder, buffer.getLoc(), buffer, axis, first, count);
}

/// The same window at every place of a loop.
static MemRefType windowOf(MemRefType view, ArrayRef<int64_t> shape) {
  return viewType(view, shape, view.getStridesAndOffset().first, 0);
}

LoopOperand DeepWindow::inputOf(OpBuilder &builder, int64_t first,
                                int64_t count, int64_t height) {
  int64_t stride = op.getStrides().front();
  Value whole =
      placesOf(builder, op.getInput(), 1, first * stride, linesOf(count, taps));
  MemRefType view = typeOf(whole);
  SmallVector<int64_t> shape(view.getShape());
  auto strides = view.getStridesAndOffset().first;
  shape[0] = 1;
  shape[1] = linesOf(height, taps);
  return {whole, windowOf(view, shape),
          builder.getDenseI64ArrayAttr(
              {strides[0], height * stride * strides[1], 0})};
}

LoopOperand DeepWindow::elementsOf(OpBuilder &builder, Value buffer,
                                   int64_t first, int64_t count,
                                   int64_t height) {
  // Of an epilogue's input, which may have one place for all along an axis.
  int64_t missing = typeOf(op.getOutput()).getRank() - typeOf(buffer).getRank();
  if (missing <= 1 && typeOf(buffer).getDimSize(1 - missing) > 1)
    buffer = placesOf(builder, buffer, 1 - missing, first, count);
  MemRefType view = typeOf(buffer);
  SmallVector<int64_t> shape(view.getShape()), steps(3);
  auto strides = view.getStridesAndOffset().first;
  auto cut = [&](int64_t axis, int64_t size, int64_t &step) {
    axis -= missing;
    if (axis < 0 || shape[axis] == 1)
      return;
    shape[axis] = size;
    step = size * strides[axis];
  };
  cut(0, 1, steps[0]);
  cut(1, height, steps[1]);
  cut(typeOf(op.getOutput()).getRank() - 1, blockColumns, steps[2]);
  return {buffer, windowOf(view, shape), builder.getDenseI64ArrayAttr(steps)};
}

/// The rows of taps of one block, one after the other.
void DeepWindow::emitParts(OpBuilder &body, Block &block, int64_t height) {
  Location loc = op.getLoc();
  Value left = block.getArgument(0), right = block.getArgument(1);
  PartialSums<ConvOp> sums(body, op, block);
  SmallVector<int64_t> kernel(op.getKernelShape());
  kernel.front() = 1;
  for (int64_t tap = 0; tap < taps; ++tap) {
    auto part = cast<ConvOp>(body.clone(*op));
    OpBuilder before(part);
    part.setKernelShape(kernel);
    part.getInputMutable().assign(sliceView(before, loc, left, 1,
                                            tap * op.getDilations().front(),
                                            linesOf(height, 1)));
    part.getFilterMutable().assign(
        sliceView(before, loc, right, 1, tap * (depth / taps), depth / taps));
    sums.take(part, tap == 0, tap + 1 == taps);
  }
}

void DeepWindow::emitLoop(OpBuilder &builder, int64_t first, int64_t count,
                          int64_t height) {
  SmallVector<LoopOperand> operands{inputOf(builder, first, count, height)};
  MemRefType panels = typeOf(op.getFilter());
  int64_t width = divideCeil(blockColumns, packed);
  operands.push_back(
      {op.getFilter(), windowOf(panels, {width, depth, packed}),
       builder.getDenseI64ArrayAttr({0, 0, width * depth * packed})});
  for (Value input : op.getEpilogueInputs())
    if (!areSame(input, op.getOutput()))
      operands.push_back(elementsOf(builder, input, first, count, height));
  operands.push_back(elementsOf(builder, op.getOutput(), first, count, height));
  Block &block = createForall(builder, op.getLoc(),
                              {typeOf(op.getOutput()).getDimSize(0),
                               count / height, columns / blockColumns},
                              operands);
  OpBuilder body = OpBuilder::atBlockEnd(&block);
  emitParts(body, block, height);
}

void DeepWindow::split() {
  OpBuilder builder(op);
  int64_t rest = lines % blockLines;
  emitLoop(builder, 0, lines - rest, blockLines);
  if (rest > 0)
    emitLoop(builder, lines - rest, rest, rest);
  op.erase();
}
