//===- ContractionBlocks.cpp - what tiles are computed one after the other ===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks of rows and columns, so that caches keep what is read again and
// threads have enough of them, and groups of rows that have all columns in
// turn.
//
//===----------------------------------------------------------------------===//
#include "ContractionOperands.h"
#include "glow/Interfaces/TileRegisters.h"
#include "glow/Kernels/ContractionPlan.h"

using namespace mlir;
using namespace mlir::glow;
using llvm::divideCeil;

/// What a core reads from its second-level cache or from memory in the time of
/// a multiply-add of vectors: between 8 and 27.
static constexpr double kBytesPerStep = 16;

/// Rows that a panel should serve once it has been copied into the frame, which
/// takes as long as the products of some twenty rows.
static constexpr int64_t kRowsPerPanel = 128;

/// The part of the second-level cache for a panel and the rows that it is
/// multiplied by, if these are all rows; and where not all fit, so that columns
/// come several times anyway. Tile registers wait for each line that is not
/// there, and a neighbour on the same core may need the cache too.
static constexpr double kAllRows = 15.0 / 16, kAllTileRows = 0.65,
                        kSomeRows = 0.35, kSomePieces = 0.2;

/// Rows of more second-level caches than that come from memory.
static constexpr int64_t kStreamedCaches = 2;

int64_t ContractionPlan::rowElements() const {
  // Windows that overlap share what they read, even if taps side by side are
  // one axis.
  int64_t step = rows.strides[Lhs];
  const PlannedAxis &inner = reduced.back();
  if (step >= inner.lhsStride && step < inner.extent)
    return step;
  return std::min(depth, std::max(step, inner.extent));
}

int64_t ContractionPlan::columnTilesThatStay(const KernelTarget &target) const {
  const PlannedAxis &inner = reduced.back();
  int64_t all = segments.front().tiles;
  bool sharesLines = isColumnwise && outer.size() > batches &&
                     depth > inner.extent && inner.lhsStride > 0 &&
                     rows.strides[Lhs] > 0;
  if (!sharesLines || lhsBytes() > kStreamedCaches * target.l2Bytes)
    return all;
  int64_t places =
      (rows.extent - 1) * rows.strides[Lhs] / inner.lhsStride + inner.extent;
  int64_t read = depth / inner.extent * places * lhsElementBytes;
  int64_t column = read + columnBytes + rows.extent * lhsElementBytes;
  int64_t tile = segments.front().width() * column;
  int64_t most = kPanelPart * target.l1Bytes / tile;
  return most ? evenBlocks(all, std::min(most, all)) : all;
}

int64_t ContractionPlan::panelBytes() const {
  return tileVectors * lanes * depth * rhsElementBytes();
}

int64_t ContractionPlan::panelsThatStay(const KernelTarget &target) const {
  // Tile registers load past the first level what they can.
  int64_t near = registerDepth ? 0 : kPanelPart * target.l1Bytes / panelBytes();
  return near ? near : kSomeRows * target.l2Bytes / panelBytes();
}

void ContractionPlan::chooseBlocks(const KernelTarget &target,
                                   const ContractionChoices &tuned) {
  int64_t rhsBytes = depth * columns.extent * rhsElementBytes();
  int64_t batchPoints = 1, outerPoints = 1;
  for (auto [i, axis] : llvm::enumerate(outer)) {
    outerPoints *= axis.extent;
    if (i < batches)
      batchPoints *= axis.extent;
  }
  int64_t columnTiles = segments.front().tiles, rowTiles = allRowTiles();
  double tileWork = double(tileRows) * tileVectors * depth / group;
  // An instruction takes as many cycles as it has rows.
  if (registerDepth)
    tileWork *= (pieces + 1) / 2.0 / TileRows::kMost;
  double work = outerPoints * rowTiles * columnTiles * tileWork;
  // Few rows only wait for the right-hand side.
  int64_t wanted = ticketsFor(
      std::max(work, double(batchPoints) * rhsBytes / kBytesPerStep));
  int64_t leastRows = packs ? divideCeil(kRowsPerPanel, tileRows) : 1;
  if (wantsParts(target)) {
    blockRows = evenBlocks(rowTiles, DepthParts::kMostTiles);
  } else if (rhsBytes > target.l2Bytes / 2) {
    // Read the right-hand side once: all rows that stay in the cache beside a
    // panel. Windows share what they read with their neighbours.
    auto tilesIn = [&](double part) {
      return static_cast<int64_t>(part * target.l2Bytes - panelBytes()) /
             tileBytes();
    };
    int64_t tiles = tilesIn(registerDepth ? kAllTileRows : kAllRows);
    // Of open images, one is a block if its rows stay.
    int64_t ofOne = rows.isBounded() && rows.perBound > 1
                        ? divideCeil(rows.leastExtent(), tileRows)
                        : rowTiles;
    if (registerDepth && tiles < outerPoints * rowTiles)
      tiles = ofOne < rowTiles && tiles >= ofOne
                  ? ofOne
                  : tilesIn(pieces > 1 ? kSomePieces : kSomeRows);
    blockRows =
        evenBlocks(rowTiles, std::clamp<int64_t>(tiles, leastRows, rowTiles));
  } else {
    blockRows = std::max(leastRows, outerPoints * rowTiles / wanted);
  }
  // All columns of a few rows lie side by side: that is how memory is fastest.
  if (isColumnwise && lhsBytes() > kStreamedCaches * target.l2Bytes)
    blockRows = 1;
  if (tuned.blockRows)
    blockRows = tuned.blockRows;
  blockRows = std::clamp<int64_t>(blockRows, 1, rowTiles);
  rowBlocks = divideCeil(rowTiles, blockRows);
  int64_t rowPoints = outerPoints * rowBlocks;
  int64_t cuts =
      std::clamp<int64_t>(divideCeil(wanted, rowPoints), 1, columnTiles);
  blockColumns = std::min<int64_t>(divideCeil(columnTiles, cuts),
                                   columnTilesThatStay(target));
  bool comesAgain = registerDepth ? rowBlocks > 1 : rowPoints > batchPoints;
  if (comesAgain && !isColumnwise)
    blockColumns =
        evenBlocks(columnTiles, std::clamp<int64_t>(panelsThatStay(target), 1,
                                                    blockColumns));
  if (tuned.blockColumns)
    blockColumns = std::clamp<int64_t>(tuned.blockColumns, 1,
                                       std::max<int64_t>(1, columnTiles));
  columnBlocks = divideCeil(columnTiles, blockColumns);
  // The rest of the columns, a block of its own so that all take equally long.
  if (columnBlocks > 1 && segments.size() > 1)
    ++columnBlocks;
  // Still too few: neighbours then read the same columns. Parts of a panel want
  // all rows that there are.
  int64_t least =
      wantsParts(target) ? std::min(wanted, DepthParts::kLeastTickets) : wanted;
  int64_t rowCuts = divideCeil(least, outerPoints * columnBlocks);
  if (rowCuts > rowBlocks && !tuned.blockRows) {
    blockRows = std::max<int64_t>(divideCeil(rowTiles, rowCuts), leastRows);
    rowBlocks = divideCeil(rowTiles, blockRows);
    rowPoints = outerPoints * rowBlocks;
  }
  cut = TicketCut::of(rowPoints * columnBlocks, wanted);
}

int64_t ContractionPlan::linesAround() const {
  int64_t lines = 1;
  for (const LoopAxis &axis : ArrayRef(outer).drop_front(batches))
    lines *= axis.extent;
  return lines;
}

int64_t ContractionPlan::lhsBytes() const {
  int64_t elements = isColumnwise ? columns.extent : rowElements();
  return linesAround() * rows.extent * elements * lhsElementBytes;
}

bool ContractionPlan::keepsRows(const KernelTarget &target) const {
  int64_t least = lhsBytes() / rows.extent * rows.leastExtent();
  for (const LoopAxis &axis : ArrayRef(outer).drop_front(batches))
    least = least / axis.extent * axis.leastExtent();
  return least <= target.l2Bytes / 2;
}

int64_t ContractionPlan::tilesPerPanel() const {
  if (blockColumns > 1)
    return blockRows * blockLines;
  int64_t tiles = allRowTiles();
  for (const LoopAxis &axis : ArrayRef(outer).drop_front(batches))
    tiles *= axis.leastExtent();
  return std::max<int64_t>(1, tiles / rowGroups);
}

/// Rows of which not all stay in the cache come anew for each of `panels`,
/// unless some pass all panels before the next. Then panels come anew for
/// those.
static int64_t groupsThatStay(double lhsBytes, double rhsBytes, int64_t panels,
                              int64_t cacheBytes) {
  constexpr double kGroupPart = 0.3;
  int64_t groups = std::ceil(lhsBytes / (kGroupPart * cacheBytes));
  bool allStay = lhsBytes <= kAllRows * cacheBytes;
  return allStay || 2 * groups * rhsBytes > panels * lhsBytes ? 1 : groups;
}

/// Threads take neighbouring tickets. If those are all rows with some of the
/// columns, each thread reads all rows, also what another has just written and
/// still keeps; rows that a thread has written itself are close. Columns come
/// from memory for every thread then, and again from the second-level cache for
/// every group.
void ContractionPlan::chooseRowGroups(const KernelTarget &target) {
  // What another core keeps takes as long as so much from memory.
  constexpr double kCoreCost = 2.5;
  // More threads than groups share some, and a panel should not be loaded for
  // few rows. Windows have lines of the groups beside theirs.
  const int64_t mostGroups = isColumnwise ? 4 : 8;
  int64_t leastTiles = isColumnwise ? 3 * allRowTiles() : registerDepth ? 3 : 6;
  double rhsBytes = double(columnBytes) * columns.extent;
  if (columnBlocks == 1 || hasLongPanels(target))
    return;
  int64_t extent = outer.size() > batches ? outer[batches].extent : rowBlocks;
  if (rhsBytes > target.l2Bytes / 2) {
    if (!registerDepth)
      rowGroups = std::min(
          groupsThatStay(lhsBytes(), rhsBytes, columnBlocks, target.l2Bytes),
          extent);
    return;
  }
  if (rhsBytes > kCoreCost * lhsBytes())
    return;
  int64_t tiles = linesAround() * allRowTiles();
  rowGroups =
      std::clamp<int64_t>(std::min(tiles / leastTiles, extent), 1, mostGroups);
  // Rather fewer than a smaller one.
  while (rowGroups > 2 && extent % rowGroups != 0)
    --rowGroups;
}
