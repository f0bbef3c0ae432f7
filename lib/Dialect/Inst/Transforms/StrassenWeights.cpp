//===- StrassenWeights.cpp - matrices for seven products ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StrassenWeights.h"
#include <cmath>
#include <limits>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

const std::array<Signs<kQuarters>, kProducts> inst::kLeftSums{{{0, 0, 0, 1},
                                                               {0, 0, 1, 1},
                                                               {1, 1, 0, 0},
                                                               {1, 0, 0, 0},
                                                               {1, 0, 0, 1},
                                                               {-1, 0, 1, 0},
                                                               {0, 1, 0, -1}}};
const std::array<Signs<kQuarters>, kProducts> inst::kRightSums{{{-1, 0, 1, 0},
                                                                {1, 0, 0, 0},
                                                                {0, 0, 0, 1},
                                                                {0, 1, 0, -1},
                                                                {1, 0, 0, 1},
                                                                {1, 1, 0, 0},
                                                                {0, 0, 1, 1}}};
const std::array<Signs<kProducts>, kQuarters> inst::kResultSums{
    {{1, 0, -1, 0, 1, 0, 1},
     {0, 0, 1, 1, 0, 0, 0},
     {1, 1, 0, 0, 0, 0, 0},
     {0, -1, 0, 1, 1, 1, 0}}};

/// Scales stay far from the ends of the range of f32. That of zeros is 0.
static constexpr int kMostExponent = 100, kLeastDepthExponent = -60,
                     kOfZeros = std::numeric_limits<int>::min();
/// A number of that many times the root mean square of its column would leave
/// rows that do not use it with an error that is larger by that much.
static constexpr double kMostPeak = 16;

static ArrayRef<float> floatsOf(const Tensor &tensor) {
  return {reinterpret_cast<const float *>(tensor.bytes()),
          static_cast<size_t>(tensor.size())};
}
static float *writable(Tensor &tensor) {
  return reinterpret_cast<float *>(tensor.mutableBytes());
}

namespace {
/// Walks the elements of packed weights with their row and column.
struct Panels {
  ArrayRef<float> values;
  int64_t count, depth, width;

  template <typename Visit> void forEach(Visit visit) const {
    const float *value = values.data();
    for (int64_t panel = 0; panel < count; ++panel)
      for (int64_t row = 0; row < depth; ++row)
        for (int64_t column = 0; column < width; ++column)
          visit(row, panel * width + column, *value++);
  }
};

/// Exponents of D and E.
struct Exponents {
  std::vector<int> rows, columns;
};
} // namespace

/// 2^exponents, or their inverses.
static std::vector<float> powersOf(ArrayRef<int> exponents, int sign) {
  std::vector<float> powers;
  for (int exponent : exponents)
    powers.push_back(exponent == kOfZeros ? 0
                                          : std::ldexp(1.0f, sign * exponent));
  return powers;
}

/// Those of the largest numbers.
static std::vector<int> exponentsOf(ArrayRef<float> largest) {
  std::vector<int> exponents;
  for (float value : largest)
    exponents.push_back(value > 0 ? std::max(std::ilogb(value), -kMostExponent)
                                  : kOfZeros);
  return exponents;
}

/// Brings columns to one size, then rows, then columns again: what is large in
/// a row should be so in most of its columns.
static Exponents equilibrate(const Panels &weights) {
  int64_t columns = weights.count * weights.width;
  std::vector<float> byRow(weights.depth, 1);
  auto ofColumns = [&] {
    std::vector<float> largest(columns);
    weights.forEach([&](int64_t row, int64_t column, float value) {
      largest[column] =
          std::max(largest[column], std::fabs(value * byRow[row]));
    });
    return exponentsOf(largest);
  };
  std::vector<float> byColumn = powersOf(ofColumns(), -1);
  std::vector<float> largest(weights.depth);
  weights.forEach([&](int64_t row, int64_t column, float value) {
    largest[row] = std::max(largest[row], std::fabs(value * byColumn[column]));
  });
  Exponents result;
  result.rows = exponentsOf(largest);
  int top = *std::max_element(result.rows.begin(), result.rows.end());
  for (int &exponent : result.rows)
    if (exponent != kOfZeros)
      exponent = std::max(exponent - top, kLeastDepthExponent);
  byRow = powersOf(result.rows, -1);
  result.columns = ofColumns();
  return result;
}

/// Whether few numbers of a column of the scaled matrix are much larger than
/// the others. The largest one of a column is between 1 and 2.
static bool hasPeaks(const Panels &weights, ArrayRef<float> byRow,
                     ArrayRef<float> byColumn) {
  std::vector<float> squares(byColumn.size());
  weights.forEach([&](int64_t row, int64_t column, float value) {
    float scaled = value * byRow[row] * byColumn[column];
    squares[column] += scaled * scaled;
  });
  double least = weights.depth / (kMostPeak * kMostPeak);
  return llvm::any_of(llvm::zip(squares, byColumn), [&](auto column) {
    auto [square, scale] = column;
    return scale > 0 && square < least;
  });
}

/// A vector of powers of two.
static FailureOr<Tensor> scalesOf(Location location, Type f32,
                                  ArrayRef<int> exponents) {
  auto scales =
      Tensor::allocate(location, f32, static_cast<int64_t>(exponents.size()));
  if (succeeded(scales))
    llvm::copy(powersOf(exponents, 1), writable(*scales));
  return scales;
}

FailureOr<std::optional<StrassenWeights>>
inst::strassenWeights(Location location, const Tensor &packed, int64_t panels) {
  int64_t depth = packed.getDim(1), width = packed.getDim(2);
  int64_t columns = 2 * panels * width;
  Panels weights{floatsOf(packed).take_front(columns * depth), 2 * panels,
                 depth, width};
  if (!llvm::all_of(weights.values, [](float value) {
        return std::fabs(value) < std::ldexp(1.0f, kMostExponent);
      }))
    return std::optional<StrassenWeights>();
  Exponents exponents = equilibrate(weights);
  std::vector<float> byRow = powersOf(exponents.rows, -1);
  std::vector<float> byColumn = powersOf(exponents.columns, -1);
  if (hasPeaks(weights, byRow, byColumn))
    return std::optional<StrassenWeights>();
  Type f32 = packed.getElementType();
  auto depthScales = scalesOf(location, f32, exponents.rows);
  auto columnScales = scalesOf(location, f32, exponents.columns);
  auto matrices = Tensor::allocate(
      location, f32,
      {static_cast<int64_t>(kProducts), panels, depth / 2, width});
  if (failed(depthScales) || failed(columnScales) || failed(matrices))
    return failure();
  float *out = writable(*matrices);
  int64_t half = depth / 2;
  for (const Signs<kQuarters> &signs : kRightSums)
    for (int64_t panel = 0; panel < panels; ++panel)
      for (int64_t row = 0; row < half; ++row, out += width) {
        // Of one number or two, so rounded once.
        for (size_t quarter = 0; quarter < kQuarters; ++quarter) {
          if (signs[quarter] == 0)
            continue;
          int64_t k = row + (isLower(quarter) ? half : 0);
          int64_t from = panel + (isRight(quarter) ? panels : 0);
          const float *values = &weights.values[(from * depth + k) * width];
          const float *scales = &byColumn[from * width];
          float scale = signs[quarter] * byRow[k];
          for (int64_t lane = 0; lane < width; ++lane)
            out[lane] += values[lane] * scale * scales[lane];
        }
      }
  return std::optional(StrassenWeights{*depthScales, *columnScales, *matrices});
}
