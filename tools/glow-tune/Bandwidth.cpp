//===- Bandwidth.cpp - what memory gives, measured ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Bandwidth.h"
#include "glow/Runtime/Memory.h"
#include <algorithm>
#include <chrono>
#include <cmath>

static constexpr int kRounds = 7;

/// The least of some times that `run` takes, in seconds.
template <typename Run> static double leastTime(Run &&run) {
  using Clock = std::chrono::steady_clock;
  double least = INFINITY;
  for (int round = 0; round < kRounds; ++round) {
    Clock::time_point begin = Clock::now();
    run();
    std::chrono::duration<double> taken = Clock::now() - begin;
    least = std::min(least, taken.count());
  }
  return least;
}

static double secondsPerCycle() {
  constexpr int64_t kAdditions = 10000000, kUnrolled = 10;
  uint64_t sum = 1;
  double seconds = leastTime([&] {
    for (int64_t i = 0; i < kAdditions; i += kUnrolled)
      for (int64_t j = 0; j < kUnrolled; ++j) {
        sum += 3;
        // The compiler knows nothing of the sum between two additions.
        asm volatile("" : "+r"(sum));
      }
  });
  return seconds / kAdditions;
}

int64_t mlir::glow::measureMemoryBytes(int64_t cacheBytes) {
  constexpr int64_t kTimesCache = 4, kLeastBytes = 256 << 20,
                    kMostBytes = 1 << 30;
  constexpr size_t kWordsOfLine = 8;
  int64_t bytes = std::clamp(kTimesCache * cacheBytes, kLeastBytes, kMostBytes);
  ::glow::runtime::Buffer buffer;
  if (buffer.allocate(bytes, "what is read"))
    return 0;
  auto *words = static_cast<uint64_t *>(buffer.data());
  size_t count = bytes / sizeof(uint64_t);
  std::fill_n(words, count, 1);
  double seconds = leastTime([&] {
    uint64_t sums[kWordsOfLine] = {};
    for (size_t i = 0; i < count; i += kWordsOfLine)
      for (size_t j = 0; j < kWordsOfLine; ++j)
        sums[j] += words[i + j];
    for (uint64_t sum : sums)
      asm volatile("" : : "r"(sum));
  });
  double perCycle = bytes / seconds * secondsPerCycle();
  return std::max<int64_t>(1, std::llround(perCycle));
}
