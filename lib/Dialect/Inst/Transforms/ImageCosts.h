//===- ImageCosts.h - what loops over images gain --------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_IMAGECOSTS_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_IMAGECOSTS_H

#include "ImageChain.h"
#include "glow/Interfaces/KernelTarget.h"

namespace mlir::glow::inst {

/// Of one instruction, in cycles of one core.
struct ImageMemberCosts {
  double arithmetic; ///< Of all images.
  double lost;       ///< In a loop, whatever else is in it.
  double exposed;    ///< The part of reading weights that it waits for.

  ImageMemberCosts(const ImageMember &member, const KernelTarget &target,
                   bool strassen);
};

/// What a chain gains as a loop, in cycles, kept while it grows.
class ImageCosts {
public:
  explicit ImageCosts(const KernelTarget &target) : target(target) {}

  /// Counts in the chain's last member.
  void add(const ImageChain &chain, const ImageMemberCosts &own);
  /// Nothing if it is too little to be worth a loop.
  std::optional<double> gain(int64_t images) const;

private:
  /// Where a buffer was accessed last: how many bytes had passed by then, and
  /// how many of them were of that instruction's other operands.
  struct Use {
    double passed, others, passedOfImage, othersOfImage;
  };
  /// Accesses to a buffer so far, and what is saved of the first one if the
  /// buffer becomes scratch memory.
  struct Reuse {
    Use last;
    double writing = 0;
    size_t count = 0;
  };

  double cyclesPerByte(double distance, double perCycle) const;
  void addReuse(const ImageChain &chain, const ImageMember &member);

  const KernelTarget &target;
  llvm::DenseMap<Value, Reuse> reuses;
  llvm::DenseSet<Value> shared;
  /// Bytes that instructions have touched, of all images and of one.
  double passed = 0, passedOfImage = 0;
  /// Of what all images need, as far as is waited for.
  double exposedBytes = 0;
  double arithmetic = 0, lost = 0, saved = 0;
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_IMAGECOSTS_H
