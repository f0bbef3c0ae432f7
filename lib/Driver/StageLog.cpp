//===- StageLog.cpp - time and memory of the stages -----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Driver/Compile.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"
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

/// The most bytes that the process has had in memory. What getrusage tells
/// begins with those of the process that has started this one.
static uint64_t peakMemory() {
  uint64_t kilobytes;
  if (auto status = llvm::MemoryBuffer::getFileAsStream("/proc/self/status"))
    for (llvm::line_iterator line(**status); !line.is_at_end(); ++line)
      if (StringRef rest = *line; rest.consume_front("VmHWM:") &&
                                  !rest.ltrim().consumeInteger(10, kilobytes))
        return kilobytes * 1024;
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<uint64_t>(usage.ru_maxrss) * 1024;
}

StageLog::Timer::~Timer() {
  log.rows.push_back({name, now() - start, peakMemory()});
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
