//===- SplitDilations.h - dilated convolutions as dense ones ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_TRANSFORMS_SPLITDILATIONS_H
#define GLOW_DIALECT_GLOW_TRANSFORMS_SPLITDILATIONS_H

#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Support/Winograd.h"

namespace mlir::glow {

/// How many phases images, or the frames of clips, have along rows and columns:
/// the dilations of axes along which a window has several places.
std::array<int64_t, 2> phaseCounts(ConvOp conv);

/// Whether a convolution of images or clips with these dilations is known well
/// enough to be split, and has any.
bool canSplitDilations(ConvOp conv);

/// Replaces the convolution by one without dilations but along frames. Its
/// images are the places of an image that are a dilation apart; rows and
/// columns of its results are multiples of the tile's.
void splitDilations(ConvOp conv, const WinogradTile &tile);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_TRANSFORMS_SPLITDILATIONS_H
