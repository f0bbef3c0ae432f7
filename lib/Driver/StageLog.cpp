//===- StageLog.cpp - time and memory of the stages -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Driver/Compile.h"
#include "llvm/Support/Format.h"
#include <chrono>
#include <sys/resource.h>

using namespace mlir;
using namespace mlir::glow;

static constexpr std::pair<Stage, StringRef> kStages[] = {
    {Stage::Import, "import"},
    {Stage::Graph, "graph"},
    {Stage::Inst, "inst"},
    {Stage::Kernels, "kernels"},
    {Stage::LLVM, "llvm"}};

StringRef glow::stageName(Stage stage) {
  return kStages[static_cast<size_t>(stage)].second;
}

std::optional<Stage> glow::parseStage(StringRef name) {
  for (auto [stage, stageName] : kStages)
    if (name == stageName)
      return stage;
  return std::nullopt;
}

static double now() {
  auto time = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(time).count();
}

StageLog::Timer::Timer(StageLog &log, StringRef name)
    : log(log), name(name), start(now()) {}

StageLog::Timer::~Timer() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  log.rows.push_back(
      {name, now() - start, static_cast<uint64_t>(usage.ru_maxrss) * 1024});
}

void StageLog::printArena(raw_ostream &out) const {
  if (!arena)
    return;
  double over =
      arena->lowerBound ? 100.0 * arena->bytes / arena->lowerBound - 100 : 0;
  out << arena->bytes << " bytes of scratch memory, "
      << llvm::format("%.2f", over) << " % above the lower bound of "
      << arena->lowerBound << "\n";
}

void StageLog::print(raw_ostream &out) const {
  double total = 0;
  out << "stage            seconds   peak MiB\n";
  for (const Row &row : rows) {
    out << llvm::format("%-14s %9.3f %10.1f\n", row.name.c_str(), row.seconds,
                        row.peakBytes / 1048576.0);
    total += row.seconds;
  }
  out << llvm::format("%-14s %9.3f\n", "total", total);
  if (kernels)
    out << kernels << " kernels, " << cachedKernels << " of them cached\n";
}
