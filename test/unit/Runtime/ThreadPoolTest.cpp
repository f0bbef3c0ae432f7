//===- ThreadPoolTest.cpp - Every ticket exactly once -----------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/ThreadPool.h"
#include "TempFolder.h"
#include "glow/Runtime/ThreadLimits.h"

#include <gtest/gtest.h>
#include <thread>
#include <vector>

using namespace glow::runtime;

namespace {

/// args[0]: one counter per ticket.
void count(void *const *args, int64_t begin, int64_t end, int32_t) {
  auto *counters = static_cast<std::atomic<int> *>(args[0]);
  for (int64_t i = begin; i < end; ++i)
    counters[i].fetch_add(1, std::memory_order_relaxed);
}

void expectEachOnce(ThreadPool &pool, int64_t tickets, int32_t threads) {
  std::vector<std::atomic<int>> counters(static_cast<size_t>(tickets));
  void *args[] = {counters.data()};
  int32_t used = pool.run(count, args, tickets, threads);
  EXPECT_GE(used, 1);
  EXPECT_LE(used, threads);
  for (auto &counter : counters)
    ASSERT_EQ(counter.load(), 1);
}

TEST(ThreadPool, RunsEachTicketOnce) {
  for (int32_t threads : {1, 2, 3, 8, 33}) {
    ThreadPool pool(threads);
    for (int64_t tickets : {1, 2, 7, 64, 1000})
      expectEachOnce(pool, tickets, threads);
  }
}

TEST(ThreadPool, MoreTicketsThanACursorCounts) {
  ThreadPool pool(3);
  for (int64_t tickets : {49151, 49152, 49153, 1000003})
    expectEachOnce(pool, tickets, 3);
}

/// A slow thread's range is finished by the others.
TEST(ThreadPool, HelpsWithRangesOfOthers) {
  ThreadPool pool(2);
  struct Shared {
    std::atomic<int> done{0}, byHelper{0};
  } shared;
  void *args[] = {&shared};
  auto kernel = [](void *const *args, int64_t begin, int64_t end,
                   int32_t worker) {
    auto *shared = static_cast<Shared *>(args[0]);
    // The caller's first ticket waits until all that are not taken are done.
    if (worker == 0 && begin == 0)
      for (int i = 0; shared->done.load() + int(end - begin) < 8 && i < 2000;
           ++i)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    if (worker != 0)
      shared->byHelper += int(end - begin);
    shared->done += int(end - begin);
  };
  EXPECT_EQ(pool.run(kernel, args, 8, 2), 2);
  EXPECT_EQ(shared.done.load(), 8);
  EXPECT_EQ(shared.byHelper.load(), 7);
}

TEST(ThreadPool, NoTicketsIsNoWork) {
  ThreadPool pool(4);
  EXPECT_EQ(pool.run(nullptr, nullptr, 0, 4), 0);
  EXPECT_EQ(pool.run(nullptr, nullptr, -5, 4), 0);
}

TEST(ThreadPool, ManyJobsInARow) {
  ThreadPool pool(6);
  for (int job = 0; job < 3000; ++job)
    expectEachOnce(pool, 1 + job % 40, 1 + job % 6);
}

TEST(ThreadPool, WakesAfterSleeping) {
  ThreadPool pool(4);
  for (int job = 0; job < 20; ++job) {
    expectEachOnce(pool, 64, 4);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
}

TEST(ThreadPool, CallersDoNotDisturbEachOther) {
  ThreadPool pool(4);
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 6; ++caller)
    callers.emplace_back([&] {
      for (int job = 0; job < 500; ++job)
        expectEachOnce(pool, 50, 4);
    });
  for (std::thread &caller : callers)
    caller.join();
}

TEST(ThreadPool, NestedJobsFinish) {
  ThreadPool pool(4);
  struct Outer {
    ThreadPool &pool;
    std::atomic<int64_t> total{0};
  } outer{pool};
  void *args[] = {&outer};
  auto kernel = [](void *const *args, int64_t begin, int64_t end, int32_t) {
    auto *outer = static_cast<Outer *>(args[0]);
    for (int64_t i = begin; i < end; ++i) {
      std::vector<std::atomic<int>> counters(10);
      void *inner[] = {counters.data()};
      outer->pool.run(count, inner, 10, 4);
      for (auto &counter : counters)
        outer->total += counter.load();
    }
  };
  pool.run(kernel, args, 100, 4);
  EXPECT_EQ(outer.total.load(), 1000);
}

TEST(ThreadPool, WorkerIndicesAreDistinct) {
  ThreadPool pool(8);
  std::vector<std::atomic<int>> inUse(8);
  void *args[] = {inUse.data()};
  auto kernel = [](void *const *args, int64_t, int64_t, int32_t worker) {
    auto *inUse = static_cast<std::atomic<int> *>(args[0]);
    EXPECT_EQ(inUse[worker].fetch_add(1), 0);
    std::this_thread::yield();
    inUse[worker].fetch_sub(1);
  };
  for (int job = 0; job < 200; ++job)
    pool.run(kernel, args, 64, 8);
}

TEST(ThreadPool, CanBeDestroyedAtOnce) {
  for (int i = 0; i < 50; ++i) {
    ThreadPool pool(4);
    if (i % 2)
      expectEachOnce(pool, 16, 4);
  }
}

TEST(ThreadLimits, EnvironmentIsRead) {
  setenv("GLOW_NUM_THREADS", "1", 1);
  EXPECT_EQ(defaultThreads(), 1);
  for (const char *ignored : {"0", "-3", "many", "", "2x"}) {
    setenv("GLOW_NUM_THREADS", ignored, 1);
    EXPECT_EQ(defaultThreads(), maxThreads());
  }
  setenv("GLOW_NUM_THREADS", "1000000", 1);
  EXPECT_EQ(defaultThreads(), maxThreads());
  unsetenv("GLOW_NUM_THREADS");
}

TEST(ThreadLimits, TightestQuotaOfVersion2) {
  TempFolder folder;
  std::filesystem::create_directories(folder / "a/b");
  std::string groups = folder.write("cgroup", "0::/a/b\n");
  EXPECT_EQ(cgroupThreads(groups, folder.path), 0);
  folder.write("a/b/cpu.max", "max 100000\n");
  EXPECT_EQ(cgroupThreads(groups, folder.path), 0);
  folder.write("a/cpu.max", "250000 100000\n");
  EXPECT_EQ(cgroupThreads(groups, folder.path), 3);
  folder.write("a/b/cpu.max", "100000 100000\n");
  EXPECT_EQ(cgroupThreads(groups, folder.path), 1);
}

TEST(ThreadLimits, QuotaOfVersion1) {
  TempFolder folder;
  std::filesystem::create_directories(folder / "cpu/g");
  std::string groups =
      folder.write("cgroup", "3:memory:/g\n2:cpu,cpuacct:/g\n");
  folder.write("cpu/g/cpu.cfs_quota_us", "-1");
  folder.write("cpu/g/cpu.cfs_period_us", "100000");
  EXPECT_EQ(cgroupThreads(groups, folder.path), 0);
  folder.write("cpu/g/cpu.cfs_quota_us", "200000");
  EXPECT_EQ(cgroupThreads(groups, folder.path), 2);
}

} // namespace
