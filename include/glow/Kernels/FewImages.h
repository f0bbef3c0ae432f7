//===- FewImages.h - products of few of many images ------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_FEWIMAGES_H
#define GLOW_KERNELS_FEWIMAGES_H

#include "glow/Kernels/Contraction.h"

namespace mlir::glow {

/// A product of an open number of images, of texts, or of rows, of which there
/// are a few at most. If there is one, it is made as in a model of one; a few
/// rows have tiles of their own.
class FewImagesKernel : public Kernel {
public:
  /// Null unless `all` is the plan of such a product, and that of few images
  /// differs.
  static std::unique_ptr<Kernel> make(const ContractionPlan &all,
                                      const ContractionSpec &spec,
                                      ValueRange buffers, ScalarRegion epilogue,
                                      const KernelTarget &target);

  int64_t tickets() const override;
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;
  int64_t flops() const override { return all.flops(); }
  bool staysWithinLimits(size_t operand) const override;
  std::optional<TunableKernel> tunable() const override {
    return all.tunable();
  }

private:
  /// The product of one image, or of up to `most`.
  struct Case {
    int64_t most;
    ContractionKernel kernel;
  };

  FewImagesKernel(LoopAxis images, ContractionKernel all,
                  std::vector<Case> cases)
      : images(std::move(images)), all(std::move(all)),
        cases(std::move(cases)) {}

  /// Whether there are as many as the case is for; `limit` is that of `images`.
  Value isMet(KernelBuilder &builder, const Case &one, Value limit) const;

  /// The axis that is limited to a multiple of their number.
  LoopAxis images;
  ContractionKernel all;
  std::vector<Case> cases; // Fewest first.
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_FEWIMAGES_H
