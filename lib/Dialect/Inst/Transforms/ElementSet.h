//===- ElementSet.h - the elements of a view -------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_ELEMENTSET_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_ELEMENTSET_H

#include "mlir/IR/BuiltinTypes.h"

namespace mlir::glow::inst {

/// The elements that a view stands for, whatever the order of its axes.
class ElementSet {
public:
  explicit ElementSet(MemRefType view);

  bool operator==(const ElementSet &other) const {
    return offset == other.offset && axes == other.axes;
  }

  /// How many lie side by side in memory, until there is a gap.
  int64_t pieceSize() const {
    return axes.empty() || axes.front().first != 1 ? 1 : axes.front().second;
  }
  bool isOnePiece() const { return axes.size() < 2; }

  /// What becomes of a view of just these elements when they move together,
  /// without gaps but small ones between rows.
  MemRefType pack(MemRefType view) const;
  /// The elements that these then take.
  int64_t packedSize() const;

private:
  int64_t packedExtent(size_t axis) const;

  int64_t offset;
  /// Strides and extents, the smallest first.
  SmallVector<std::pair<int64_t, int64_t>> axes;
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_ELEMENTSET_H
