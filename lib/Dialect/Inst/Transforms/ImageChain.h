//===- ImageChain.h - what becomes a loop over images ----------*- C++ -*-===//
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

/// An access of an instruction, and what of it one image needs.
struct ImageAccess : Access {
  Value root;
  /// Elements from an image to the next one; 0 if all need the same.
  int64_t step;
  /// Whether the first image's part lies within the first `step` elements of
  /// the root, so that no image sees another one's.
  bool isDivided;
  double bytes, bytesOfImage;
};

/// An instruction that can be part of a chain.
struct ImageMember {
  Operation *op;
  ImageUses uses;
  SmallVector<ImageAccess> accesses;

  static std::optional<ImageMember> of(Operation *op, int64_t images,
                                       const Accesses &accesses);
};

/// Which accesses to a buffer forbid a loop whose results something else needs,
/// too. Such results are written apart from each other, and read only as they
/// are written: outputs of a loop that overlap would look as if they did not.
class ImageClashes {
public:
  /// Whether `next`, not before `access`, forbids it.
  bool exist(const ImageAccess &access, const ImageAccess &next);

private:
  DenseMap<std::pair<const ImageAccess *, const ImageAccess *>, bool> known;
};

class ImageChain {
public:
  /// What the chain does with one buffer.
  struct Root {
    bool isWritten = false;
    /// Whether all accesses are divided, by the same step.
    bool isDivided = true;
    bool hasClashes = false;
    int64_t step = 0;
    SmallVector<const ImageAccess *, 4> accesses;
  };

  ImageChain(int64_t images, const Accesses &accesses, ImageClashes &clashes)
      : images(images), accesses(accesses), clashes(clashes) {}

  /// Adds the instruction after the last one, which must outlive the chain;
  /// false if it cannot be part of the loop.
  bool join(const ImageMember &member);
  /// Whether the chain can be a loop as it is.
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
  ImageClashes &clashes;
  SmallVector<const ImageMember *> members;
  llvm::MapVector<Value, Root> roots;
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_IMAGECHAIN_H
