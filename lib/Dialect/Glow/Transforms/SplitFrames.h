//===- SplitFrames.h - convolutions of clips, frame by frame ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_TRANSFORMS_SPLITFRAMES_H
#define GLOW_DIALECT_GLOW_TRANSFORMS_SPLITFRAMES_H

#include "glow/Dialect/Glow/IR/Glow.h"

namespace mlir::glow {

/// One tap along the first of three spatial axes: the frames of the result that
/// it adds to, and how far before them are those that it reads.
struct FrameTap {
  int64_t first, last, shift;
  int64_t frames() const { return last - first; }
};

/// The taps of a convolution of clips that adds up convolutions of frames, of
/// which one, the last, adds to all frames. None if it cannot be split.
SmallVector<FrameTap> frameTaps(ConvOp conv);

/// Replaces the convolution, which has these taps, by those of frames.
void splitFrames(ConvOp conv, ArrayRef<FrameTap> taps);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_TRANSFORMS_SPLITFRAMES_H
