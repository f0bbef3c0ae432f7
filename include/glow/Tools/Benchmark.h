//===- Benchmark.h - repeated runs, timed and profiled ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_BENCHMARK_H
#define GLOW_TOOLS_BENCHMARK_H

#include "glow/Tools/Inputs.h"
#include "llvm/Support/JSON.h"

namespace mlir::glow {

/// Times in milliseconds of the runs after the warm-up, sorted.
struct Timings {
  std::vector<double> milliseconds;
  double percentile(double percent) const;
  void print(raw_ostream &out) const;
  llvm::json::Object toJson() const;
};

/// Runs `context` (inputs bound) `warmUps` + `runs` times.
llvm::Expected<Timings> benchmark(GlowRtContext *context, unsigned warmUps,
                                  unsigned runs);

/// Several requests at once, each on a context and a thread of its own.
struct Throughput {
  unsigned requests = 0;
  double perSecond = 0;
  Timings latency;
  void print(raw_ostream &out) const;
  llvm::json::Object toJson() const;
};

/// Times `runs` runs of each of `requests` requests after `warmUps`.
llvm::Expected<Throughput> benchmarkRequests(GlowRtProgram *program,
                                             const Inputs &inputs,
                                             unsigned requests,
                                             unsigned warmUps, unsigned runs);

/// The context of `program` with `inputs` bound.
llvm::Expected<std::shared_ptr<GlowRtContext>>
makeContext(GlowRtProgram *program, const Inputs &inputs);

} // namespace mlir::glow

#endif // GLOW_TOOLS_BENCHMARK_H
