//===- OneRow.h - products that have one row at run time -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_ONEROW_H
#define GLOW_KERNELS_ONEROW_H

#include "glow/Kernels/Contraction.h"

namespace mlir::glow {

/// A product whose open rows fill at most one tile register, which takes as
/// long for one row as for all that it holds: vectors multiply a single one.
class OneRowKernel : public Kernel {
public:
  /// Null unless `tiles` are of such a product and vectors can make it too.
  static std::unique_ptr<Kernel> make(const ContractionPlan &tiles,
                                      const ContractionSpec &spec,
                                      ValueRange buffers, ScalarRegion epilogue,
                                      const KernelTarget &target);

  int64_t tickets() const override { return tiles.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;
  int64_t flops() const override { return tiles.flops(); }
  std::optional<TunableKernel> tunable() const override {
    return tiles.tunable();
  }

private:
  OneRowKernel(LoopAxis rows, ContractionKernel tiles,
               ContractionKernel vectors)
      : rows(std::move(rows)), tiles(std::move(tiles)),
        vectors(std::move(vectors)) {}

  LoopAxis rows;
  ContractionKernel tiles, vectors;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_ONEROW_H
