//===- ContractionPlan.h - tiles and blocks of a contraction ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rows are the positions along one axis of the output that only the left-hand
// side follows; columns are those along its contiguous axis, which the
// right-hand side follows. If the left-hand side follows it too, products are
// made column by column, as in a depthwise convolution. A tile of rows and
// columns is kept in registers while the products are summed up.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_KERNELS_CONTRACTIONPLAN_H
#define GLOW_KERNELS_CONTRACTIONPLAN_H

#include "glow/Kernels/ContractionAxes.h"

namespace mlir::glow {

struct ContractionPlan {
  /// Nothing if the form is not that of rows and columns.
  static std::optional<ContractionPlan> make(const ContractionSpec &spec,
                                             ValueRange buffers,
                                             const ScalarRegion &epilogue,
                                             const KernelTarget &target);

  /// Operands of the axes as in the specification. Axes that the right-hand
  /// side follows come first; there are `batches` of them.
  SmallVector<LoopAxis> outer;
  size_t batches = 0;
  LoopAxis rows, columns;
  /// What the rows are made of if `rows` counts all places of the lines and
  /// steps in the left-hand side alone.
  std::optional<RowLines> lines;
  /// The same if `rows` counts those of several images that are there, or of
  /// several lines.
  std::optional<JoinedRows> joined;
  /// Whether rows of an operand are found without looking for their image.
  bool isEven(size_t operand) const {
    return !joined || joined->isEven(operand);
  }
  Value rowLimit(KernelBuilder &b) const {
    return joined ? joined->limit(b) : rows.limit(b);
  }
  /// For tiles whose windows lie inside the input along the rows, and for
  /// others. Windows along outer axes are in both.
  SmallVector<PlannedAxis> reduced, borderReduced;
  int64_t depth, panelDepth, packed, group, lhsStart;
  /// Of one column in its panel.
  int64_t columnBytes;
  int64_t rhsElementBytes() const { return columnBytes / panelDepth; }
  int64_t lhsElementBytes = 0;
  /// Element types, and all that decides what is fastest: the key of a tuning.
  std::string types, key;
  int64_t registers = 0;
  /// Inputs and further outputs of the epilogue.
  size_t numEpilogue;
  /// The left-hand side has one element per column, not one for all.
  bool isColumnwise = false;
  /// Columns in groups of so many each meet as many elements of lhs, which lie
  /// where the group's columns do.
  int64_t groupWidth = 1;
  /// Whether taps along the last but one of `axes` are emitted at once.
  bool joinsTaps(ArrayRef<PlannedAxis> axes) const;

  /// The index of the one of `axes` along which sums start anew, to be added
  /// up afterwards; beyond them all if none. Its last one is cut into pieces.
  size_t sumsApart(ArrayRef<PlannedAxis> axes) const;
  /// The length of such a piece of an axis.
  int64_t sumDepth(int64_t extent) const;
  /// Sums round, so that their length matters.
  bool isFloat = false;

  int64_t tileRows = 1, tileVectors = 1, lanes = 1;
  /// The depth of a tile register, if products are made in such; else 0.
  int64_t registerDepth = 0;
  /// Its rows.
  int64_t registerRows = 0;
  /// As in the specification: how many the depth is divided into, and how many
  /// rows there are at least if these are open.
  int64_t pieces = 1, fewRows = 1;
  std::optional<DepthParts> parts;
  /// Among how many tiles of rows fetching the next panel from memory is
  /// divided; 0: it is not fetched ahead.
  int64_t fetchShares = 0;
  /// Elements ahead that are fetched instead of the next panel, unless 0.
  int64_t fetchDistance = 0;
  /// How many those are.
  int64_t elementsAhead(const KernelTarget &target) const {
    return target.fetchAhead / rhsElementBytes();
  }
  /// Whether the next tile's rows are fetched ahead, or a later one's windows.
  bool fetchesRows = false, fetchesWindows = false;
  /// What tile registers load past the first-level cache, as it would not stay
  /// there until it is read again.
  bool streamsRows = false, streamsPanels = false;
  /// Rows of groups in a panel, or in the parts of one that are fetched ahead.
  int64_t fetchedRows() const;
  /// The first one is divided among tickets; the others are rests.
  SmallVector<ColumnSegment> segments;
  /// The right-hand side is copied tile by tile into panels of the frame.
  bool packs = false;

  int64_t rowTiles() const { return rows.extent / tileRows; }
  int64_t restRows() const { return rows.extent % tileRows; }
  /// Of how many rows the tile is that has the last `rest` ones. Where a limit
  /// may be, there are only some heights.
  int64_t restHeight(int64_t rest, int64_t tileRows) const;
  int64_t allRowTiles() const { return rowTiles() + (restRows() > 0); }
  /// Whole tiles in this range need not look at their windows.
  int64_t firstInside = 0, lastInside = 0;
  bool isRowWindow(const PlannedAxis &axis) const {
    return axis.window && rows.strides[axis.position] != 0;
  }
  /// Whether some rows have windows over the edge; `reduced` does not say.
  bool hasBorderRows() const {
    return llvm::any_of(borderReduced, [&](const PlannedAxis &axis) {
      return isRowWindow(axis);
    });
  }

  /// Tiles of rows and of columns per block, and blocks of each.
  int64_t blockRows = 1, blockColumns = 1, rowBlocks = 1, columnBlocks = 1;
  /// Places of the last outer axis per block.
  int64_t blockLines = 1;
  /// Groups of rows, along their outermost axis; one has all columns before
  /// the next.
  int64_t rowGroups = 1;
  TicketCut cut;

  /// The choices in it, and what they depend on.
  TunableKernel tunable() const;

private:
  /// What is known before anything is chosen.
  std::string shape() const;
  /// Takes a tile that fits registers and rows, or leaves the one there is.
  void takeTile(const ContractionChoices &tuned);
  bool findAxes(const ContractionSpec &spec, int64_t mostLanes, int64_t least);
  /// Makes one axis of the groups and of the columns in a group.
  bool mergeGroups(ArrayRef<LoopAxis> axes, const ContractionSpec &spec,
                   int64_t mostLanes);
  int64_t mostTileRows() const;
  void findReduced(const ContractionSpec &spec);
  bool findBorder();
  bool fitsTileRegisters(ValueRange buffers) const;
  /// Takes the axis around the rows into them, if that fills registers better.
  void joinLines();
  /// The same for rows that are not there in all places.
  void joinOpenRows();
  /// The same for rows too few to be whole tiles. Chooses the tile of either.
  void joinFewRows(const KernelTarget &target, int64_t bits);
  void joinAround();
  /// Returns what a row takes for a step along the depth, by the model.
  double chooseTile(const KernelTarget &target, int64_t bits);
  void cutColumns(bool maskable);
  int64_t lanesFor(int64_t columns) const;
  /// Elements of the left-hand side that a row adds to those before it.
  int64_t rowElements() const;
  /// Of the left-hand side, what a tile reads.
  int64_t tileBytes() const {
    return tileRows * rowElements() * lhsElementBytes;
  }
  void chooseBlocks(const KernelTarget &, const ContractionChoices &tuned);
  /// Bytes of a tile's columns, and how many tiles' stay until the next rows.
  int64_t panelBytes() const;
  int64_t panelsThatStay(const KernelTarget &target) const;
  /// Tiles of columns whose windows share lines in the first-level cache.
  int64_t columnTilesThatStay(const KernelTarget &target) const;
  void chooseRowGroups(const KernelTarget &target);
  /// Places of the axes around the rows, except other batches.
  int64_t linesAround() const;
  /// Of the left-hand side, except other batches.
  int64_t lhsBytes() const;
  /// Whether rows (of one of open images) stay in the second level all along.
  bool keepsRows(const KernelTarget &target) const;
  void chooseFetching(const KernelTarget &target);
  void chooseStreams(const KernelTarget &target);
  /// Where products wait for rows from behind the second level.
  void chooseRowFetching(const KernelTarget &target);
  /// Parts that are the sums which are kept apart anyway.
  void chooseParts(const KernelTarget &target);
  /// Whether vectors go through parts of a panel for several tiles of rows.
  bool wantsParts(const KernelTarget &target) const;
  /// Takes as many lines into a block as there is memory for.
  void chooseLines();
  /// What all products read of right-hand sides.
  int64_t allColumnBytes() const;
  /// Whether all columns stay in caches until the next run.
  bool isSmall(const KernelTarget &target) const;
  /// Whether all rows may be a tile that takes panels best one by one.
  bool isStreamed(const KernelTarget &target) const;
  /// Whether a panel leaves the second level while the next one comes.
  bool hasLongPanels(const KernelTarget &target) const;
  /// Tiles of rows that read one panel in turn, of the lines there are.
  int64_t tilesPerPanel() const;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_CONTRACTIONPLAN_H
