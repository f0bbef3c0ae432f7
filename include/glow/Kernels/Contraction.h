//===- Contraction.h - tiled sums of products ------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_CONTRACTION_H
#define GLOW_KERNELS_CONTRACTION_H

#include "glow/Kernels/MicroKernel.h"

namespace mlir::glow {

/// Products of matrices, and convolutions without padding as such products.
class ContractionKernel : public Kernel {
public:
  ContractionKernel(ContractionPlan plan, ContractionSpec spec,
                    ScalarRegion epilogue)
      : plan(std::move(plan)), spec(std::move(spec)), epilogue(epilogue) {}

  int64_t tickets() const override { return plan.cut.tickets; }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;
  int64_t flops() const override;
  /// Along the depth. Rows and columns are computed in whole tiles.
  bool staysWithinLimits(size_t operand) const override {
    return operand == 1 && !spec.packed && !plan.columns.isBounded() &&
           !plan.registerDepth && plan.group == 1;
  }
  std::optional<TunableKernel> tunable() const override {
    return plan.tunable();
  }
  bool usesTiles() const { return plan.registerDepth > 0; }

private:
  /// The rectangle of tiles that one point of the work stands for.
  struct Block {
    /// Offsets of the operands at row and column 0.
    SmallVector<Value> offsets;
    Value firstRow, lastRow, firstColumn, lastColumn;
    Value columnBlock;
    /// The first place of its group of rows along their outermost axis.
    Value groupStart;
    /// Places of the axis around the rows, if blocks have several.
    Value lines;
    /// What makes the index of a tile of rows that among all which share a
    /// panel, and that of its sums in memory.
    Value sharing, place;
    /// Whether any of it is within the extents at run time; null: it is.
    Value isNeeded;
  };
  /// What is done in place of `index` when a range is gone through.
  Value inOrder(KernelBuilder &builder, Value first, Value last,
                Value index) const;
  Value livePoints(KernelBuilder &builder) const;
  Block locate(KernelBuilder &builder, Value point) const;
  /// Places along the outer axes and among the blocks of rows. Sets the block's
  /// columns and group.
  SmallVector<Value> placesOf(KernelBuilder &builder, Value point,
                              Block &block) const;
  void emitBlock(KernelBuilder &builder, const MicroKernel &kernel,
                 ArrayRef<KernelBuffer> buffers, const Block &block) const;
  void emitColumns(KernelBuilder &builder, const MicroKernel &kernel,
                   ArrayRef<KernelBuffer> buffers, const Block &block,
                   const ColumnSegment &segment, Value column) const;
  /// The columns of one tile, with all lines and rows of the block.
  void emitLines(KernelBuilder &builder, const Block &block,
                 function_ref<void(const Block &)> emitLine) const;
  /// The same for each part of the depth, in turn.
  void emitParts(KernelBuilder &builder, const Block &block, MicroTile &tile,
                 function_ref<void(const Block &)> emitLine) const;
  /// Emits a tile's code for all tiles of rows in the block.
  void emitRows(KernelBuilder &builder, const Block &block, MicroTile &tile,
                function_ref<void(Value, int64_t)> emitTile) const;
  void emitLiveRows(KernelBuilder &builder, const Block &block,
                    function_ref<void(Value, int64_t)> emit) const;
  SmallVector<Value> panelOffsets(KernelBuilder &builder,
                                  const ColumnSegment &segment, Value start,
                                  Value column) const;
  void fetchOwnIfAlone(KernelBuilder &builder, MicroTile &tile) const;
  /// The same of those that come after the tile at `column`, or none.
  SmallVector<Value> nextPanel(KernelBuilder &builder,
                               const ColumnSegment &segment, Value start,
                               Value column) const;

  ContractionPlan plan;
  ContractionSpec spec;
  ScalarRegion epilogue;
};

/// The tiled kernel where the contraction's form allows it, else the direct
/// one. `buffers` as in emitEpilogue.
std::unique_ptr<Kernel> makeContractionKernel(ContractionSpec spec,
                                              ValueRange buffers,
                                              ScalarRegion epilogue,
                                              const KernelTarget &target);

} // namespace mlir::glow

#endif // GLOW_KERNELS_CONTRACTION_H
