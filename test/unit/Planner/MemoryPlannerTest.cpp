//===- MemoryPlannerTest.cpp - plans are valid, small and repeatable ------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Transforms/MemoryPlanner.h"
#include <gtest/gtest.h>
#include <random>

using namespace mlir::glow::inst;

static PlacementResult plan(const std::vector<PlannedBuffer> &buffers,
                            uint64_t alignment = 64) {
  PlacementResult result = planMemory(buffers, alignment);
  EXPECT_EQ(checkPlacement(buffers, alignment, result), "");
  return result;
}

TEST(MemoryPlanner, NothingNeedsNoMemory) {
  PlacementResult result = plan({});
  EXPECT_EQ(result.bytes, 0u);
  EXPECT_EQ(result.lowerBound, 0u);
}

TEST(MemoryPlanner, SuccessorsShare) {
  PlacementResult result = plan({{256, 0, 1}, {256, 2, 3}, {128, 4, 4}});
  EXPECT_EQ(result.bytes, 256u);
}

TEST(MemoryPlanner, BuffersOfOneInstructionDoNotShare) {
  PlacementResult result = plan({{256, 0, 1}, {256, 1, 2}});
  EXPECT_EQ(result.bytes, 512u);
  EXPECT_EQ(result.peak, 1);
}

TEST(MemoryPlanner, SizesAreRoundedUp) {
  PlacementResult result = plan({{1, 0, 0}, {65, 0, 0}});
  EXPECT_EQ(result.bytes, 192u);
  EXPECT_EQ(result.lowerBound, 192u);
}

TEST(MemoryPlanner, EmptyBuffersTakeNoRoom) {
  PlacementResult result = plan({{0, 0, 9}, {64, 0, 9}, {0, 3, 4}});
  EXPECT_EQ(result.bytes, 64u);
}

// A chain with a residual: placement in the order of the program would leave a
// hole that the third buffer does not fit in.
TEST(MemoryPlanner, FillsHoles) {
  PlacementResult result =
      plan({{64, 0, 1}, {128, 0, 3}, {192, 2, 3}, {320, 4, 5}});
  EXPECT_EQ(result.bytes, result.lowerBound);
}

TEST(MemoryPlanner, ChecksPlans) {
  std::vector<PlannedBuffer> buffers{{64, 0, 1}, {64, 1, 2}};
  PlacementResult result = planMemory(buffers, 64);
  result.offsets = {0, 0};
  EXPECT_EQ(checkPlacement(buffers, 64, result), "buffer 1 overlaps buffer 0");
  result.offsets = {0, 96};
  EXPECT_EQ(checkPlacement(buffers, 64, result), "buffer 1 is not aligned");
  result.offsets = {0, 128};
  EXPECT_EQ(checkPlacement(buffers, 64, result),
            "buffer 1 reaches over the end of the arena");
}

/// Random programs: valid, not far above the bound, and the same every time.
TEST(MemoryPlanner, RandomPrograms) {
  std::mt19937 random(1);
  auto below = [&](uint64_t n) { return static_cast<int64_t>(random() % n); };
  double excess = 0;
  const int programs = 300;
  for (int program = 0; program < programs; ++program) {
    int64_t length = 1 + below(80);
    std::vector<PlannedBuffer> buffers;
    for (int64_t i = below(120); i >= 0; --i) {
      int64_t begin = below(length);
      int64_t end = std::min(length - 1, begin + below(1 + below(20)));
      buffers.push_back(
          {static_cast<uint64_t>(below(1u << below(20))), begin, end});
    }
    uint64_t alignment = 1u << below(9);
    PlacementResult first = plan(buffers, alignment);
    PlacementResult second = plan(buffers, alignment);
    EXPECT_EQ(first.offsets, second.offsets);
    EXPECT_GE(first.bytes, first.lowerBound);
    if (first.lowerBound)
      excess += static_cast<double>(first.bytes) /
                    static_cast<double>(first.lowerBound) -
                1;
  }
  EXPECT_LT(excess / programs, 0.02);
}
