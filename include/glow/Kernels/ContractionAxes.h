//===- ContractionAxes.h - what a plan has along its axes ------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_CONTRACTIONAXES_H
#define GLOW_KERNELS_CONTRACTIONAXES_H

#include "glow/Kernels/DirectContraction.h"
#include "glow/Kernels/JoinedRows.h"

namespace mlir::glow {

/// Neighbouring tiles of columns that have the same form.
struct ColumnSegment {
  int64_t start, tiles;
  /// A tile is `vectors` of `lanes` columns, of which the last vector may hold
  /// fewer: `last` of them. It may then be a shorter one, of `lastLanes`.
  int64_t vectors, lanes, last;
  int64_t lastLanes = lanes;

  int64_t width() const { return vectors * lanes; }
  int64_t lanesOf(int64_t vector) const {
    return vector + 1 == vectors ? lastLanes : lanes;
  }
  /// Of the last vector, if it is not whole.
  Value mask(KernelBuilder &b) const {
    return last < lastLanes ? b.mask(b.index(last), lastLanes) : Value();
  }
};

/// A reduced axis of a plan.
struct PlannedAxis : ContractionAxis {
  /// The operand that counts the window's positions, if there is a window.
  size_t position = 0;
};

/// Rows along two axes: lines of places. The left-hand side has them at one
/// distance from each other, with `pitch` - `places.extent` others between two
/// lines that are no rows.
struct RowLines {
  LoopAxis lines, places;
  int64_t pitch;
};

/// The depth in parts. Each is done for several tiles of rows, so that the
/// panel's part stays in a cache meanwhile.
struct DepthParts {
  /// The reduced axes before this one are counted through, this one is cut
  /// into pieces of `depth` if it is the innermost, and all others are whole.
  size_t axis;
  int64_t depth, count;
  /// So many parts are done for one tile of rows before the next one, and then
  /// for so many tiles, whose sums are in memory meanwhile.
  int64_t atOnce = 1, tiles = 1;

  /// The most tiles, and the least tickets.
  static constexpr int64_t kMostTiles = 32, kLeastTickets = 16;
};

/// The size of blocks of at most `most` tiles that differ little in size.
inline int64_t evenBlocks(int64_t tiles, int64_t most) {
  return llvm::divideCeil(tiles, llvm::divideCeil(tiles, most));
}

} // namespace mlir::glow

#endif // GLOW_KERNELS_CONTRACTIONAXES_H
