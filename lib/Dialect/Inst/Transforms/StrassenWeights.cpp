//===- StrassenWeights.cpp - matrices for seven products ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "StrassenWeights.h"
#include "mlir/IR/Threading.h"
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
/// Packed weights, whose panels are independent of each other.
struct Panels {
  MLIRContext *context;
  ArrayRef<float> values;
  int64_t count, depth, width;

  int64_t columns() const { return count * width; }
  /// Visits the row of each panel with its panel, row and first column, several
  /// panels at once.
  template <typename Visit> void forEach(Visit visit) const {
    parallelFor(context, 0, count, [&](size_t panel) {
      for (int64_t row = 0; row < depth; ++row)
        visit(panel, row, panel * width,
              values.slice((panel * depth + row) * width, width));
    });
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

/// Whether there are numbers that are not finite, or near the end of the range.
static bool hasLargest(const Panels &weights) {
  const float bound = std::ldexp(1.0f, kMostExponent);
  std::vector<char> found(weights.count);
  weights.forEach([&](int64_t panel, int64_t, int64_t, auto values) {
    bool isAny = false;
    for (float value : values)
      isAny |= !(std::fabs(value) < bound);
    found[panel] |= isAny;
  });
  return llvm::is_contained(found, true);
}

/// Brings columns to one size, then rows, then columns again: what is large in
/// a row should be so in most of its columns.
static Exponents equilibrate(const Panels &weights) {
  int64_t columns = weights.columns(), depth = weights.depth;
  std::vector<float> byRow(depth, 1);
  auto ofColumns = [&] {
    std::vector<float> largest(columns);
    weights.forEach([&](int64_t, int64_t row, int64_t column, auto values) {
      float scale = byRow[row], *most = &largest[column];
      for (auto [i, value] : llvm::enumerate(values))
        most[i] = std::max(most[i], std::fabs(value * scale));
    });
    return exponentsOf(largest);
  };
  std::vector<float> byColumn = powersOf(ofColumns(), -1);
  std::vector<float> ofPanels(weights.count * depth), largest(depth);
  weights.forEach([&](int64_t panel, int64_t row, int64_t column, auto values) {
    float most = 0, *scales = &byColumn[column];
    for (auto [i, value] : llvm::enumerate(values))
      most = std::max(most, std::fabs(value * scales[i]));
    ofPanels[panel * depth + row] = most;
  });
  for (auto [i, most] : llvm::enumerate(ofPanels))
    largest[i % depth] = std::max(largest[i % depth], most);
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
  weights.forEach([&](int64_t, int64_t row, int64_t column, auto values) {
    float scale = byRow[row], *sums = &squares[column];
    for (auto [i, value] : llvm::enumerate(values)) {
      float scaled = value * scale * byColumn[column + i];
      sums[i] += scaled * scaled;
    }
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
  MLIRContext *context = location.getContext();
  Panels weights{context,
                 floatsOf(packed).take_front(2 * panels * width * depth),
                 2 * panels, depth, width};
  if (hasLargest(weights))
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
  float *all = writable(*matrices);
  int64_t half = depth / 2;
  parallelFor(context, 0, kProducts * panels, [&](size_t i) {
    const Signs<kQuarters> &signs = kRightSums[i / panels];
    int64_t panel = i % panels;
    float *out = all + i * half * width;
    for (int64_t row = 0; row < half; ++row, out += width) {
      // Of one number or two, so rounded once. The first is stored, not added:
      // a page that is read before it is written takes two faults.
      bool isFirst = true;
      for (size_t quarter = 0; quarter < kQuarters; ++quarter) {
        if (signs[quarter] == 0)
          continue;
        int64_t k = row + (isLower(quarter) ? half : 0);
        int64_t from = panel + (isRight(quarter) ? panels : 0);
        const float *values = &weights.values[(from * depth + k) * width];
        const float *scales = &byColumn[from * width];
        float scale = signs[quarter] * byRow[k];
        for (int64_t lane = 0; lane < width; ++lane) {
          float scaled = values[lane] * scale * scales[lane];
          out[lane] = isFirst ? scaled : out[lane] + scaled;
        }
        isFirst = false;
      }
    }
  });
  return std::optional(StrassenWeights{*depthScales, *columnScales, *matrices});
}
