//===- ContractionParts.cpp - how rows share panels -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which parts of a panel all rows are multiplied by before the next ones, and
// what is asked for meanwhile.
//
//===----------------------------------------------------------------------===//
#include "ContractionOperands.h"
#include "glow/Interfaces/TileRegisters.h"
#include "glow/Kernels/ContractionPlan.h"

using namespace mlir;
using namespace mlir::glow;
using llvm::divideCeil;

/// What of a panel is multiplied by all rows before vectors go on in it, if it
/// is long: smaller parts bring sums to memory and back more often.
static int64_t partBytes(const KernelTarget &target) {
  return target.l2Bytes / 16;
}

int64_t ContractionPlan::allColumnBytes() const {
  int64_t bytes = columnBytes * columns.extent;
  for (const LoopAxis &batch : ArrayRef(outer).take_front(batches))
    if (batch.strides[Rhs] != 0)
      bytes *= batch.extent;
  return bytes;
}

bool ContractionPlan::isSmall(const KernelTarget &target) const {
  // Products of which each has a part of more columns pass over the others.
  int64_t bytes = columnBytes * columns.extent;
  for (const LoopAxis &batch :
       llvm::reverse(ArrayRef(outer).take_front(batches)))
    bytes += (batch.extent - 1) *
             std::max(bytes, batch.strides[Rhs] * rhsElementBytes());
  return bytes < target.l2Bytes / 8;
}

/// The part of the second-level cache that all rows and two panels may take.
static constexpr double kAllPanels = 0.75;

bool ContractionPlan::hasLongPanels(const KernelTarget &target) const {
  int64_t width =
      registerDepth ? std::max(packed, tileVectors * lanes) : packed;
  int64_t wholePanel = columnBytes * width;
  bool allStay = lhsBytes() + 2 * wholePanel < kAllPanels * target.l2Bytes;
  // Taking sums to memory and back between parts costs more than parts gain.
  bool hasFewTiles = linesAround() * rows.extent <= mostTileRows();
  return wholePanel > target.l2Bytes / 8 && !(allStay && hasFewTiles);
}

void ContractionPlan::chooseFetching(const KernelTarget &target) {
  int64_t sharing = tilesPerPanel();
  if (isSmall(target))
    return;
  if (sharing == 1) {
    // One row leaves a core the time to go on by itself, if it need not widen
    // what it reads. For tile registers, asking again and again costs more than
    // it brings.
    bool isReadOnce = linesAround() * allRowTiles() == 1;
    bool isBusy = tileRows > target.streamedRows &&
                  (tileRows > 1 || rhsElementBytes() < int64_t(sizeof(float)));
    if (isBusy && (!registerDepth || isReadOnce)) {
      fetchShares = 1;
      fetchDistance = elementsAhead(target);
    }
    return;
  }
  // It is the next part that is fetched.
  if (parts)
    sharing = std::min(sharing, parts->tiles);
  if (parts || !hasLongPanels(target))
    fetchShares = llvm::bit_floor<uint64_t>(sharing);
}

void ContractionPlan::chooseStreams(const KernelTarget &target) {
  int64_t storedPanel = tileVectors * lanes * columnBytes;
  // The processor asks ahead for what does not pass the first level.
  if (!registerDepth || tileBytes() + storedPanel <= target.l1Bytes)
    return;
  const PlannedAxis &inner = reduced.back();
  bool hasWindows =
      reduced.size() > 1 || rows.strides[Lhs] < inner.extent * inner.lhsStride;
  // Windows come back to their rows, and products of pieces to their columns.
  bool panelsPass = hasWindows || tilesPerPanel() == 1;
  streamsRows = !panelsPass;
  streamsPanels = pieces == 1 && (panelsPass || storedPanel > target.l1Bytes);
}

/// With more tiles of columns, waiting for rows is little of the time.
static constexpr int64_t kMostTilesOfFetchedRows = 2;

/// Windows of more taps, channel by channel, take longer than a line from
/// behind the second level, and those farther apart share nothing.
static constexpr int64_t kMostFetchedTaps = 16, kMostFetchedStride = 4;
/// Windows that read less than this part of the second level find it there.
static constexpr int64_t kWindowsPart = 4;

void ContractionPlan::chooseRowFetching(const KernelTarget &target) {
  const PlannedAxis &axis = reduced.back();
  int64_t step = rows.strides[Lhs];
  if (isColumnwise) {
    bool isNarrow = step > 0 && axis.lhsStride > 0 &&
                    step <= kMostFetchedStride * axis.lhsStride;
    fetchesWindows = isNarrow && depth <= kMostFetchedTaps && !joined &&
                     lhsBytes() > target.l2Bytes / kWindowsPart;
    return;
  }
  int64_t tiles = 0;
  for (const ColumnSegment &segment : segments)
    tiles += segment.tiles;
  // A tile of rows is one piece of memory, and its depth one sum.
  bool isOnePiece = reduced.size() == 1 && !axis.window && !joined &&
                    groupWidth == 1 && axis.lhsStride == 1 &&
                    step == axis.extent && !parts &&
                    sumDepth(axis.extent) >= axis.extent;
  fetchesRows = isOnePiece && !registerDepth &&
                tiles <= kMostTilesOfFetchedRows && !keepsRows(target);
}

bool ContractionPlan::wantsParts(const KernelTarget &target) const {
  return !registerDepth && hasLongPanels(target) && !isSmall(target) &&
         sumsApart(reduced) < reduced.size() && !hasBorderRows();
}

void ContractionPlan::chooseParts(const KernelTarget &target) {
  // Parts are counted whatever the limit is.
  if (reduced.back().isBounded() || !wantsParts(target))
    return;
  size_t apart = sumsApart(reduced);
  DepthParts chosen{apart, reduced.back().extent, 1};
  int64_t extent = reduced[apart].extent;
  if (apart + 1 == reduced.size()) {
    chosen.depth = sumDepth(extent);
    if (extent % chosen.depth != 0)
      return;
    extent /= chosen.depth;
    int64_t width = tileVectors * lanes * rhsElementBytes();
    chosen.atOnce =
        std::max<int64_t>(1, partBytes(target) / (chosen.depth * width));
    while (extent % chosen.atOnce != 0)
      --chosen.atOnce;
  } else {
    ++chosen.axis;
  }
  for (const PlannedAxis &axis : ArrayRef(reduced).take_front(apart))
    extent *= axis.extent;
  chosen.count = extent;
  if (chosen.count == chosen.atOnce)
    return;
  chooseLines();
  int64_t tiles = blockRows * blockLines;
  chosen.tiles = evenBlocks(tiles, DepthParts::kMostTiles);
  if (tiles > 1)
    parts = chosen;
}

void ContractionPlan::chooseLines() {
  if (outer.size() == batches || outer.back().isBounded() || rows.isBounded())
    return;
  int64_t lines = outer.back().extent,
          others = cut.points / (lines * rowBlocks);
  int64_t most = std::max<int64_t>(1, DepthParts::kMostTiles / allRowTiles());
  int64_t blocks = std::max(divideCeil(lines, most),
                            divideCeil(DepthParts::kLeastTickets, others));
  blockLines = divideCeil(lines, std::min(blocks, lines));
  if (blockLines == 1)
    return;
  blockRows = allRowTiles();
  rowBlocks = 1;
  int64_t points = others * divideCeil(lines, blockLines);
  cut = TicketCut::of(points, points);
}
