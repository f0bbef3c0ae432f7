//===- Winograd.cpp - the transforms of minimal filtering -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Toom and Cook's way to F(m, r): polynomials with the inputs' or the taps'
// numbers as coefficients, at m + r - 2 points and at infinity.
//
//===----------------------------------------------------------------------===//
#include "glow/Support/Winograd.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir::glow;
using llvm::ArrayRef;
using llvm::SmallVector;

/// The coefficients of the product of x - p over the points p, but for `left`.
static SmallVector<double> productAt(ArrayRef<double> points, size_t left) {
  SmallVector<double> coefficients{1};
  for (size_t j = 0; j < points.size(); ++j) {
    if (j == left)
      continue;
    coefficients.push_back(0);
    for (size_t k = coefficients.size(); k-- > 0;)
      coefficients[k] =
          (k > 0 ? coefficients[k - 1] : 0) - points[j] * coefficients[k];
  }
  return coefficients;
}

/// The inverse of the first `columns` rows, by Gauss and Jordan's algorithm.
/// Points differ, so no pivot is zero.
static WinogradMatrix inverseOfFirstRows(const WinogradMatrix &matrix) {
  size_t n = matrix.columns;
  size_t width = 2 * n;
  SmallVector<double> work(n * width, 0);
  for (size_t i = 0; i < n; ++i) {
    llvm::copy(matrix.row(i), work.begin() + i * width);
    work[i * width + n + i] = 1;
  }
  for (size_t p = 0; p < n; ++p) {
    double pivot = work[p * width + p];
    for (size_t k = 0; k < width; ++k)
      work[p * width + k] /= pivot;
    for (size_t i = 0; i < n; ++i)
      for (size_t k = width; i != p && k-- > p;)
        work[i * width + k] -= work[i * width + p] * work[p * width + k];
  }
  WinogradMatrix inverse{{}, matrix.rows()};
  for (size_t i = 0; i < n; ++i) {
    llvm::append_range(inverse.values, ArrayRef(work).slice(i * width + n, n));
    inverse.values.append(matrix.rows() - n, 0);
  }
  return inverse;
}

/// Of a polynomial of `size` coefficients, what gives its value at a point. At
/// infinity that is the last one.
static SmallVector<double> valueAt(std::optional<double> point, size_t size) {
  SmallVector<double> powers(size, 0);
  powers.back() = 1;
  if (point)
    for (size_t k = 0; k < size; ++k)
      powers[k] = k == 0 ? 1 : powers[k - 1] * *point;
  return powers;
}

static WinogradTransform transformAt(ArrayRef<double> finite, size_t outputs,
                                     size_t taps) {
  SmallVector<std::optional<double>> points(finite.begin(), finite.end());
  points.push_back(std::nullopt);
  size_t inputs = points.size();
  WinogradMatrix input{{}, inputs}, filter{{}, taps}, output{{}, inputs};
  for (auto [i, point] : llvm::enumerate(points)) {
    SmallVector<double> row = productAt(finite, i);
    row.resize(inputs, 0);
    double scale = 0; // of the row at the point, or its last coefficient
    for (auto [power, coefficient] :
         llvm::zip_equal(valueAt(point, inputs), row))
      scale += power * coefficient;
    // A sum that begins with a positive term takes an operation less.
    double sign = *llvm::find_if(row, [](double c) { return c != 0; });
    sign = sign < 0 ? -1 : 1;
    for (double coefficient : row)
      input.values.push_back(sign * coefficient);
    for (double power : valueAt(point, taps))
      filter.values.push_back(power == 0 ? 0 : power * sign / scale);
  }
  for (size_t i = 0; i < outputs; ++i)
    for (std::optional<double> point : points)
      output.values.push_back(valueAt(point, outputs)[i]);
  WinogradMatrix inverse = inverseOfFirstRows(filter);
  return {static_cast<int64_t>(outputs),
          static_cast<int64_t>(taps),
          std::move(input),
          std::move(filter),
          std::move(output),
          std::move(inverse)};
}

const WinogradTransform *WinogradTransform::get(int64_t outputs, int64_t taps) {
  static const WinogradTransform transforms[] = {
      transformAt({}, 1, 1),
      transformAt({0, 1, -1}, 2, 3),
      transformAt({0, 1, -1, 2, -.5}, 2, 5),
      transformAt({0, 1, -1, 2, -.5}, 3, 4),
      transformAt({0, 1, -1, 2, -2}, 4, 3),
      transformAt({0, 1, -1, 2, -.5, -2}, 3, 5),
      transformAt({0, 1, -1, 2, -.5, -2}, 4, 4)};
  for (const WinogradTransform &transform : transforms)
    if (transform.outputs == outputs && transform.taps == taps)
      return &transform;
  return nullptr;
}

int64_t WinogradAxis::tilesOf(int64_t outputs) const {
  return llvm::divideCeil(outputs, transform->outputs);
}

int64_t WinogradAxis::inputsOf(int64_t outputs) const {
  return tilesOf(outputs) * transform->outputs + parts * transform->taps - 1;
}

/// Of a window, so that sizes of its parts do not overflow.
static constexpr int64_t kMostPlaces = 1 << 10;

std::optional<WinogradTile> WinogradTile::of(ArrayRef<int64_t> kernel,
                                             ArrayRef<int64_t> strides,
                                             ArrayRef<int64_t> dilations,
                                             int64_t outputs, int64_t taps) {
  if (kernel.size() != 2 || strides.size() != 2 || dilations.size() != 2 ||
      taps == 1 || kernel == ArrayRef<int64_t>{1, 1})
    return std::nullopt;
  auto along = [&](size_t axis) -> WinogradAxis {
    int64_t places = kernel[axis];
    if (places == 1 && strides[axis] == 1)
      return {WinogradTransform::get(1, 1), 1, 1};
    if (strides[axis] != 1 || dilations[axis] != 1 || places < 1 ||
        places > kMostPlaces)
      return {nullptr, 0, 0};
    return {WinogradTransform::get(outputs, taps), places,
            static_cast<int64_t>(llvm::divideCeil(places, taps))};
  };
  WinogradTile tile{along(0), along(1)};
  if (!tile.rows.transform || !tile.columns.transform)
    return std::nullopt;
  return tile;
}

SmallVector<WinogradTile> mlir::glow::winogradCandidates(
    ArrayRef<int64_t> kernel, ArrayRef<int64_t> strides,
    ArrayRef<int64_t> dilations, int64_t outputs, bool alongBoth) {
  // Each part of a window transforms the input anew.
  constexpr int64_t kMostParts = 16;
  // The first ones are for windows along both axes too, where errors multiply.
  static constexpr std::array<int64_t, 2> few[] = {{2, 3}, {2, 5}, {3, 4}};
  static constexpr std::array<int64_t, 2> more[] = {{4, 3}, {3, 5}, {4, 4}};
  bool isAlongOne = llvm::count(kernel, 1) == 1;
  size_t count = isAlongOne && !alongBoth ? 3 : 1;
  SmallVector<WinogradTile> tiles;
  for (auto [each, taps] :
       ArrayRef(outputs == 2 ? few : more).take_front(count)) {
    auto tile = WinogradTile::of(kernel, strides, dilations, each, taps);
    if (tile && tile->parts() <= kMostParts)
      tiles.push_back(*tile);
  }
  return tiles;
}
