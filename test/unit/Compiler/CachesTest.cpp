//===- CachesTest.cpp - sizes of a processor's caches ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../../../lib/Target/LLVM/Caches.h"
#include "../Runtime/TempFolder.h"

#include <gtest/gtest.h>

using namespace mlir::glow;

namespace {

/// A system that tells of its caches in files.
struct System {
  TempFolder folder;

  void add(int index, const std::string &level, const std::string &type,
           const std::string &size, const std::string &shared) {
    std::string cache =
        "sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index);
    std::filesystem::create_directories(folder / cache);
    folder.write(cache + "/level", level + "\n");
    folder.write(cache + "/type", type + "\n");
    folder.write(cache + "/size", size + "\n");
    folder.write(cache + "/shared_cpu_list", shared + "\n");
  }
  KernelTarget detect() const {
    KernelTarget target;
    detectCaches(folder.path, target);
    return target;
  }
};

TEST(Caches, SharesOfACore) {
  // Two threads per core, four cores that share the last level.
  System system;
  system.add(0, "1", "Data", "48K", "0,8");
  system.add(1, "1", "Instruction", "32K", "0,8");
  system.add(2, "2", "Unified", "2048K", "0,8");
  system.add(3, "3", "Unified", "16384K", "0-3,8-11");
  KernelTarget target = system.detect();
  EXPECT_EQ(target.l1Bytes, 48 << 10);
  EXPECT_EQ(target.l2Bytes, 2 << 20);
  EXPECT_EQ(target.l3Bytes, 4 << 20);
}

TEST(Caches, NonsenseIsLeftOut) {
  System system;
  system.add(0, "1", "Data", "-32K", "0");
  system.add(1, "2", "Unified", "99999999999999999999K", "0");
  system.add(2, "3", "Unified", "8192K", "zero");
  system.add(3, "9", "Unified", "64K", "0");
  KernelTarget target = system.detect(), plain;
  EXPECT_EQ(target.l1Bytes, plain.l1Bytes);
  EXPECT_EQ(target.l2Bytes, plain.l2Bytes);
  EXPECT_EQ(target.l3Bytes, 8 << 20);
}

TEST(Caches, NothingThere) {
  KernelTarget target = System().detect(), plain;
  EXPECT_EQ(target.l1Bytes, plain.l1Bytes);
  EXPECT_EQ(target.l2Bytes, plain.l2Bytes);
  EXPECT_EQ(target.l3Bytes, plain.l3Bytes);
}

TEST(Caches, OfNames) {
  KernelTarget target;
  setCachesOf("skylake-avx512", target);
  EXPECT_EQ(target.l2Bytes, 1 << 20);
  setCachesOf("skylake", target);
  EXPECT_EQ(target.l2Bytes, 256 << 10);
  setCachesOf("no-such-cpu", target);
  EXPECT_EQ(target.l2Bytes, 256 << 10);
}

} // namespace
