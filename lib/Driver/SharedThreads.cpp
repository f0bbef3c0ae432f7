//===- SharedThreads.cpp - the threads of all contexts --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SharedThreads.h"
#include <mutex>
#include <unistd.h>

using llvm::ThreadPoolTaskGroup;

namespace {
class ForkedThreads : public llvm::ThreadPoolInterface {
public:
  void wait() override { pool().wait(); }
  void wait(ThreadPoolTaskGroup &group) override { pool().wait(group); }
  unsigned getMaxConcurrency() const override {
    return pool().getMaxConcurrency();
  }

private:
  void asyncEnqueue(llvm::unique_function<void()> task,
                    ThreadPoolTaskGroup *group) override {
    auto run = [task = std::move(task)]() mutable { task(); };
    if (group)
      pool().async(*group, std::move(run));
    else
      pool().async(std::move(run));
  }

  /// That of this process. A parent's is given up as it is.
  llvm::DefaultThreadPool &pool() const {
    std::lock_guard lock(mutex);
    if (owner != getpid()) {
      owner = getpid();
      threads = new llvm::DefaultThreadPool;
    }
    return *threads;
  }

  mutable std::mutex mutex;
  mutable pid_t owner = 0;
  mutable llvm::DefaultThreadPool *threads = nullptr;
};
} // namespace

llvm::ThreadPoolInterface &mlir::glow::sharedThreads() {
  static auto *threads = new ForkedThreads;
  return *threads;
}
