//===- MemoryPlanner.h - offsets for buffers with lifetimes ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Dynamic storage allocation with known lifetimes, free of MLIR so that it can
// be tested on its own. The problem is NP-hard; a few greedy orders come within
// a few percent of the bound on neural networks, mostly to it.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_INST_TRANSFORMS_MEMORYPLANNER_H
#define GLOW_DIALECT_INST_TRANSFORMS_MEMORYPLANNER_H

#include <cstdint>
#include <string>
#include <vector>

namespace mlir::glow::inst {

/// A buffer that is in use from instruction `begin` to instruction `end`, both
/// included.
struct PlannedBuffer {
  uint64_t bytes;
  int64_t begin, end;
};

struct PlacementResult {
  std::vector<uint64_t> offsets; // One per buffer.
  uint64_t bytes = 0;            // Size of the arena.
  uint64_t lowerBound = 0;       // Largest sum of bytes in use at once.
  int64_t peak = 0;              // The first instruction where that is so.
  std::string order;             // The order of placement that won.
};

/// Places the buffers at multiples of `alignment`, a power of two. Sizes are
/// rounded up to it. Deterministic.
PlacementResult planMemory(const std::vector<PlannedBuffer> &buffers,
                           uint64_t alignment);

/// Empty if `result` is a plan for `buffers`, else what is wrong with it.
std::string checkPlacement(const std::vector<PlannedBuffer> &buffers,
                           uint64_t alignment, const PlacementResult &result);

} // namespace mlir::glow::inst

#endif // GLOW_DIALECT_INST_TRANSFORMS_MEMORYPLANNER_H
