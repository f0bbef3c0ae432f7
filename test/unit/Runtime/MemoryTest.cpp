//===- MemoryTest.cpp - Buffers and what they take from files ---*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Memory.h"
#include "TempFolder.h"

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

using namespace glow::runtime;

namespace {

TEST(Memory, LargeBuffersStartWithAHugePage) {
  for (uint64_t bytes : {2097152, 2097153, 5000000}) {
    Buffer buffer;
    ASSERT_EQ(buffer.allocate(bytes, "a test"), GLOW_OK);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(buffer.data()) % (2 << 20), 0u);
    // All of it is there, and zero.
    auto *data = static_cast<char *>(buffer.data());
    EXPECT_EQ(data[bytes - 1], 0);
    std::memset(data, 1, bytes);
  }
}

/// What the system says of the mapping that holds `address`; empty if it does
/// not say.
std::string mappingFlags(const void *address) {
  std::ifstream maps("/proc/self/smaps");
  auto place = reinterpret_cast<uintptr_t>(address);
  bool isHere = false;
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin, end;
    if (std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR " ", &begin, &end) ==
        2)
      isHere = begin <= place && place < end;
    else if (isHere && line.rfind("VmFlags:", 0) == 0)
      return line + " ";
  }
  return {};
}

TEST(Memory, LargeBuffersAskForHugePages) {
  Buffer large, small;
  ASSERT_EQ(large.allocate(8 << 20, "a test"), GLOW_OK);
  ASSERT_EQ(small.allocate(64 << 10, "a test"), GLOW_OK);
  std::string flags = mappingFlags(large.data());
  if (flags.empty() || access("/sys/kernel/mm/transparent_hugepage", F_OK))
    GTEST_SKIP() << "the system has none, or does not say";
  EXPECT_NE(flags.find(" hg "), std::string::npos) << flags;
  flags = mappingFlags(small.data());
  EXPECT_EQ(flags.find(" hg "), std::string::npos) << flags;
}

TEST(Memory, MoveFromCopiesAFile) {
  TempFolder folder;
  for (size_t bytes : {size_t(1), size_t(4096), size_t(9000001)}) {
    std::string content(bytes, 0);
    for (size_t i = 0; i < bytes; ++i)
      content[i] = char(i * 7 + i / 4096);
    MappedFile file;
    ASSERT_EQ(file.open(folder.write("weights", content)), GLOW_OK);
    // Neither end need be that of a page.
    uint64_t skipped = bytes > 100 ? 64 : 0;
    auto *from = static_cast<const char *>(file.data()) + skipped;
    Buffer buffer;
    ASSERT_EQ(buffer.moveFrom(from, bytes - skipped, "a test"), GLOW_OK);
    ASSERT_EQ(buffer.size(), bytes - skipped);
    EXPECT_EQ(
        std::memcmp(buffer.data(), content.data() + skipped, bytes - skipped),
        0);
    // What lies before is still mapped.
    EXPECT_EQ(std::memcmp(file.data(), content.data(), bytes), 0);
  }
}

TEST(Memory, NoMemoryIsAnError) {
  Buffer buffer;
  EXPECT_EQ(buffer.allocate(uint64_t(1) << 63, "a test"), GLOW_OUT_OF_MEMORY);
  EXPECT_EQ(buffer.allocate((uint64_t(1) << 62) - 4096, "a test"),
            GLOW_OUT_OF_MEMORY);
}

} // namespace
