//===- StridedRegions.h - arithmetic on strided views ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two questions about views decide whether buffers can be merged: do two views
// of one buffer share an element, and what does a view become when the buffer's
// elements move elsewhere. Both write addresses in a mixed radix whose digits
// are the axes.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_INST_ANALYSIS_STRIDEDREGIONS_H
#define GLOW_DIALECT_INST_ANALYSIS_STRIDEDREGIONS_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include <optional>

namespace mlir::glow::inst {

/// Which elements of its root a view has.
class StridedRegion {
public:
  explicit StridedRegion(Value buffer);
  /// False only if no element is one of the other region, of the same root.
  bool mayOverlap(const StridedRegion &other) const;

private:
  using Range = std::pair<int64_t, int64_t>;
  /// The first and last value of every digit of the addresses, if the region is
  /// a box in these digits; else none.
  SmallVector<Range> digitsIn(ArrayRef<int64_t> weights) const;

  /// Bytes of an element; 0 if the region is somewhere between its ends.
  int64_t element = 0;
  /// Bytes from the start of the root to its first element and behind its last,
  /// equal if it has none.
  int64_t begin = 0, end = 0;
  int64_t low = 0; // The first element.
  /// Extent and stride of axes of several elements, from `low` on.
  SmallVector<std::pair<int64_t, int64_t>> axes;
  /// Digits of its own strides, which views of one tensor mostly share.
  SmallVector<int64_t> weights;
  SmallVector<Range> digits;
};

/// Its place in its root is known: no slide has moved it.
bool isFixed(Value buffer);

/// False only if no element of `a` is one of `b`; both are views of one root.
bool mayOverlap(Value a, Value b);

/// The same of any two buffers.
bool mayMeet(Value a, Value b);

/// Both are known to be the same elements in the same order.
bool areSame(Value a, Value b);

/// A view type; a dense layout is written as none, so that equal views have
/// equal types.
MemRefType viewType(MemRefType like, ArrayRef<int64_t> shape,
                    ArrayRef<int64_t> strides, int64_t offset);

/// A buffer's root seen as `type`; the root itself if it has that type.
Value viewOrRoot(OpBuilder &builder, Location loc, Value buffer,
                 MemRefType type);

/// The view of `size` elements from `start` on along `axis` of a view or root.
Value sliceView(OpBuilder &builder, Location loc, Value buffer, int64_t axis,
                int64_t start, int64_t size);

/// A view's type as that of a buffer of its own, which begins with the view's
/// first element.
MemRefType withoutOffset(MemRefType view);

/// The axis that a kernel walks innermost: the last one of more than one
/// element; -1 if there is none.
int64_t innermostAxis(MemRefType type);

/// The view that holds `first` and then `next` along `axis`, both views of one
/// root; null if `next` does not continue `first`.
MemRefType joinViews(MemRefType first, MemRefType next, int64_t axis);

/// Moves the elements of one buffer to the places of a view of another.
class Relocation {
public:
  /// `from` must hold every element of its root exactly once; `to` has the same
  /// shape and element type.
  static std::optional<Relocation> get(Value from, Value to);

  /// What a view of `from`'s root becomes as a view of `to`'s root; nothing if
  /// no strides describe it.
  std::optional<MemRefType> relocate(MemRefType view) const;

private:
  /// One digit of an address in the source, most significant first.
  struct Digit {
    int64_t extent, weight; // weight: elements between successive values.
    int64_t target;         // The same in the destination.
  };
  SmallVector<Digit> digits;
  int64_t targetOffset = 0;
  int64_t bytesPerElement = 1;

  SmallVector<int64_t> split(int64_t address) const;
};

} // namespace mlir::glow::inst

#endif // GLOW_DIALECT_INST_ANALYSIS_STRIDEDREGIONS_H
