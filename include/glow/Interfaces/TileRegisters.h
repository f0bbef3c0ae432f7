//===- TileRegisters.h - how rows fill tile registers ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_TILEREGISTERS_H
#define GLOW_INTERFACES_TILEREGISTERS_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>

namespace mlir::glow {

/// Rows in registers of `height` rows each, two of which meet two registers of
/// columns.
struct TileRows {
  /// Rows and columns that a register can have, and registers along each side.
  static constexpr int64_t kMost = 16, kSide = 2;
  /// The depth from which on a register is worth loading.
  static constexpr int64_t kLeastDepth = 16;

  int64_t height = 1;
  /// For all rows, two registers of columns and the depth of one, with each
  /// factor in so many pieces.
  double cycles = 0;
  /// Rows of several lines are neighbours.
  bool joined = false;

  /// The best height for rows at one distance from each other.
  static TileRows best(int64_t rows, int64_t pieces);
  /// The same where each of these numbers of rows is as likely.
  static int64_t heightFor(llvm::ArrayRef<int64_t> rows, int64_t pieces);
  /// Lines of rows that begin `pitch` rows after one another: taken one by one,
  /// or joined, with the rows between them, if that is faster.
  static TileRows ofLines(int64_t lines, int64_t rows, int64_t pitch,
                          int64_t pieces);
};

} // namespace mlir::glow

#endif // GLOW_INTERFACES_TILEREGISTERS_H
