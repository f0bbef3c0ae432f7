//===- ShapePolicy.h - what to compile for the shapes that come -*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A model with open extents is compiled when its shapes are known. Code for one
// shape is the fastest; code for a range of shapes need not be compiled again
// for the next one. docs/Rationale/DynamicShapes.md explains the choices.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_DRIVER_SHAPEPOLICY_H
#define GLOW_LIB_DRIVER_SHAPEPOLICY_H

#include "glow/Driver/Program.h"
#include <deque>

namespace mlir::glow {

/// The values of one symbol that a program serves, both included.
struct SymbolRange {
  int64_t lower, upper;
  bool isFixed() const { return lower == upper; }
  bool contains(int64_t value) const {
    return lower <= value && value <= upper;
  }
  bool operator==(const SymbolRange &other) const {
    return lower == other.lower && upper == other.upper;
  }
};

/// A range for each symbol.
struct ShapeBox {
  SmallVector<SymbolRange> ranges;

  static ShapeBox of(ArrayRef<int64_t> values);
  bool isFixed() const;
  bool contains(ArrayRef<int64_t> values) const;
  /// Shapes in it; an infinity rather than an overflow.
  double size() const;
  bool operator==(const ShapeBox &other) const {
    return ranges == other.ranges;
  }
};

/// Decides which shapes a program is compiled for.
class ShapePolicy {
public:
  explicit ShapePolicy(DynamicShapes mode) : mode(mode) {}

  /// What should serve a run on these values: one of `compiled`, or a box to
  /// compile for.
  ShapeBox choose(ArrayRef<int64_t> values, ArrayRef<ShapeBox> compiled);

  /// Ranges cannot be compiled: every shape gets a program of its own.
  void giveUpRanges() { mode = DynamicShapes::Exact; }

private:
  /// Runs that are remembered, and how many of them make a shape a frequent
  /// one.
  static constexpr size_t kRemembered = 32, kFrequent = 8;
  /// After so many programs every extent that ever varied becomes a range.
  static constexpr size_t kPrograms = 8;

  bool isFrequent(ArrayRef<int64_t> values) const;
  ShapeBox boxAround(ArrayRef<int64_t> values) const;

  using Values = SmallVector<int64_t>;
  DynamicShapes mode;
  std::deque<Values> recent;
  /// The values for which something was compiled.
  std::vector<Values> triggers;
};

} // namespace mlir::glow

#endif // GLOW_LIB_DRIVER_SHAPEPOLICY_H
