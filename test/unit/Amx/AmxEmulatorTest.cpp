//===- AmxEmulatorTest.cpp - the emulator against plain loops -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdint>
#include <cstring>
#include <gtest/gtest.h>
#include <immintrin.h>
#include <random>
#include <thread>

#define AMX __attribute__((target("amx-tile,amx-bf16,amx-int8")))

namespace {
struct alignas(64) Configuration {
  uint8_t palette = 1, start = 0, reserved[14] = {};
  uint16_t rowBytes[16] = {};
  uint8_t rows[16] = {};
  void set(int tile, int rowCount, int bytes) {
    rows[tile] = rowCount;
    rowBytes[tile] = bytes;
  }
};

/// Tiles of 5 x 12 elements of 4 bytes, and of 28 bytes of depth, in memory
/// with rows that are further apart.
constexpr int kRows = 5, kColumns = 12, kDepth = 28, kStride = 80;
struct Memory {
  uint8_t a[kRows * kStride], b[kDepth / 4 * kStride];
  int32_t sums[kRows * kStride / 4];
};
} // namespace

AMX static void configure() {
  Configuration configuration;
  configuration.set(0, kRows, 4 * kColumns);
  configuration.set(1, kRows, kDepth);
  configuration.set(2, kDepth / 4, 4 * kColumns);
  configuration.set(7, kRows, 4 * kColumns);
  _tile_loadconfig(&configuration);
}

static Memory randomMemory(bool isFloat) {
  std::mt19937 random(1);
  Memory memory;
  auto fill = [&](uint8_t *bytes, size_t size) {
    for (size_t i = 0; i < size; ++i)
      bytes[i] = random();
    // The exponents of numbers of ordinary size.
    for (size_t i = 1; isFloat && i < size; i += 2)
      bytes[i] = (random() & 0x81) | 0x3e;
  };
  fill(memory.a, sizeof memory.a);
  fill(memory.b, sizeof memory.b);
  for (int32_t &sum : memory.sums)
    sum = isFloat ? 0x3f800000 : static_cast<int32_t>(random());
  return memory;
}

template <typename Product> AMX static void multiply(Memory &m, Product run) {
  configure();
  _tile_loadd(1, m.a, kStride);
  _tile_stream_loadd(2, m.b, kStride);
  _tile_loadd(0, m.sums, kStride);
  run();
  _tile_stored(0, m.sums, kStride);
  _tile_release();
}

static Memory expectInt8(Memory m, bool signedA, bool signedB) {
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j)
      for (int k = 0; k < kDepth; ++k) {
        uint8_t a = m.a[i * kStride + k];
        uint8_t b = m.b[k / 4 * kStride + 4 * j + k % 4];
        int x = signedA ? int8_t(a) : a, y = signedB ? int8_t(b) : b;
        int32_t &sum = m.sums[i * kStride / 4 + j];
        sum = static_cast<int32_t>(static_cast<uint32_t>(sum) +
                                   static_cast<uint32_t>(x * y));
      }
  return m;
}

static bool same(const Memory &a, const Memory &b) {
  return !memcmp(a.sums, b.sums, sizeof a.sums);
}

TEST(AmxEmulator, Integers) {
  Memory start = randomMemory(false), m = start;
  multiply(m, []() AMX { _tile_dpbssd(0, 1, 2); });
  EXPECT_TRUE(same(m, expectInt8(start, true, true)));
  m = start;
  multiply(m, []() AMX { _tile_dpbsud(0, 1, 2); });
  EXPECT_TRUE(same(m, expectInt8(start, true, false)));
  m = start;
  multiply(m, []() AMX { _tile_dpbusd(0, 1, 2); });
  EXPECT_TRUE(same(m, expectInt8(start, false, true)));
  m = start;
  multiply(m, []() AMX { _tile_dpbuud(0, 1, 2); });
  EXPECT_TRUE(same(m, expectInt8(start, false, false)));
}

static float bf16At(const uint8_t *at) {
  uint32_t bits = uint32_t(at[0]) << 16 | uint32_t(at[1]) << 24;
  float value;
  memcpy(&value, &bits, 4);
  return value;
}

TEST(AmxEmulator, Bfloat16) {
  Memory start = randomMemory(true), m = start;
  multiply(m, []() AMX { _tile_dpbf16ps(0, 1, 2); });
  for (int i = 0; i < kRows; ++i)
    for (int j = 0; j < kColumns; ++j) {
      float parts[2] = {};
      for (int k = 0; k < kDepth / 2; ++k)
        parts[k % 2] =
            std::fma(bf16At(start.a + i * kStride + 2 * k),
                     bf16At(start.b + k / 2 * kStride + 4 * j + k % 2 * 2),
                     parts[k % 2]);
      float want = 1 + (parts[0] + parts[1]), got;
      memcpy(&got, &m.sums[i * kStride / 4 + j], 4);
      EXPECT_EQ(got, want) << i << " " << j;
    }
}

TEST(AmxEmulator, DenormalsAreZero) {
  Memory m{};
  auto put = [](uint8_t *at, uint16_t bf16) { memcpy(at, &bf16, 2); };
  put(m.a, 0x0040);           // denormal
  put(m.a + kStride, 0x2000); // 2^-63, so that the product is denormal
  put(m.a + 2 * kStride, 0x7f80);
  for (int j = 0; j < kColumns; ++j)
    put(m.b + 4 * j, j ? 0x1f80 : 0x7f00); // 2^-64 and 2^127
  multiply(m, []() AMX { _tile_dpbf16ps(0, 1, 2); });
  for (int j = 0; j < kColumns; ++j) {
    EXPECT_EQ(m.sums[j], 0);
    EXPECT_EQ(m.sums[kStride / 4 + j], j ? 0 : 0x5f800000); // 2^64
    EXPECT_EQ(m.sums[2 * kStride / 4 + j], 0x7f800000);
  }
}

TEST(AmxEmulator, ZeroAndConfiguration) {
  Memory m = randomMemory(false);
  auto body = [&]() AMX {
    configure();
    _tile_loadd(7, m.sums, kStride);
    _tile_zero(7);
    _tile_stored(7, m.sums, kStride);
    Configuration stored;
    _tile_storeconfig(&stored);
    _tile_release();
    EXPECT_EQ(stored.palette, 1);
    EXPECT_EQ(stored.rows[2], kDepth / 4);
    EXPECT_EQ(stored.rowBytes[7], 4 * kColumns);
  };
  body();
  EXPECT_EQ(m.sums[0], 0);
  EXPECT_EQ(m.sums[kColumns - 1], 0);
  EXPECT_NE(m.sums[kColumns], 0);
}

TEST(AmxEmulator, ThreadsHaveTilesOfTheirOwn) {
  Memory m = randomMemory(false), before = m;
  auto body = [&]() AMX {
    configure();
    _tile_loadd(7, m.sums, kStride);
    std::thread([]() AMX {
      configure();
      _tile_zero(7);
    }).join();
    memset(m.sums, 0, sizeof m.sums);
    _tile_stored(7, m.sums, kStride);
    _tile_release();
  };
  body();
  EXPECT_FALSE(memcmp(m.sums, before.sums, 4 * kColumns));
}
