//===- WinogradTest.cpp - transforms of minimal filtering -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Support/Winograd.h"
#include "gtest/gtest.h"

using namespace mlir::glow;

static std::vector<double> times(const WinogradMatrix &matrix,
                                 llvm::ArrayRef<double> vector) {
  std::vector<double> product;
  for (size_t i = 0; i < matrix.rows(); ++i) {
    double sum = 0;
    for (auto [factor, value] : llvm::zip_equal(matrix.row(i), vector))
      sum += factor * value;
    product.push_back(sum);
  }
  return product;
}

/// No two numbers of which are alike.
static std::vector<double> numbers(size_t count, double first) {
  std::vector<double> values;
  for (size_t i = 0; i < count; ++i)
    values.push_back(first / (i + 1) - 0.3 * i);
  return values;
}

class Transforms : public testing::TestWithParam<std::pair<int, int>> {
protected:
  const WinogradTransform &transform =
      *WinogradTransform::get(GetParam().first, GetParam().second);
};

TEST_P(Transforms, AreThoseOfTheWindow) {
  std::vector<double> d = numbers(transform.inputs(), 1.7);
  std::vector<double> g = numbers(transform.taps, -0.9);
  std::vector<double> products = times(transform.input, d);
  for (auto [product, factor] :
       llvm::zip_equal(products, times(transform.filter, g)))
    product *= factor;
  std::vector<double> y = times(transform.output, products);
  ASSERT_EQ(static_cast<int64_t>(y.size()), transform.outputs);
  for (size_t i = 0; i < y.size(); ++i) {
    double sum = 0;
    for (size_t tap = 0; tap < g.size(); ++tap)
      sum += d[i + tap] * g[tap];
    EXPECT_NEAR(y[i], sum, 1e-12);
  }
}

TEST_P(Transforms, GiveTheTapsBack) {
  std::vector<double> g = numbers(transform.taps, -0.9);
  for (auto [tap, again] : llvm::zip_equal(
           g, times(transform.inverseFilter, times(transform.filter, g))))
    EXPECT_NEAR(again, tap, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, Transforms,
                         testing::Values(std::pair(1, 1), std::pair(2, 3),
                                         std::pair(2, 5), std::pair(3, 4),
                                         std::pair(4, 3), std::pair(3, 5),
                                         std::pair(4, 4)));

TEST(Tiles, CountWhatTheyRead) {
  auto tile = WinogradTile::of({7, 1}, {1, 1}, {1, 2}, 3, 4);
  ASSERT_TRUE(tile);
  EXPECT_EQ(tile->parts(), 2);
  EXPECT_EQ(tile->products(), 6);
  // Three tiles of three, and the seven places behind the last one's first.
  EXPECT_EQ(tile->rows.inputsOf(8), 16);
  EXPECT_EQ(tile->columns.inputsOf(8), 8);
}

TEST(Tiles, AreForDenseWindows) {
  EXPECT_FALSE(WinogradTile::of({1, 1}, {1, 1}, {1, 1}, 2, 3));
  EXPECT_FALSE(WinogradTile::of({3, 3}, {2, 1}, {1, 1}, 2, 3));
  EXPECT_FALSE(WinogradTile::of({3, 1}, {1, 2}, {1, 1}, 2, 3));
  EXPECT_FALSE(WinogradTile::of({3, 3}, {1, 1}, {1, 2}, 2, 3));
  EXPECT_FALSE(WinogradTile::of({3, 3}, {1, 1}, {1, 1}, 2, 4));
  EXPECT_FALSE(WinogradTile::of({3, 3}, {1, 1}, {1, 1}, 1, 1));
  EXPECT_FALSE(WinogradTile::of({3}, {1}, {1}, 2, 3));
}

TEST(Tiles, LoseAsManyDigitsAlongOneAxisAsAlongTwo) {
  auto count = [](std::vector<int64_t> kernel, bool alongBoth = false) {
    return winogradCandidates(kernel, {1, 1}, {1, 1}, 2, alongBoth).size();
  };
  EXPECT_EQ(count({5, 5}), 1u);
  EXPECT_EQ(count({5, 1}), 3u);
  EXPECT_EQ(count({1, 5}, true), 1u);
}
