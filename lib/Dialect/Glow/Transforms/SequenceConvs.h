//===- SequenceConvs.h - convolutions along one axis -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_TRANSFORMS_SEQUENCECONVS_H
#define GLOW_DIALECT_GLOW_TRANSFORMS_SEQUENCECONVS_H

#include "glow/Dialect/Glow/IR/Glow.h"

namespace mlir::glow {

/// Rows and columns of the image that a result becomes whose windows lie along
/// the first spatial axis alone: places of that axis that are a dilation apart
/// are rows, those between and the other axes are columns.
struct SequenceImage {
  int64_t rows, columns;

  /// Nothing if the convolution is no such one, or an image without dilations
  /// already.
  static std::optional<SequenceImage> of(ConvOp conv);
};

/// Whether the places of input and result are those of images as they are.
bool isWholeImage(ConvOp conv);

/// Replaces the convolution by one of images, without dilations, of which
/// `rows` divides the number of rows: zeros are added. As they are, if `rows`
/// is none.
void makeImages(ConvOp conv, std::optional<int64_t> rows);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_TRANSFORMS_SEQUENCECONVS_H
