//===- ExtentOrderTest.cpp - which of two extents is larger ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/ExtentOrder.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"
#include <random>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

namespace {
struct ExtentOrderTest : ::testing::Test {
  MLIRContext context;
  AffineExpr s0 = getAffineSymbolExpr(0, &context),
             s1 = getAffineSymbolExpr(1, &context),
             d0 = getAffineDimExpr(0, &context);
  std::mt19937 random{7};

  int64_t between(int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  }

  /// What reading one layer after the other makes of an extent.
  AffineExpr layers(int64_t count) {
    AffineExpr extent = s0;
    for (int64_t i = 0; i < count; ++i) {
      int64_t step = between(2, 12);
      switch (between(0, 4)) {
      case 0:
        extent = extent.ceilDiv(step) * step;
        break;
      case 1:
        extent = extent.floorDiv(step) + extent;
        break;
      case 2:
        extent = extent.ceilDiv(step);
        break;
      case 3:
        extent = (extent + between(-9, 9)).floorDiv(step);
        break;
      default:
        extent = extent * between(1, 3) + between(-20, 20);
      }
    }
    return extent;
  }

  static int64_t valueOf(AffineExpr expression, int64_t symbol) {
    if (auto constant = dyn_cast<AffineConstantExpr>(expression))
      return constant.getValue();
    auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
    if (!binary)
      return symbol;
    int64_t lhs = valueOf(binary.getLHS(), symbol),
            rhs = valueOf(binary.getRHS(), symbol);
    if (expression.getKind() == AffineExprKind::Add)
      return lhs + rhs;
    if (expression.getKind() == AffineExprKind::Mul)
      return lhs * rhs;
    int64_t floor = lhs / rhs - (lhs % rhs < 0);
    bool isUp = expression.getKind() == AffineExprKind::CeilDiv;
    return floor + (isUp && floor * rhs != lhs);
  }
};
} // namespace

// Ranges whose values are all looked at, and those of which only the ends are.
TEST_F(ExtentOrderTest, agreesWithAllValues) {
  for (int64_t upper : {60, 9000, 30000}) {
    ExtentOrder order({{"n", 3, upper}});
    int64_t known = 0;
    for (int64_t i = 0; i < 40; ++i) {
      AffineExpr a = layers(between(1, 4)), b = layers(between(1, 4));
      int64_t beyond = std::numeric_limits<int64_t>::min();
      bool isSame = true;
      for (int64_t n = 3; n <= upper; ++n) {
        int64_t difference = valueOf(b, n) - valueOf(a, n);
        beyond = std::max(beyond, difference);
        isSame &= difference == 0;
      }
      if (order.isAtLeast(a, b)) {
        EXPECT_LE(beyond, 0);
        ++known;
      }
      AffineExpr largest = order.largest(a, b);
      AffineExpr simple = order.simplest(a), other = order.simplest(b);
      EXPECT_EQ(simple == other, isSame);
      for (int64_t n = 3; n <= upper; ++n) {
        if (largest)
          ASSERT_GE(valueOf(largest, n),
                    std::max(valueOf(a, n), valueOf(b, n)));
        ASSERT_EQ(valueOf(simple, n), valueOf(a, n));
      }
    }
    EXPECT_GT(known, 0);
  }
}

// Reads of a band: the point's index falls out.
TEST_F(ExtentOrderTest, pointsFallOut) {
  ExtentOrder order({{"n", 1, 64}});
  AffineExpr inner = (d0 * -8 + s0).ceilDiv(2) * 2 + 1;
  EXPECT_EQ(order.simplest(d0 * 8 + inner), s0.ceilDiv(2) * 2 + 1);
  EXPECT_TRUE(order.isAtLeast(d0 * -8 + s0 + 1, d0 * -8 + s0));
  EXPECT_FALSE(order.isAtLeast(d0 * -7 + s0 + 1, d0 * -8 + s0));
}

// Frames of a recording, in steps of 32 of them: of 44,001 lengths there are
// 139 numbers of frames, and 10,240 samples until both repeat.
TEST_F(ExtentOrderTest, functionsOfOneQuotient) {
  ExtentOrder order({{"n", 4000, 48000}});
  AffineExpr frames = (s0 + 240).floorDiv(320) - 1;
  AffineExpr steps = frames.ceilDiv(32) * 32;
  EXPECT_TRUE(order.isAtLeast(steps, frames));
  EXPECT_FALSE(order.isAtLeast(frames, steps));
  EXPECT_EQ(order.largest(frames, steps), steps);
  AffineExpr windows = ((s0 + 240).floorDiv(160)).floorDiv(2) - 1;
  EXPECT_EQ(order.simplest(windows), order.simplest(frames));
  AffineExpr later = (s0 + 241).floorDiv(320) - 1;
  EXPECT_NE(order.simplest(later), order.simplest(frames));
  EXPECT_TRUE(order.isAtLeast(later, frames));
  EXPECT_FALSE(order.isAtLeast(frames, later));
}

// Of two symbols the ranges tell, and what is not known and long is nothing.
TEST_F(ExtentOrderTest, severalSymbols) {
  ExtentOrder order({{"a", 4, 8}, {"b", 1, 3}});
  EXPECT_TRUE(order.isAtLeast(s0, s1));
  EXPECT_TRUE(order.isAtLeast(s0 + s1, s0));
  EXPECT_FALSE(order.isAtLeast(s1, s0));
  AffineExpr deep = s0 + s1;
  for (int i = 0; i < 60; ++i)
    deep = deep.ceilDiv(3) * 3 + s1;
  EXPECT_FALSE(order.simplest(deep));
}
