//===- PanelCopy.h - columns copied into a panel of the frame --*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_PANELCOPY_H
#define GLOW_KERNELS_PANELCOPY_H

#include "glow/Kernels/ContractionPlan.h"

namespace mlir::glow {

/// Copies a tile's columns of a right-hand side that is not packed into a
/// panel: group by group along the depth, the groups of all columns side by
/// side.
class PanelCopy {
public:
  PanelCopy(KernelBuilder &builder, const ContractionPlan &plan,
            const KernelBuffer &rhs, const ColumnSegment &segment);

  /// Copies the columns from the one at `offset` on and returns the panel.
  KernelBuffer emit(Value offset) const;

private:
  /// Whether columns are rows in memory, so that squares of both are turned.
  bool isTurned() const;
  /// A square of groups for each vector of columns, from group `first` on.
  void emitSquares(Value offset, Value first) const;
  /// The groups of the last reduced axis from `first` on, one after the other.
  void emitGroups(Value from, Value to, Value first) const;
  /// Those before its limit.
  Value wholeGroups() const;
  /// One group of each column, of which `count` elements are there.
  void emitGroup(Value from, Value to, int64_t count) const;
  /// The same for rows that are neighbours in memory: two become one of pairs.
  void emitPairs(Value from, Value to, bool isWhole) const;
  /// Element by element or group by group, one reduced axis inside the other.
  void emitAxes(size_t axis, Value from, Value to) const;

  KernelBuilder &b;
  const ContractionPlan &plan;
  const KernelBuffer &rhs;
  const ColumnSegment &segment;
  KernelBuffer panel;
  int64_t columns, width;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_PANELCOPY_H
