//===- ShapePolicyTest.cpp - which shapes are compiled for ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../../lib/Driver/ShapePolicy.h"

#include <gtest/gtest.h>

using namespace mlir::glow;

namespace {

/// A program that keeps everything it has compiled.
struct Served {
  ShapePolicy policy;
  std::vector<ShapeBox> compiled;
  explicit Served(DynamicShapes mode = DynamicShapes::Auto) : policy(mode) {}

  /// The ranges that serve a run.
  std::vector<std::pair<int64_t, int64_t>> run(std::vector<int64_t> values) {
    ShapeBox box = policy.choose(values, compiled);
    EXPECT_TRUE(box.contains(values));
    if (!llvm::is_contained(compiled, box))
      compiled.push_back(box);
    std::vector<std::pair<int64_t, int64_t>> ranges;
    for (SymbolRange range : box.ranges)
      ranges.emplace_back(range.lower, range.upper);
    return ranges;
  }
};
using Ranges = std::vector<std::pair<int64_t, int64_t>>;

TEST(ShapePolicy, FirstShapeIsExact) {
  Served served;
  EXPECT_EQ(served.run({3, 7}), (Ranges{{3, 3}, {7, 7}}));
  EXPECT_EQ(served.run({3, 7}), (Ranges{{3, 3}, {7, 7}}));
  EXPECT_EQ(served.compiled.size(), 1u);
}

TEST(ShapePolicy, WhatVariesBecomesARange) {
  Served served;
  served.run({1, 128});
  EXPECT_EQ(served.run({1, 50}), (Ranges{{1, 1}, {1, 256}}));
  EXPECT_EQ(served.run({1, 200}), (Ranges{{1, 1}, {1, 256}}));
  // What was compiled for this shape alone is faster.
  EXPECT_EQ(served.run({1, 128}), (Ranges{{1, 1}, {128, 128}}));
  EXPECT_EQ(served.compiled.size(), 2u);
}

TEST(ShapePolicy, DecoderCompilesRarely) {
  Served served;
  for (int64_t past = 0; past < 100; ++past)
    served.run({past});
  EXPECT_LE(served.compiled.size(), 6u);
  for (int64_t past = 100; past < 1000; ++past)
    served.run({past});
  EXPECT_LE(served.compiled.size(), 8u);
}

TEST(ShapePolicy, SequencesOfADecoderStayInRanges) {
  Served served;
  for (int sequence = 0; sequence < 20; ++sequence)
    for (int64_t past = 0; past < 100; ++past)
      served.run({past});
  EXPECT_LE(served.compiled.size(), 6u);
}

TEST(ShapePolicy, PromptAndTokensAreKindsOfRuns) {
  Served served;
  EXPECT_EQ(served.run({128, 0}), (Ranges{{128, 128}, {0, 0}}));
  EXPECT_EQ(served.run({1, 128}), (Ranges{{1, 1}, {128, 128}}));
  EXPECT_EQ(served.run({1, 129}), (Ranges{{1, 1}, {1, 512}}));
  EXPECT_EQ(served.run({77, 0}), (Ranges{{1, 256}, {0, 0}}));
  EXPECT_EQ(served.run({1, 78}), (Ranges{{1, 1}, {1, 512}}));
}

TEST(ShapePolicy, FrequentShapeBecomesExact) {
  Served served;
  served.run({1});
  served.run({3});
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(served.run({3}), (Ranges{{1, 8}}));
  EXPECT_EQ(served.run({3}), (Ranges{{3, 3}}));
}

TEST(ShapePolicy, ManyKindsOfRunsShareARange) {
  Served served;
  for (int64_t i = 0; i < 40; ++i)
    served.run({i % 7 + 1, 3 * i % 11 + 1, 5 * i % 13 + 1});
  EXPECT_LE(served.compiled.size(), 12u);
  size_t before = served.compiled.size();
  for (int64_t i = 0; i < 40; ++i)
    served.run({i % 7 + 1, 5 * i % 11 + 1, 3 * i % 13 + 1});
  EXPECT_LE(served.compiled.size(), before + 1);
}

TEST(ShapePolicy, Modes) {
  Served exact(DynamicShapes::Exact), ranges(DynamicShapes::Ranges);
  for (int64_t value : {5, 6, 5, 7}) {
    EXPECT_EQ(exact.run({value}), (Ranges{{value, value}}));
    EXPECT_EQ(ranges.run({value}), (Ranges{{1, 16}}));
  }
  for (int i = 0; i < 40; ++i)
    EXPECT_EQ(ranges.run({9}), (Ranges{{1, 16}}));
  Served given;
  given.policy.giveUpRanges();
  given.run({1});
  EXPECT_EQ(given.run({2}), (Ranges{{2, 2}}));
}

TEST(ShapePolicy, HugeExtents) {
  Served served;
  served.run({1});
  served.run({int64_t(1) << 39});
  EXPECT_EQ(served.compiled.size(), 2u);
}

} // namespace
