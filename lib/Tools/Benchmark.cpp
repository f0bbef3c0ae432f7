//===- Benchmark.cpp - repeated runs, timed and profiled ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Tools/Benchmark.h"
#include "llvm/Support/Format.h"
#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

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

void Throughput::print(raw_ostream &out) const {
  out << llvm::format("%u requests at once: %.1f per second; ", requests,
                      perSecond);
  latency.print(out);
}

llvm::json::Object Throughput::toJson() const {
  return llvm::json::Object{{"requests", requests},
                            {"per_second", perSecond},
                            {"latency", latency.toJson()}};
}

llvm::Expected<Throughput> mlir::glow::benchmarkRequests(GlowRtProgram *program,
                                                         const Inputs &inputs,
                                                         unsigned requests,
                                                         unsigned warmUps,
                                                         unsigned runs) {
  using Clock = std::chrono::steady_clock;
  std::vector<std::shared_ptr<GlowRtContext>> contexts;
  for (unsigned i = 0; i < requests; ++i) {
    auto context = makeContext(program, inputs);
    if (!context)
      return context.takeError();
    contexts.push_back(std::move(*context));
  }
  std::vector<std::vector<double>> times(requests);
  std::vector<std::string> errors(requests);
  // All begin when the last one is warm.
  std::atomic<unsigned> warm{0};
  std::atomic<bool> begun{false};
  auto serve = [&](unsigned request) {
    auto runOnce = [&] {
      if (errors[request].empty() && glow_rt_run(contexts[request].get()))
        errors[request] = glow_last_error();
    };
    for (unsigned i = 0; i < warmUps; ++i)
      runOnce();
    ++warm;
    while (!begun)
      std::this_thread::yield();
    for (unsigned i = 0; i < runs; ++i) {
      auto begin = Clock::now();
      runOnce();
      std::chrono::duration<double, std::milli> time = Clock::now() - begin;
      times[request].push_back(time.count());
    }
  };
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < requests; ++i)
    threads.emplace_back(serve, i);
  while (warm < requests)
    std::this_thread::yield();
  auto begin = Clock::now();
  begun = true;
  for (std::thread &thread : threads)
    thread.join();
  std::chrono::duration<double> seconds = Clock::now() - begin;

  Throughput result;
  result.requests = requests;
  result.perSecond = requests * runs / seconds.count();
  for (unsigned i = 0; i < requests; ++i) {
    if (!errors[i].empty())
      return llvm::createStringError(errors[i]);
    llvm::append_range(result.latency.milliseconds, times[i]);
  }
  llvm::sort(result.latency.milliseconds);
  return result;
}

llvm::Expected<std::shared_ptr<GlowRtContext>>
mlir::glow::makeContext(GlowRtProgram *program, const Inputs &inputs) {
  GlowRtContext *raw;
  if (glow_rt_context_create(program, &raw))
    return llvm::createStringError(glow_last_error());
  std::shared_ptr<GlowRtContext> context(raw, glow_rt_context_free);
  if (llvm::Error error = bindInputs(program, raw, inputs.tensors))
    return std::move(error);
  return context;
}
