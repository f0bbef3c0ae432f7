//===- StrassenWeights.h - matrices for seven products ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product of matrices cut in four quarters each, in seven products of
// quarters and their sums instead of eight. V. Strassen, Gaussian Elimination
// is not Optimal, Numerische Mathematik 13, 1969.
//
// The error of such a result is that of the largest of the numbers that its
// products mix, so all rows and columns are brought to one size first, and the
// rows of the right-hand side too: G. Ballard, A. Benson, A. Druinsky, B.
// Lipshitz and O. Schwartz, Improving the Numerical Stability of Fast Matrix
// Multiplication, SIMAX 37, 2016. All factors are powers of two.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_STRASSENWEIGHTS_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_STRASSENWEIGHTS_H

#include "glow/Interpreter/Tensor.h"
#include <array>

namespace mlir::glow::inst {

/// Upper left, upper right, lower left, lower right.
inline constexpr size_t kQuarters = 4, kProducts = 7;
inline constexpr bool isLower(size_t quarter) { return quarter >= 2; }
inline constexpr bool isRight(size_t quarter) { return quarter % 2 == 1; }

template <size_t count> using Signs = std::array<int, count>;

/// The quarters of each factor that are added up for a product, and the
/// products that are for a quarter of the result.
extern const std::array<Signs<kQuarters>, kProducts> kLeftSums, kRightSums;
extern const std::array<Signs<kProducts>, kQuarters> kResultSums;

/// A right-hand side B of `depth` rows as D B' E, where D and E are diagonal.
struct StrassenWeights {
  /// D, at most 1, and E.
  Tensor depthScales, columnScales;
  /// The sums of quarters of B' for the products: product, panel, depth / 2,
  /// width.
  Tensor matrices;
};

/// Of the first 2 `panels` of packed f32 weights: panel, depth, width. Nothing
/// if a number is not finite, near the end of the range, or much larger than
/// all others of its column.
FailureOr<std::optional<StrassenWeights>>
strassenWeights(Location location, const Tensor &packed, int64_t panels);

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_STRASSENWEIGHTS_H
