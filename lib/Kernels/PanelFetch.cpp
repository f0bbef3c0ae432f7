//===- PanelFetch.cpp - columns asked for ahead ---------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A line that is asked for occupies a buffer of the first-level cache until it
// has come from memory, and loads from the second level need those buffers as
// well. Lines that the processor fetches by itself, because those before them
// in the page were asked for, do not. So requests may go through several pages
// in turn, a few lines of each: by the time of the next request to a page, its
// lines are there.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/PanelFetch.h"
#include "glow/Kernels/MicroKernel.h"

using namespace mlir;
using namespace mlir::glow;
using llvm::divideCeil;

static constexpr int64_t kBytesAtOnce = 256;
static constexpr int64_t kLineBytes = KernelTarget::kLineBytes;

PanelFetch::PanelFetch(KernelBuilder &builder, const ContractionPlan &plan)
    : b(builder), plan(plan) {
  if (!plan.fetchShares)
    return;
  rows = plan.fetchedRows();
  stepRows = plan.pieces * plan.registerDepth / plan.group;
  int64_t rowBytes = plan.rhsElementBytes() * plan.group * plan.packed;
  pageRows = std::max<int64_t>(1, KernelTarget::kPageBytes / rowBytes);
  rowsAtOnce = std::max<int64_t>(1, kBytesAtOnce / rowBytes);
  // What lies a page ahead in the same panel is asked for in its order.
  if (!plan.fetchDistance)
    pages = std::clamp<int64_t>(rows / pageRows, 1, b.target.fetchPages);
  int64_t most = std::min(plan.fetchShares, stepRows);
  rowsAtOnce = std::min<int64_t>(rowsAtOnce, divideCeil(stepRows, most));
  shares = b.index(most);
  // Of a bounded number of tiles, those that there are ask for more.
  if (plan.rows.isBounded())
    shares = b.max(b.min(shares, b.ceilDiv(plan.rowLimit(b), plan.tileRows)),
                   b.index(1));
  perStep = b.div(b.add(shares, stepRows - 1), shares);
}

Value PanelFetch::inOrder(Value row) const {
  int64_t turn = pages * pageRows;
  if (pages == 1)
    return row;
  Value inTurn = b.rem(row, turn), start = b.sub(row, inTurn);
  Value request = b.div(inTurn, rowsAtOnce);
  Value page = b.mul(b.rem(request, pages), pageRows);
  Value inPage = b.add(b.mul(b.div(request, pages), rowsAtOnce),
                       b.rem(inTurn, rowsAtOnce));
  Value moved = b.add(start, b.add(page, inPage));
  if (rows % turn == 0)
    return moved;
  // The last pages, where they are fewer, stay in order.
  Value isWhole = b.less(start, b.index(rows - turn + 1));
  return arith::SelectOp::create(b.builder, b.loc, isWhole, moved, row);
}

void PanelFetch::emit(const MicroTile &tile, const KernelBuffer &rhs,
                      Value at) const {
  if (tile.nextOffsets.empty())
    return;
  int64_t rowStep = tile.rhsStep * plan.group;
  Value steps = b.add(b.mul(tile.index, divideCeil(rows, stepRows)),
                      b.div(at, rowStep * stepRows));
  Value row = b.mul(steps, perStep);
  // The first tiles ask for all lines of their rows, the others for nothing.
  Value count = b.builder.createOrFold<arith::SelectOp>(
      b.loc, b.less(tile.index, shares), perStep, b.index(0));
  b.loop(b.index(0), count, rowsAtOnce, [&](Value first) {
    Value from = b.mul(inOrder(b.add(row, first)), rowStep);
    from = b.add(from, panelsBetween(*tile.columns, from));
    for (Value next : tile.nextOffsets)
      for (int64_t i = 0; i < rowsAtOnce; ++i)
        b.fetch(rhs, b.add(b.add(next, from), i * rowStep));
  });
}

Value PanelFetch::panelsBetween(const ColumnSegment &columns,
                                Value from) const {
  int64_t panels = divideCeil(columns.width(), plan.packed);
  if (!plan.fetchDistance || panels == 1)
    return b.index(0);
  int64_t size = plan.panelDepth * plan.packed;
  Value isInside = b.less(b.add(from, plan.fetchDistance), b.index(size));
  return arith::SelectOp::create(b.builder, b.loc, isInside, b.index(0),
                                 b.index((panels - 1) * size));
}

/// The most rows of a last tile that asks for nothing: it is often alone, and
/// need not then.
static int64_t rowsUnasked(const ContractionPlan &plan,
                           const KernelTarget &target) {
  bool maybeAlone = plan.rows.isBounded() && plan.outer.size() == plan.batches;
  return maybeAlone ? target.streamedRows : 0;
}

/// The greatest power of two that is no more than there are tiles that ask, nor
/// `most`.
static Value sharesWithin(KernelBuilder &b, const ContractionPlan &plan,
                          int64_t most) {
  if (!plan.rows.isBounded())
    return b.index(most);
  Value unasked = b.index(rowsUnasked(plan, b.target));
  Value asking = b.sub(b.max(plan.rowLimit(b), unasked), unasked);
  Value tiles = b.ceilDiv(asking, plan.tileRows);
  Value shares = b.index(1);
  for (int64_t count = 2; count <= most; count *= 2)
    shares =
        arith::SelectOp::create(b.builder, b.loc, b.less(tiles, b.index(count)),
                                shares, b.index(count));
  return shares;
}

PanelStream::PanelStream(KernelBuilder &builder, const ContractionPlan &plan)
    : b(builder), plan(plan) {
  if (!plan.fetchShares)
    return;
  int64_t row = plan.packed * plan.group, most = plan.fetchShares;
  while (row % most != 0)
    most /= 2;
  shares = sharesWithin(b, plan, most);
  perStep = b.div(b.index(row), shares);
  // With fewer tiles than there could be, a step of each has more.
  mostPerStep = plan.rows.isBounded() ? row : row / most;
}

SmallVector<Value> PanelStream::begin(const MicroTile &tile,
                                      Value start) const {
  SmallVector<Value> begins;
  if (tile.nextOffsets.empty() || tile.rows <= rowsUnasked(plan, b.target))
    return begins;
  Value hasShare = b.less(tile.index, shares);
  Value before = b.mul(b.mul(tile.index, plan.fetchedRows()), perStep);
  Value done = tile.fetchStart ? b.sub(start, tile.fetchStart) : start;
  for (int64_t v = 0; v < tile.columns->vectors; ++v) {
    if (v * tile.columns->lanes % plan.packed != 0)
      continue;
    // Without a share, lines that are there already.
    Value share = b.builder.createOrFold<arith::SelectOp>(
        b.loc, hasShare, b.add(tile.nextOffsets[v], before),
        tile.rhsOffsets[v]);
    begins.push_back(b.add(share, b.div(done, shares)));
  }
  return begins;
}

void PanelStream::emit(const KernelBuffer &rhs, ValueRange begins, Value first,
                       int64_t count) const {
  int64_t bytes = plan.rhsElementBytes();
  for (Value begin : begins) {
    Value at = b.add(begin, b.mul(first, perStep));
    int64_t lines = divideCeil(count * mostPerStep * bytes, kLineBytes);
    for (int64_t line = 0; line < lines; ++line)
      b.fetch(rhs, b.add(at, line * kLineBytes / bytes));
  }
}
