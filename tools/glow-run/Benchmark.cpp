//===- Benchmark.cpp - repeated runs, timed and profiled ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Benchmark.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <chrono>

using namespace mlir;
using namespace mlir::glow;

double Timings::percentile(double percent) const {
  if (milliseconds.empty())
    return 0;
  double place = percent / 100 * (milliseconds.size() - 1);
  return milliseconds[static_cast<size_t>(place + 0.5)];
}

void Timings::print(raw_ostream &out) const {
  out << llvm::format("%zu runs: median %.3f ms, minimum %.3f, 90 %% %.3f, "
                      "99 %% %.3f, maximum %.3f\n",
                      milliseconds.size(), percentile(50), percentile(0),
                      percentile(90), percentile(99), percentile(100));
}

llvm::json::Object Timings::toJson() const {
  return llvm::json::Object{{"runs", static_cast<int64_t>(milliseconds.size())},
                            {"median_ms", percentile(50)},
                            {"min_ms", percentile(0)},
                            {"p90_ms", percentile(90)},
                            {"p99_ms", percentile(99)},
                            {"max_ms", percentile(100)}};
}

llvm::Expected<Timings> mlir::glow::benchmark(GlowRtContext *context,
                                              unsigned warmUps, unsigned runs) {
  using Clock = std::chrono::steady_clock;
  Timings timings;
  for (unsigned i = 0; i < warmUps + runs; ++i) {
    auto begin = Clock::now();
    if (glow_rt_run(context))
      return llvm::createStringError(glow_last_error());
    std::chrono::duration<double, std::milli> time = Clock::now() - begin;
    if (i >= warmUps)
      timings.milliseconds.push_back(time.count());
  }
  std::sort(timings.milliseconds.begin(), timings.milliseconds.end());
  return timings;
}

llvm::Expected<std::shared_ptr<GlowRtContext>>
mlir::glow::makeContext(GlowRtProgram *program, const Inputs &inputs) {
  GlowRtContext *raw;
  if (glow_rt_context_create(program, &raw))
    return llvm::createStringError(glow_last_error());
  std::shared_ptr<GlowRtContext> context(raw, glow_rt_context_free);
  for (auto [i, tensor] : llvm::enumerate(inputs.tensors))
    if (glow_rt_bind_input(raw, i, tensor.data, tensor.bytes))
      return llvm::createStringError(glow_last_error());
  return context;
}
