//===- UnitCount.h - numbers that depend on an extent ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_UNITCOUNT_H
#define GLOW_SUPPORT_UNITCOUNT_H

#include <cstdint>

namespace mlir::glow {

/// A number of elements that depends on an extent known at run time: so many
/// units, of which each is that extent, and a rest. As one integer it is a
/// stride like any other for generators of kernels, which add and multiply
/// strides; the code that they emit puts the extent in the place of a unit.
struct UnitCount {
  /// More elements than any buffer has.
  static constexpr int64_t kUnit = int64_t(1) << 40;
  /// Units, and buffers with so many of them, do not overflow.
  static constexpr int64_t kMostUnits = int64_t(1) << 20;

  int64_t units = 0, rest = 0;

  static UnitCount of(int64_t number) {
    int64_t units = (number + kUnit / 2) >> 40;
    return {units, number - units * kUnit};
  }
  int64_t number() const { return units * kUnit + rest; }
};

} // namespace mlir::glow

#endif // GLOW_SUPPORT_UNITCOUNT_H
