//===- OneImage.h - products of one of many images -------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_ONEIMAGE_H
#define GLOW_KERNELS_ONEIMAGE_H

#include "glow/Kernels/Contraction.h"

namespace mlir::glow {

/// A product of an open number of images, of texts, or of rows, of which there
/// are a few at most. If there is one, it is made as in a model of one.
class OneImageKernel : public Kernel {
public:
  /// Null unless `many` is the plan of such a product, and that of one image
  /// differs.
  static std::unique_ptr<Kernel> make(const ContractionPlan &many,
                                      const ContractionSpec &spec,
                                      ValueRange buffers, ScalarRegion epilogue,
                                      const KernelTarget &target);

  int64_t tickets() const override {
    return std::max(many.tickets(), one.tickets());
  }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;
  int64_t flops() const override { return many.flops(); }
  bool staysWithinLimits(size_t operand) const override {
    return many.staysWithinLimits(operand) && one.staysWithinLimits(operand);
  }
  std::optional<TunableKernel> tunable() const override {
    return many.tunable();
  }

private:
  OneImageKernel(LoopAxis images, ContractionKernel many, ContractionKernel one)
      : images(std::move(images)), many(std::move(many)), one(std::move(one)) {}

  /// The axis that is limited to a multiple of their number.
  LoopAxis images;
  ContractionKernel many, one;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_ONEIMAGE_H
