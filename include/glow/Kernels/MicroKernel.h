//===- MicroKernel.h - one tile of a contraction ---------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_MICROKERNEL_H
#define GLOW_KERNELS_MICROKERNEL_H

#include "glow/Kernels/PanelFetch.h"

namespace mlir::glow {

/// Where a tile stands, and its form.
struct MicroTile {
  int64_t rows;
  Value row; ///< the index of the first one
  /// The same, if windows may reach over the edge.
  std::optional<int64_t> borderRow;
  /// Where its rows are, and their offsets in lhs, if the plan joins images.
  SmallVector<RowPlace> places;
  SmallVector<Value> lhsRows;
  const ColumnSegment *columns;
  /// Offset of the tile's first element in each of the axes' operands, of its
  /// first row in lhs.
  SmallVector<Value> offsets;
  /// For each vector of columns, where it starts in rhs, and the distance of
  /// its rows: in panels of groups, that of groups divided by their size.
  SmallVector<Value> rhsOffsets;
  int64_t rhsStep;
  /// The same starts for what is fetched ahead, if anything is: the tile after
  /// it, or a part of the depth.
  SmallVector<Value> nextOffsets;
  /// Where in the panel the part begins that is multiplied meanwhile; null: at
  /// its start.
  Value fetchStart;
  Value mask; ///< of the last vector, if it is not whole
  /// Which tile of rows in its block it is.
  Value index;
  /// If the plan has parts: which one, and which of the tiles that it is done
  /// for.
  Value part, place;
};

/// Emits tiles: vectors of sums in registers, one broadcast element of each row
/// and a vector of each column group per step, and the epilogue at the end.
class MicroKernel {
public:
  virtual ~MicroKernel() = default;

  MicroKernel(KernelBuilder &builder, const ContractionPlan &plan,
              const ContractionSpec &spec, const ScalarRegion &epilogue,
              ArrayRef<KernelBuffer> buffers);

  /// `rhs` is where the right-hand side is read from.
  virtual void emit(const MicroTile &tile, const KernelBuffer &rhs) const;
  /// What was left for the next tile of these columns' form, where none comes.
  virtual void finish(const ColumnSegment &columns) const {}

private:
  /// Of the row `down` rows below the tile's first, in an operand.
  Value rowOffset(const MicroTile &tile, Value down, size_t operand) const;
  /// Parts of the depth, from the tile's part on.
  void emitParts(const MicroTile &tile, const KernelBuffer &rhs) const;
  /// One of them, on top of the sums in memory; the last one of all goes on to
  /// the epilogue.
  void emitPart(const MicroTile &tile, const KernelBuffer &rhs) const;
  /// Asks for what the epilogue reads beside the sums.
  void fetchTerms(const MicroTile &tile) const;
  /// Asks for what the windows of a later tile of the line read, channel by
  /// channel, and those above them did not.
  void fetchWindows(const MicroTile &tile) const;
  SmallVector<Value> zeros(const MicroTile &tile) const;
  void emitEpilogues(const MicroTile &tile, ValueRange sums) const;
  /// Rows of a tile, of which some tap has products.
  using RowRange = std::pair<int64_t, int64_t>;
  RowRange rowsInside(const MicroTile &tile, const Window &window,
                      int64_t tap) const;
  SmallVector<Value> emitSums(const MicroTile &tile, const KernelBuffer &rhs,
                              size_t axis, Value lhs, Value step,
                              RowRange range, ValueRange sums) const;
  /// Taps that the plan joins, for each place in the groups row by row.
  SmallVector<Value> emitTapsOfGroups(const MicroTile &tile,
                                      const KernelBuffer &rhs, Value lhs,
                                      Value step, RowRange range,
                                      ValueRange sums) const;
  /// The sums, to which those of `body`, which start at zero, are added.
  SmallVector<Value>
  addApart(ValueRange sums,
           function_ref<SmallVector<Value>(ValueRange)> body) const;
  /// All of the innermost axis, cut where a sum gets too long.
  SmallVector<Value> emitInnermost(const MicroTile &tile,
                                   const KernelBuffer &rhs, Value lhs,
                                   Value step, RowRange range,
                                   ValueRange sums) const;
  /// Asks for as much of the next tile's rows, in order, as is the share of
  /// `steps` steps of the depth from `first` on. This tile's begin at `lhs`.
  void fetchRows(const MicroTile &tile, Value lhs, Value first,
                 int64_t steps) const;
  /// Steps of the depth in one turn of the loop.
  int64_t stepsPerTurn(const MicroTile &tile) const;
  SmallVector<Value> emitSteps(const MicroTile &tile, const KernelBuffer &rhs,
                               Value lhs, Value step, Value count,
                               RowRange range, ValueRange sums) const;
  /// One group of `count` elements along the depth, or the element `place` of
  /// each group of columns.
  SmallVector<Value> emitStep(const MicroTile &tile, const KernelBuffer &rhs,
                              Value lhs, Value step, int64_t count,
                              int64_t place, RowRange range,
                              ValueRange sums) const;
  /// What a buffer holds, as what sums are made of.
  Value widened(Value value, const KernelBuffer &buffer) const;
  /// The inputs of `lanes` columns, of those in groups the step `place`.
  Value loadInputs(Value at, int64_t lanes, Value mask, int64_t place) const;
  ArrayRef<PlannedAxis> axesOf(const MicroTile &tile) const {
    return tile.borderRow ? plan.borderReduced : plan.reduced;
  }

protected:
  /// Where a step of the depth is: offsets in lhs and in panels of rhs.
  struct Step {
    Value lhs, rhs;
  };
  Step stepFrom(const MicroTile &tile, size_t axis, Step at, Value i) const;
  /// The tile's part: its place along the axes that parts count.
  SmallVector<Value> partIndices(const MicroTile &tile) const;
  /// Where it begins.
  Step partOf(const MicroTile &tile) const;
  /// The tile, with the parts after these, which begin at `at`, as those that
  /// are fetched ahead.
  MicroTile fetchingPart(const MicroTile &tile, Step at) const;
  /// Whether its taps lie inside the input; null if all do.
  Value isPartInside(const MicroTile &tile) const;
  /// Sums of one vector of columns, or several from it on, `row` rows below the
  /// tile's first.
  struct SumPlace {
    Value row;
    int64_t vector;
    Value sums;
  };
  /// What follows on them.
  void emitEpilogue(const MicroTile &tile, ArrayRef<SumPlace> places) const;
  Value maskOf(const MicroTile &tile, int64_t vector) const {
    return vector + 1 == tile.columns->vectors ? tile.mask : Value();
  }
  /// What one element of a reduced axis adds to the place in rhs.
  int64_t rhsStepOf(const MicroTile &tile, size_t axis) const;

  KernelBuilder &b;
  const ContractionPlan &plan;
  const ContractionSpec &spec;
  const ScalarRegion &epilogue;
  ArrayRef<KernelBuffer> buffers;

private:
  PanelStream panelStream;
  /// Sums of the parts so far, those of several tiles.
  KernelBuffer partScratch;
  /// Sums of a tile on their way to a long epilogue; null with a short one.
  KernelBuffer sumScratch;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_MICROKERNEL_H
