//===- DotKernel.h - few columns, summed along the depth -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a product has few columns, they leave most of a vector empty. Here
// vectors lie along the depth, which must be contiguous in both factors, and
// the lanes of a sum are added at the end.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_KERNELS_DOTKERNEL_H
#define GLOW_KERNELS_DOTKERNEL_H

#include "glow/Kernels/DirectContraction.h"

namespace mlir::glow {

class DotKernel : public Kernel {
public:
  /// Nothing if the product does not have this form. `buffers` as in
  /// emitEpilogue.
  static std::unique_ptr<Kernel> make(const ContractionSpec &spec,
                                      ValueRange buffers,
                                      const ScalarRegion &epilogue,
                                      const KernelTarget &target);

  int64_t tickets() const override { return nest.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;
  int64_t flops() const override { return 2 * products; }
  /// Columns are not limited.
  bool staysWithinLimits(size_t) const override {
    return llvm::none_of(spec.reduced, [](const ContractionAxis &axis) {
      return axis.isBounded();
    });
  }
  bool canEndEarly(size_t input, int64_t stride) const override;

private:
  DotKernel(const ContractionSpec &spec, LoopAxis columns,
            SmallVector<LoopAxis> axes, ValueRange buffers,
            const ScalarRegion &epilogue, const KernelTarget &target);
  void findInside();

  /// Some rows, where their sums begin.
  struct Tile {
    SmallVector<Value> offsets;
    Value at;
    int64_t rows;
  };
  void emitTile(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                const Tile &tile) const;
  /// Sums of each row, of each column, `chains` of each.
  SmallVector<Value> emitSums(KernelBuilder &builder,
                              ArrayRef<KernelBuffer> buffers, const Tile &tile,
                              size_t axis, Value lhs, Value rhs,
                              ValueRange sums) const;
  SmallVector<Value> emitInnermost(KernelBuilder &builder,
                                   ArrayRef<KernelBuffer> buffers,
                                   const Tile &tile, Value lhs, Value rhs,
                                   ValueRange sums) const;
  /// One vector of products for each sum of chain `chain`, of which the first
  /// `count` elements are there.
  void emitStep(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                const Tile &tile, Value lhs, Value rhs, Value count,
                int64_t chain, SmallVectorImpl<Value> &sums) const;
  int64_t chainsOf(int64_t rows) const;

  ContractionSpec spec;
  ScalarRegion epilogue;
  size_t numEpilogue;
  LoopAxis columns;
  LoopNest nest;
  int64_t products;
  /// Elements of a sum and of a factor in a vector.
  int64_t lanes, step;
  int64_t tileRows = 1;
  /// Rows between these have all their windows inside the input.
  int64_t firstInside = 0, lastInside;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_DOTKERNEL_H
