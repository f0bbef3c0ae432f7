//===- TileKernel.h - products in tile registers ---------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_TILEKERNEL_H
#define GLOW_KERNELS_TILEKERNEL_H

#include "glow/Kernels/MicroKernel.h"

namespace mlir::glow {

/// Emits tiles of up to 32 x 32 sums in four of the eight tile registers that
/// AMX has. One instruction multiplies 16 rows by 16 columns, over 64 bytes of
/// depth. Sums go to the epilogue through memory.
class TileKernel : public MicroKernel {
public:
  TileKernel(KernelBuilder &builder, const ContractionPlan &plan,
             const ContractionSpec &spec, const ScalarRegion &epilogue,
             ArrayRef<KernelBuffer> buffers);

  void emit(const MicroTile &tile, const KernelBuffer &rhs) const override;

private:
  /// The rows of one register, from `start` on, counted from the tile's first.
  /// Those before `first` belong to another tile, and are computed again so
  /// that all registers have one form.
  struct RowBlock {
    int64_t start, first;
  };
  SmallVector<RowBlock> rowBlocks(const MicroTile &tile) const;

  /// A part of the depth, on top of the sums in memory; the last one goes on to
  /// the epilogue.
  void emitPart(const MicroTile &tile, const KernelBuffer &rhs) const;
  /// What comes in as no sums at all is added up in memory, in parts.
  SmallVector<Value> emitAxes(const MicroTile &tile, const KernelBuffer &rhs,
                              size_t axis, Step at, ValueRange sums) const;
  SmallVector<Value> emitInnermost(const MicroTile &tile,
                                   const KernelBuffer &rhs, Step at,
                                   ValueRange sums) const;
  SmallVector<Value> emitSteps(const MicroTile &tile, const KernelBuffer &rhs,
                               Step at, int64_t extent, ValueRange sums) const;
  bool isApart(size_t axis) const {
    return plan.sumsApart(plan.reduced) == axis;
  }
  SmallVector<Value> zeros(const MicroTile &tile) const;
  /// Adds sums of `body`, which start at zero, to those in memory.
  void addApart(const MicroTile &tile,
                function_ref<SmallVector<Value>(ValueRange)> body) const;
  /// `count` elements along the depth.
  SmallVector<Value> emitProducts(const MicroTile &tile,
                                  const KernelBuffer &rhs, int64_t count,
                                  Step at, ValueRange sums) const;
  Value loadLhs(const RowBlock &rows, Value at, int64_t count) const;
  Value loadRhs(const MicroTile &tile, const KernelBuffer &rhs, int64_t vector,
                Value at, int64_t count) const;
  Value multiply(Value lhs, Value rhs, Value sums) const;
  /// The place of a row block's sums in memory; that of one register, where
  /// the tile's sums begin with `first`.
  int64_t placeOf(size_t block) const;
  Value placeOf(const MicroTile &tile, size_t sum, Value first) const;
  void storeSums(const MicroTile &tile, ValueRange sums, Value first) const;
  SmallVector<Value> loadSums(const MicroTile &tile, Value first) const;
  void emitEpilogues(const MicroTile &tile, const KernelBuffer &sums,
                     Value first) const;
  /// With the tile that has its offsets where this row is, unless it is none.
  void emitInLine(const MicroTile &tile, Value row,
                  function_ref<void(const MicroTile &, Value)> emit) const;

  Type lhsTile, rhsTile, sumTile;
  /// Sums on their way to the epilogue, those of all parts, and steps at the
  /// end of the depth, filled up with zeros.
  KernelBuffer sumScratch, totalScratch, lhsScratch, rhsScratch;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_TILEKERNEL_H
