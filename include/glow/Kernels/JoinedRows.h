//===- JoinedRows.h - rows of several images as one axis -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where few of an image's rows may be there, tiles of them alone would read the
// right-hand side anew for each image. Rows that are there are counted through
// instead, one image's behind the other's, and each has an offset of its own.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_KERNELS_JOINEDROWS_H
#define GLOW_KERNELS_JOINEDROWS_H

#include "glow/Kernels/LoopNest.h"

namespace mlir::glow {

/// The index of an image, and of a row in it.
struct RowPlace {
  Value image, row;
};

/// Images, or other matrices that share the right-hand side, and the rows of
/// each, of which not all need be there. The lines of one image are such
/// matrices too.
struct JoinedRows {
  LoopAxis images, rows;

  int64_t extent() const { return images.extent * rows.extent; }
  /// Whether all rows of an operand are at one distance from each other.
  bool isEven(size_t operand) const {
    return !rows.isBounded() &&
           images.strides[operand] == rows.extent * rows.strides[operand];
  }
  /// How many rows are there.
  Value limit(KernelBuilder &b) const;
  /// Where the row of a number is. Numbers from the limit on are those of rows
  /// that are not needed.
  RowPlace placeOf(KernelBuilder &b, Value number) const;
  /// The same of `count` rows from `first` on.
  SmallVector<RowPlace> placesFrom(KernelBuilder &b, Value first,
                                   int64_t count) const;
  /// The offset in an operand.
  Value offset(KernelBuilder &b, RowPlace place, size_t operand) const;

private:
  RowPlace unlessBeyond(KernelBuilder &b, RowPlace place, Value number) const;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_JOINEDROWS_H
