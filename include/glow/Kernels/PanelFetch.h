//===- PanelFetch.h - columns asked for ahead -------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_PANELFETCH_H
#define GLOW_KERNELS_PANELFETCH_H

#include "glow/Kernels/ContractionPlan.h"

namespace mlir::glow {

struct MicroTile;

/// Asks for the panel, or the part of one, that comes after the one which tile
/// registers multiply: with each step for some rows of it, in an order that
/// lets the processor go on by itself.
class PanelFetch {
public:
  PanelFetch(KernelBuilder &builder, const ContractionPlan &plan);

  /// The tile's share of a step, at the offset `at` in its own panel.
  void emit(const MicroTile &tile, const KernelBuffer &rhs, Value at) const;

private:
  /// Which row is asked for in the place of this one.
  Value inOrder(Value row) const;
  /// What is ahead in a panel, at its end, is the next tile's: behind the other
  /// panels of this one. That may be behind all weights, where nothing is read.
  Value panelsBetween(const ColumnSegment &columns, Value from) const;

  KernelBuilder &b;
  const ContractionPlan &plan;
  /// Tiles that have a share, and rows that each asks for in a step, rounded
  /// up.
  Value shares, perStep;
  /// Rows of all that is asked for, of a step, of one page, and of one request;
  /// and the pages that requests go through in turn.
  int64_t rows = 0, stepRows = 0, pageRows = 0, rowsAtOnce = 1, pages = 1;
};

/// The same for vectors, whose steps are short: each tile of rows has a share
/// of the panel, in which it gets a little further with each step. A step may
/// ask for the line of the step before; to find out would take longer.
class PanelStream {
public:
  PanelStream(KernelBuilder &builder, const ContractionPlan &plan);

  /// Where the tile's share of each panel begins for the steps that begin at
  /// the offset `start` of its own panels; none if nothing is asked for.
  SmallVector<Value> begin(const MicroTile &tile, Value start) const;
  /// The share of `count` steps from the step `first` on.
  void emit(const KernelBuffer &rhs, ValueRange begins, Value first,
            int64_t count) const;

private:
  KernelBuilder &b;
  const ContractionPlan &plan;
  /// Tiles that have a share, and elements that each gets further by in a step.
  Value shares, perStep;
  int64_t mostPerStep = 0;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_PANELFETCH_H
