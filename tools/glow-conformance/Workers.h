//===- Workers.h - tests in processes of their own --------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_CONFORMANCE_WORKERS_H
#define GLOW_TOOLS_CONFORMANCE_WORKERS_H

#include "RunTest.h"
#include <functional>

namespace mlir::glow {

/// A test in a mode, or a part of it that runs in the second process of a
/// worker.
struct Job {
  size_t test;
  Mode mode;
  bool isSecond;
};

/// Runs jobs in forked processes, which live for many jobs. A crash, or a job
/// that takes longer than `seconds`, is that job's failure; a new process takes
/// the next one. The calling process must have one thread.
class Workers {
public:
  using Work = std::function<Outcome(const Job &)>;
  /// Gets an outcome; may give another job, which is done at once.
  using Done = llvm::function_ref<std::optional<Job>(const Job &, Outcome)>;

  Workers(unsigned count, unsigned seconds, Work work)
      : count(count), seconds(seconds), work(std::move(work)) {}
  llvm::Error run(std::vector<Job> jobs, Done done);

private:
  unsigned count, seconds;
  Work work;
};

} // namespace mlir::glow

#endif // GLOW_TOOLS_CONFORMANCE_WORKERS_H
