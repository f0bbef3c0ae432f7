//===- ThreadPool.h - Runs the tickets of one instruction at a time -------===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_THREADPOOL_H
#define GLOW_RUNTIME_THREADPOOL_H

#include "glow-c/ModelABI.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <pthread.h>

namespace glow::runtime {

/// Threads that the affinity mask and the cgroup quota leave this process.
int32_t maxThreads();
/// GLOW_NUM_THREADS if set and valid, at most maxThreads().
int32_t defaultThreads();

/// A pool that works on one job at a time. A caller that finds it occupied, by
/// another model or by the job it is itself part of, does its work alone: so
/// callers never wait for each other and nesting cannot deadlock.
///
/// All state of a job is one 64-bit word: whether it may be joined, how many
/// workers are in it, how many may be, and a generation that keeps a late
/// worker from taking the next job for one it has already left. A worker reads
/// the job's fields only after it has joined, and the caller returns only after
/// the last one has left.
///
/// Each thread has a range of the tickets, the same one whenever the same job
/// comes back, so that what it reads and writes stays in its core's caches. A
/// thread whose range is finished helps with those of others.
class ThreadPool {
public:
  /// A pool of at most `threads` threads, the caller's included. They are
  /// started when first needed.
  explicit ThreadPool(int32_t threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool &) = delete;
  ThreadPool &operator=(const ThreadPool &) = delete;

  /// The process's pool. Never destroyed, so that exit order does not matter.
  static ThreadPool &shared();

  /// Runs `kernel` over [0, tickets) on at most `threads` threads, the caller's
  /// included, and returns how many took part.
  int32_t run(GlowKernel kernel, void *const *args, int64_t tickets,
              int32_t threads);

private:
  struct alignas(128) Worker {
    ThreadPool *pool;
    int32_t index;
    pthread_t thread;
    std::atomic<bool> asleep{false};
    std::mutex mutex;
    std::condition_variable wake;
  };

  /// How far one thread's range is: the job, and the units taken in it. A word
  /// of an earlier job means that nothing is taken, so that a new job need not
  /// write to all of them.
  struct alignas(128) Cursor {
    std::atomic<uint64_t> word{0};
  };
  struct Range {
    int64_t begin, end;
  };

  void startWorkers(int32_t count);
  void openJob(int32_t helpers);
  void closeJob();
  Range rangeOf(int32_t owner) const;
  bool take(int32_t owner, Range &piece);
  void runTickets(int32_t worker);
  void work(Worker &self);
  bool waitForJob(Worker &self, uint32_t seen, uint64_t &word);
  bool join(uint64_t word);
  void leave();

  const int32_t capacity; // helpers, without the caller
  std::unique_ptr<Worker[]> workers;
  std::unique_ptr<Cursor[]> cursors;
  std::atomic<int32_t> started{0};
  std::atomic<bool> occupied{false};

  // The job. Written while nobody is in it.
  GlowKernel kernel = nullptr;
  void *const *args = nullptr;
  int64_t tickets = 0;
  int64_t unit = 1; // tickets per step of a cursor
  int32_t ranges = 1;
  uint64_t jobNumber = 0;

  // What waiting threads look at all the time, apart from what changes without
  // concerning them.
  alignas(128) std::atomic<uint64_t> jobWord{0};
  std::atomic<int32_t> helpersUsed{0};
  std::atomic<bool> stopping{false};

  alignas(128) std::atomic<bool> callerAsleep{false};
  std::mutex doneMutex;
  std::condition_variable done;
};

} // namespace glow::runtime
#endif // GLOW_RUNTIME_THREADPOOL_H
