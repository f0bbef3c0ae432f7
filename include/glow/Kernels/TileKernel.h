//===- TileKernel.h - products in tile registers ---------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_TILEKERNEL_H
#define GLOW_KERNELS_TILEKERNEL_H

#include "glow/Kernels/MicroKernel.h"
#include "glow/Kernels/WaitingRows.h"

namespace mlir::glow {

/// Emits tiles of up to 32 x 32 sums in four of the eight tile registers that
/// AMX has. One instruction multiplies 16 rows by 16 columns, over 64 bytes of
/// depth. Sums go to the epilogue through memory.
class TileKernel : public MicroKernel {
public:
  /// Marks an `amx.tile_load` whose lines are not to stay in the first level.
  static constexpr StringLiteral kStreamed = "glow.streamed";

  TileKernel(KernelBuilder &builder, const ContractionPlan &plan,
             const ContractionSpec &spec, const ScalarRegion &epilogue,
             ArrayRef<KernelBuffer> buffers);

  void emit(const MicroTile &tile, const KernelBuffer &rhs) const override;
  void finish(const ColumnSegment &columns) const override;

private:
  /// Where the rows of each register start, counted from the tile's first. All
  /// registers have one form, so rows before that, or those of another
  /// register, may be computed again.
  SmallVector<int64_t> rowBlocks(const MicroTile &tile) const;

  /// What comes in as no sums at all is added up in memory, in parts.
  SmallVector<Value> emitAxes(const MicroTile &tile, const KernelBuffer &rhs,
                              size_t axis, Step at, ValueRange sums) const;
  SmallVector<Value> emitInnermost(const MicroTile &tile,
                                   const KernelBuffer &rhs, Step at,
                                   ValueRange sums) const;
  SmallVector<Value> emitSteps(const MicroTile &tile, const KernelBuffer &rhs,
                               Step at, Value count, ValueRange sums) const;
  bool isApart(size_t axis) const {
    return plan.sumsApart(plan.reduced) == axis;
  }
  /// Whether sums are added up in memory, in parts.
  bool hasTotals() const { return !isApart(plan.reduced.size()); }
  SmallVector<Value> zeros(const MicroTile &tile) const;
  /// Adds sums of `body`, which start at zero, to those in memory.
  void addApart(const MicroTile &tile,
                function_ref<SmallVector<Value>(ValueRange)> body) const;
  /// `count` elements along the depth. Columns of the next panel are asked for
  /// that belong to the place `asked` of this one, if there is one.
  SmallVector<Value> emitProducts(const MicroTile &tile,
                                  const KernelBuffer &rhs, int64_t count,
                                  Step at, ValueRange sums,
                                  Value asked = {}) const;
  Value loadTile(Type tile, const KernelBuffer &from, Value at, int64_t stride,
                 bool isStreamed = false) const;
  Value loadLhs(int64_t firstRow, Value at, int64_t count) const;
  Value loadRhs(const MicroTile &tile, const KernelBuffer &rhs, int64_t vector,
                Value at, int64_t count) const;
  Value multiply(Value lhs, Value rhs, Value sums) const;
  /// The place of a register's sums in memory, where the tile's begin with
  /// `first`. What rows belong to both row blocks have the same place in both.
  Value placeOf(const MicroTile &tile, size_t sum, Value first) const;
  void storeSums(const MicroTile &tile, ValueRange sums, Value first) const;
  /// Where sums that are added up in parts begin: not where others wait.
  Value totalPlace() const;
  /// The epilogue of the tile, whose sums begin with `first`, is done between
  /// the products of the next one.
  void putOff(const MicroTile &tile, Value first) const;
  /// Up to `count` rows of the epilogue that waits.
  void emitWaiting(const ColumnSegment &columns, int64_t count) const;
  /// So many with each step along the depth that none is left at the end; 0
  /// where nobody knows how many steps there are.
  int64_t rowsPerStep() const;
  /// With the tile that has its offsets where this row is, unless it is none.
  void emitInLine(const MicroTile &tile, Value row,
                  function_ref<void(const MicroTile &, Value)> emit) const;

  Type lhsTile, rhsTile, sumTile;
  /// Sums on their way to the epilogue, those of all parts, and steps at the
  /// end of the depth, filled up with zeros.
  KernelBuffer sumScratch, totalScratch, lhsScratch, rhsScratch;
  WaitingRows waiting;
  PanelFetch panelFetch;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_TILEKERNEL_H
