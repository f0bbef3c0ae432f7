//===- MemoryPlanner.cpp - greedy placement in several orders -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers are placed one after another, each into a gap between the buffers
// placed before it that live at the same time. What differs is the order, and
// whether the lowest or the tightest gap is taken.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Inst/Transforms/MemoryPlanner.h"
#include <algorithm>
#include <functional>
#include <numeric>

using namespace mlir::glow::inst;

namespace {

enum class Fit { Lowest, Tightest };

struct Planner {
  Planner(const std::vector<PlannedBuffer> &buffers, uint64_t alignment);

  std::vector<PlannedBuffer> buffers;         // With sizes rounded up.
  std::vector<std::vector<size_t>> conflicts; // Buffers alive at the same time.
  std::vector<uint64_t> pressure; // Bytes in use at the busiest instruction of
                                  // a buffer's life.
  uint64_t lowerBound = 0;
  int64_t peak = 0;

  std::vector<size_t> sorted(std::function<bool(size_t, size_t)> before) const;
  std::vector<size_t> byBreadth() const;
  uint64_t place(const std::vector<size_t> &order, Fit fit,
                 std::vector<uint64_t> &offsets) const;
  void improve(std::vector<size_t> order, PlacementResult &best) const;

private:
  void measure();
};

} // namespace

static uint64_t roundUp(uint64_t bytes, uint64_t alignment) {
  return (bytes + alignment - 1) / alignment * alignment;
}

static bool overlap(const PlannedBuffer &a, const PlannedBuffer &b) {
  return a.begin <= b.end && b.begin <= a.end;
}

Planner::Planner(const std::vector<PlannedBuffer> &input, uint64_t alignment)
    : buffers(input), conflicts(input.size()), pressure(input.size(), 0) {
  for (PlannedBuffer &buffer : buffers)
    buffer.bytes = roundUp(buffer.bytes, alignment);
  std::vector<size_t> live;
  for (size_t i : sorted([&](size_t a, size_t b) {
         return buffers[a].begin < buffers[b].begin;
       })) {
    live.erase(std::remove_if(
                   live.begin(), live.end(),
                   [&](size_t j) { return buffers[j].end < buffers[i].begin; }),
               live.end());
    for (size_t j : live) {
      if (buffers[j].bytes != 0)
        conflicts[i].push_back(j);
      if (buffers[i].bytes != 0)
        conflicts[j].push_back(i);
    }
    live.push_back(i);
  }
  measure();
}

/// Finds the busiest instruction. The load only rises where a buffer begins.
void Planner::measure() {
  for (size_t i : sorted([&](size_t a, size_t b) {
         return buffers[a].begin < buffers[b].begin;
       })) {
    int64_t at = buffers[i].begin;
    std::vector<size_t> live{i};
    for (size_t j : conflicts[i])
      if (buffers[j].begin <= at && at <= buffers[j].end)
        live.push_back(j);
    uint64_t load = 0;
    for (size_t j : live)
      load += buffers[j].bytes;
    for (size_t j : live)
      pressure[j] = std::max(pressure[j], load);
    if (load > lowerBound) {
      lowerBound = load;
      peak = at;
    }
  }
}

/// All buffers in the given order; equal ones stay in order.
std::vector<size_t>
Planner::sorted(std::function<bool(size_t, size_t)> before) const {
  std::vector<size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return before(a, b) || (!before(b, a) && a < b);
  });
  return order;
}

/// Buffers of the busiest instructions first, the largest of each first.
std::vector<size_t> Planner::byBreadth() const {
  return sorted([&](size_t a, size_t b) {
    return pressure[a] != pressure[b] ? pressure[a] > pressure[b]
                                      : buffers[a].bytes > buffers[b].bytes;
  });
}

uint64_t Planner::place(const std::vector<size_t> &order, Fit fit,
                        std::vector<uint64_t> &offsets) const {
  std::vector<bool> placed(buffers.size(), false);
  offsets.assign(buffers.size(), 0);
  uint64_t total = 0;
  std::vector<std::pair<uint64_t, uint64_t>> taken;
  for (size_t i : order) {
    placed[i] = true;
    uint64_t bytes = buffers[i].bytes;
    if (bytes == 0)
      continue;
    taken.clear();
    for (size_t j : conflicts[i])
      if (placed[j])
        taken.emplace_back(offsets[j], offsets[j] + buffers[j].bytes);
    std::sort(taken.begin(), taken.end());
    uint64_t end = 0, chosen = 0, tightest = UINT64_MAX;
    bool found = false;
    for (auto [from, to] : taken) {
      if (from > end && from - end >= bytes && from - end < tightest) {
        chosen = end;
        tightest = from - end;
        found = true;
        if (fit == Fit::Lowest)
          break;
      }
      end = std::max(end, to);
    }
    offsets[i] = found ? chosen : end;
    total = std::max(total, offsets[i] + bytes);
  }
  return total;
}

/// Moves the buffer that ends highest to the front of the order, as long as
/// that helps: what did not fit in late is the first to be placed. Large plans
/// get fewer rounds, so that time grows with their size only.
void Planner::improve(std::vector<size_t> order, PlacementResult &best) const {
  std::vector<uint64_t> offsets;
  size_t work = buffers.size();
  for (const std::vector<size_t> &others : conflicts)
    work += others.size();
  size_t rounds = std::clamp<size_t>(2000000 / (work + 1), 2, 64);
  for (size_t round = 0; round < rounds && best.bytes > lowerBound; ++round) {
    uint64_t bytes = place(order, Fit::Lowest, offsets);
    if (bytes < best.bytes) {
      best.bytes = bytes;
      best.offsets = offsets;
      best.order = "repaired";
    }
    auto highest =
        std::max_element(order.begin(), order.end(), [&](size_t a, size_t b) {
          return offsets[a] + buffers[a].bytes < offsets[b] + buffers[b].bytes;
        });
    if (highest == order.begin())
      return;
    std::rotate(order.begin(), highest, highest + 1);
  }
}

PlacementResult
mlir::glow::inst::planMemory(const std::vector<PlannedBuffer> &buffers,
                             uint64_t alignment) {
  Planner planner(buffers, alignment);
  const auto &b = planner.buffers;
  auto length = [&](size_t i) { return b[i].end - b[i].begin + 1; };
  auto area = [&](size_t i) {
    return static_cast<double>(b[i].bytes) * static_cast<double>(length(i));
  };
  const std::pair<const char *, std::vector<size_t>> orders[] = {
      {"size", planner.sorted([&](size_t x, size_t y) {
         return b[x].bytes > b[y].bytes;
       })},
      {"breadth", planner.byBreadth()},
      {"area",
       planner.sorted([&](size_t x, size_t y) { return area(x) > area(y); })},
      {"lifetime", planner.sorted([&](size_t x, size_t y) {
         return length(x) > length(y);
       })},
      {"begin", planner.sorted([&](size_t x, size_t y) {
         return b[x].begin < b[y].begin;
       })},
      {"end",
       planner.sorted([&](size_t x, size_t y) { return b[x].end > b[y].end; })},
  };
  PlacementResult best;
  best.bytes = UINT64_MAX;
  std::vector<uint64_t> offsets;
  for (Fit fit : {Fit::Lowest, Fit::Tightest})
    for (const auto &[name, order] : orders) {
      if (best.bytes == planner.lowerBound)
        break;
      uint64_t bytes = planner.place(order, fit, offsets);
      if (bytes < best.bytes) {
        best.bytes = bytes;
        best.offsets = offsets;
        best.order = std::string(name) +
                     (fit == Fit::Lowest ? ", lowest gap" : ", tightest gap");
      }
    }
  for (const auto &[name, order] : orders)
    planner.improve(order, best);
  best.lowerBound = planner.lowerBound;
  best.peak = planner.peak;
  return best;
}

std::string
mlir::glow::inst::checkPlacement(const std::vector<PlannedBuffer> &buffers,
                                 uint64_t alignment,
                                 const PlacementResult &result) {
  if (result.offsets.size() != buffers.size())
    return "not one offset per buffer";
  if (result.bytes < result.lowerBound)
    return "smaller than the lower bound";
  for (size_t i = 0; i < buffers.size(); ++i) {
    uint64_t from = result.offsets[i], to = from + buffers[i].bytes;
    std::string name = "buffer " + std::to_string(i);
    if (from % alignment != 0)
      return name + " is not aligned";
    if (to > result.bytes)
      return name + " reaches over the end of the arena";
    for (size_t j = 0; j < i; ++j)
      if (overlap(buffers[i], buffers[j]) &&
          from < result.offsets[j] + buffers[j].bytes && result.offsets[j] < to)
        return name + " overlaps buffer " + std::to_string(j);
  }
  return "";
}
