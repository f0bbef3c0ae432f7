//===- ThreadPool.cpp - Runs the tickets of one instruction at a time -----===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/ThreadPool.h"

#include <algorithm>
#include <chrono>
#include <sched.h>

using namespace glow::runtime;

// The job word, from the lowest bit: open (1), workers inside (15), helpers
// allowed (16), generation (32).
static constexpr uint64_t kOpen = 1;
static constexpr uint64_t kOneInside = 2;
static uint32_t insideOf(uint64_t word) { return (word >> 1) & 0x7fff; }
static uint32_t allowedOf(uint64_t word) { return (word >> 16) & 0xffff; }
static uint32_t generationOf(uint64_t word) { return word >> 32; }

static constexpr int32_t kMostThreads = 0x7fff;

// A cursor's word: units taken (16), number of the job (48).
static constexpr int64_t kMostUnits = 1 << 14;
static int64_t takenOf(uint64_t word) { return word & 0xffff; }
static uint64_t cursorWord(uint64_t jobNumber, int64_t taken) {
  return jobNumber << 16 | uint64_t(taken);
}

// A sleeping thread takes tens of microseconds to come back, a spinning one
// less than one. The next instruction usually comes within this time, and so
// does the next run where small models run one after the other: with 50 us,
// these took three times as long in a virtual machine.
static constexpr auto kSpinTime = std::chrono::microseconds(300);
// Who waits longer than this may hold a processor that the awaited thread, or a
// stranger, waits for, and lets it run. One that spins on is stopped when its
// time is used up, later, in the middle of tickets that others then wait for.
static constexpr auto kPoliteTime = std::chrono::microseconds(100);

static void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

/// Spins until `condition` holds; false if it did not in kSpinTime.
template <typename Condition> static bool spinUntil(Condition condition) {
  auto start = std::chrono::steady_clock::now();
  for (;;) {
    for (int i = 0; i < 64; ++i) {
      if (condition())
        return true;
      relax();
    }
    auto waited = std::chrono::steady_clock::now() - start;
    if (waited > kSpinTime)
      return false;
    if (waited > kPoliteTime)
      sched_yield();
  }
}

ThreadPool::ThreadPool(int32_t threads)
    : capacity(std::clamp(threads, 1, kMostThreads) - 1),
      workers(new Worker[capacity]), cursors(new Cursor[capacity + 1]) {}

ThreadPool::~ThreadPool() {
  stopping.store(true);
  for (int32_t i = 0; i < started.load(); ++i) {
    {
      std::lock_guard<std::mutex> lock(workers[i].mutex);
    }
    workers[i].wake.notify_one();
    pthread_join(workers[i].thread, nullptr);
  }
}

ThreadPool &ThreadPool::shared() {
  static ThreadPool *pool = new ThreadPool(maxThreads());
  return *pool;
}

int32_t ThreadPool::run(GlowKernel jobKernel, void *const *jobArgs,
                        int64_t jobTickets, int32_t threads) {
  if (jobTickets <= 0)
    return 0;
  int64_t useful = std::min<int64_t>({threads, jobTickets, capacity + 1});
  if (useful <= 1 || occupied.exchange(true, std::memory_order_acquire)) {
    jobKernel(jobArgs, 0, jobTickets, 0);
    return 1;
  }
  int32_t helpers = int32_t(useful) - 1;
  startWorkers(helpers);
  kernel = jobKernel;
  args = jobArgs;
  tickets = jobTickets;
  unit = jobTickets / useful / kMostUnits + 1;
  ranges = int32_t(useful);
  ++jobNumber;
  helpersUsed.store(0, std::memory_order_relaxed);
  openJob(helpers);
  runTickets(0);
  closeJob();
  int32_t used = 1 + helpersUsed.load(std::memory_order_relaxed);
  occupied.store(false, std::memory_order_release);
  return used;
}

/// Called by the job's owner only. A thread that cannot be started is done
/// without: the caller can finish every job alone.
void ThreadPool::startWorkers(int32_t count) {
  int32_t running = started.load(std::memory_order_relaxed);
  for (; running < count; ++running) {
    Worker &worker = workers[running];
    worker.pool = this;
    worker.index = running + 1;
    auto entry = [](void *self) -> void * {
      auto *worker = static_cast<Worker *>(self);
      worker->pool->work(*worker);
      return nullptr;
    };
    if (pthread_create(&worker.thread, nullptr, entry, &worker) != 0)
      return;
    started.store(running + 1, std::memory_order_relaxed);
  }
}

void ThreadPool::openJob(int32_t helpers) {
  uint64_t generation =
      generationOf(jobWord.load(std::memory_order_relaxed)) + 1u;
  jobWord.store(generation << 32 | uint64_t(helpers) << 16 | kOpen);
  int32_t running = std::min(helpers, started.load(std::memory_order_relaxed));
  for (int32_t i = 0; i < running; ++i) {
    // Sequentially consistent with waitForJob: either the worker sees the new
    // word, or this sees that it is going to sleep.
    if (!workers[i].asleep.load())
      continue;
    {
      std::lock_guard<std::mutex> lock(workers[i].mutex);
    }
    workers[i].wake.notify_one();
  }
}

/// Lets nobody in any more and waits until the workers inside have left.
void ThreadPool::closeJob() {
  jobWord.fetch_and(~kOpen);
  auto isEmpty = [&] { return insideOf(jobWord.load()) == 0; };
  if (spinUntil(isEmpty))
    return;
  std::unique_lock<std::mutex> lock(doneMutex);
  callerAsleep.store(true);
  done.wait(lock, isEmpty);
  callerAsleep.store(false);
}

ThreadPool::Range ThreadPool::rangeOf(int32_t owner) const {
  int64_t size = tickets / ranges, longer = tickets % ranges;
  int64_t begin = size * owner + std::min<int64_t>(owner, longer);
  return {begin, begin + size + (owner < longer)};
}

/// Takes a quarter of what is left of a range, so that many tickets cost few
/// turns, and the last ones of all threads end together.
bool ThreadPool::take(int32_t owner, Range &piece) {
  Range range = rangeOf(owner);
  int64_t units = (range.end - range.begin + unit - 1) / unit;
  std::atomic<uint64_t> &cursor = cursors[owner].word;
  uint64_t word = cursor.load(std::memory_order_relaxed);
  int64_t taken, size;
  do {
    bool isNew = word >> 16 != cursorWord(jobNumber, 0) >> 16;
    taken = isNew ? 0 : takenOf(word);
    if (taken == units)
      return false;
    size = std::max<int64_t>(1, (units - taken) / 4);
  } while (!cursor.compare_exchange_weak(
      word, cursorWord(jobNumber, taken + size), std::memory_order_relaxed));
  piece.begin = range.begin + taken * unit;
  piece.end = std::min(piece.begin + size * unit, range.end);
  return true;
}

void ThreadPool::runTickets(int32_t worker) {
  bool used = false;
  for (int32_t i = 0; i < ranges; ++i) {
    int32_t owner = (worker + i) % ranges;
    for (Range piece; take(owner, piece); used = true)
      kernel(args, piece.begin, piece.end, worker);
  }
  if (used && worker != 0)
    helpersUsed.fetch_add(1, std::memory_order_relaxed);
}

void ThreadPool::work(Worker &self) {
  uint32_t seen = 0;
  uint64_t word;
  while (waitForJob(self, seen, word)) {
    seen = generationOf(word);
    if (!join(word))
      continue;
    runTickets(self.index);
    leave();
  }
}

/// Returns false when the pool is being destroyed.
bool ThreadPool::waitForJob(Worker &self, uint32_t seen, uint64_t &word) {
  auto isDue = [&] {
    word = jobWord.load();
    return stopping.load() || ((word & kOpen) && generationOf(word) != seen &&
                               uint32_t(self.index) <= allowedOf(word));
  };
  if (!spinUntil(isDue)) {
    std::unique_lock<std::mutex> lock(self.mutex);
    self.asleep.store(true);
    self.wake.wait(lock, isDue);
    self.asleep.store(false);
  }
  return !stopping.load();
}

bool ThreadPool::join(uint64_t word) {
  uint32_t generation = generationOf(word);
  while ((word & kOpen) && generationOf(word) == generation)
    if (jobWord.compare_exchange_weak(word, word + kOneInside,
                                      std::memory_order_acq_rel))
      return true;
  return false;
}

void ThreadPool::leave() {
  uint64_t before = jobWord.fetch_sub(kOneInside);
  if ((before & kOpen) || insideOf(before) != 1 || !callerAsleep.load())
    return;
  {
    std::lock_guard<std::mutex> lock(doneMutex);
  }
  done.notify_one();
}
