//===- TileRegisters.cpp - how rows fill tile registers -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Interfaces/TileRegisters.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

using namespace mlir::glow;

/// What is loaded beside the products comes from the second-level cache.
static constexpr double kBytesPerCycle = 42, kRowBytes = 64;
/// Cycles from one product to the next with the same sums.
static constexpr double kLatency = 52;

static double cyclesOf(int64_t rows, int64_t height, int64_t pieces) {
  int64_t products = pieces * (pieces + 1) / 2, side = TileRows::kSide;
  // A product takes a cycle for each row.
  auto cycles = [&](int64_t registers) {
    return std::max({double(products * registers * side * height),
                     products * kLatency,
                     pieces * (registers * height + side * TileRows::kMost) *
                         kRowBytes / kBytesPerCycle});
  };
  int64_t perTile = side * height, rest = rows % perTile;
  double all = rows / perTile * cycles(side);
  if (rest)
    all += cycles(llvm::divideCeil(rest, height));
  return all;
}

int64_t TileRows::heightFor(llvm::ArrayRef<int64_t> rows, int64_t pieces) {
  int64_t most = std::min(*llvm::max_element(rows), kMost), best = most;
  double least = std::numeric_limits<double>::infinity();
  for (int64_t height = most; height == most || height > kMost / 2; --height) {
    double cycles = 0;
    for (int64_t extent : rows)
      cycles += cyclesOf(extent, height, pieces) / extent;
    if (cycles >= least)
      continue;
    least = cycles;
    best = height;
  }
  return best;
}

TileRows TileRows::best(int64_t rows, int64_t pieces) {
  int64_t height = heightFor(rows, pieces);
  return {height, cyclesOf(rows, height, pieces), /*joined=*/false};
}

TileRows TileRows::ofLines(int64_t lines, int64_t rows, int64_t pitch,
                           int64_t pieces) {
  TileRows apart = best(rows, pieces);
  apart.cycles *= lines;
  if (lines == 1 || pitch < rows)
    return apart;
  TileRows together = best((lines - 1) * pitch + rows, pieces);
  together.joined = true;
  return together.cycles < apart.cycles ? together : apart;
}
