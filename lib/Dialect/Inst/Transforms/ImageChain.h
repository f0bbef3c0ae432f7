//===- ImageChain.h - instructions that become a loop over images *- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain is what follows one another in a block. All accesses to a buffer that
// it writes must move by the same number of elements from image to image and
// stay within these, so that no image sees what another one writes.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_IMAGECHAIN_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_IMAGECHAIN_H

#include "ImageUses.h"
#include "glow/Dialect/Inst/Analysis/Accesses.h"

namespace mlir::glow::inst {

/// An instruction that can be part of a chain.
struct ImageMember {
  Operation *op;
  ImageUses uses;
  SmallVector<Access> accesses;

  static std::optional<ImageMember> of(Operation *op, int64_t images,
                                       const Accesses &accesses);
};

class ImageChain {
public:
  /// What the chain does with one buffer.
  struct Root {
    bool isWritten = false;
    /// Whether all accesses are to the image's part of `step` elements.
    bool isDivided = true;
    int64_t step = 0;
    /// How many accesses the chain has, and those that write.
    size_t count = 0;
    SmallVector<Access, 2> writes;
  };

  ImageChain(int64_t images, const Accesses &accesses)
      : images(images), accesses(accesses) {}

  /// Adds the instruction after the last one, which must outlive the chain;
  /// false if it cannot be part of the loop.
  bool join(const ImageMember &member);
  /// Whether the chain can be a loop as it is: what it reads of its results
  /// that others need, too, must be as it wrote it.
  bool isComplete() const;
  /// Whether nothing else needs the buffer, which then is scratch memory.
  bool isPrivate(Value root) const;

  int64_t numImages() const { return images; }
  ArrayRef<const ImageMember *> getMembers() const { return members; }
  const llvm::MapVector<Value, Root> &getRoots() const { return roots; }

  /// Replaces the chain by the loop.
  void emit() const;

private:
  int64_t images;
  const Accesses &accesses;
  SmallVector<const ImageMember *> members;
  llvm::MapVector<Value, Root> roots;
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_IMAGECHAIN_H
