//===- Schedule.cpp - reorder instructions to need less memory ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Greedy list scheduling, forwards and backwards (the problem reads the same in
// both directions), with two rules of choice. The best of the orders, the
// original one included, is kept.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "llvm/ADT/DenseSet.h"
#include <set>

namespace mlir::glow::inst {
#define GEN_PASS_DEF_SCHEDULE
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

namespace {

enum class Rule { LeastGrowth, LeastNew };

/// The instructions of a block as a graph.
struct Graph {
  explicit Graph(Block &block);

  SmallVector<Operation *> steps; // In the original order.
  SmallVector<SmallVector<size_t>> before, after;
  SmallVector<int64_t> bytes;               // Of every allocation.
  SmallVector<SmallVector<size_t>> buffers; // Allocations of a step.
  SmallVector<int64_t> uses;                // Steps per allocation.

  int64_t peakOf(ArrayRef<size_t> order) const;
  SmallVector<size_t> greedy(Rule rule, bool backwards) const;

private:
  void addDependences(ArrayRef<Access> accesses,
                      const DenseMap<Operation *, size_t> &index,
                      std::set<std::pair<size_t, size_t>> &edges);
};

} // namespace

static bool isStep(Operation &op) {
  return !isa<AllocOp, ConstantOp, ViewOp, DeallocOp>(op) &&
         !op.hasTrait<OpTrait::IsTerminator>();
}

/// Two accesses must keep their order if they meet and one of them writes.
void Graph::addDependences(ArrayRef<Access> accesses,
                           const DenseMap<Operation *, size_t> &index,
                           std::set<std::pair<size_t, size_t>> &edges) {
  for (size_t j = 0; j < accesses.size(); ++j)
    for (size_t i = 0; i < j; ++i) {
      const Access &a = accesses[i], &b = accesses[j];
      if (a.op != b.op && (a.writes || b.writes) && mayOverlap(a, b))
        edges.emplace(index.lookup(a.op), index.lookup(b.op));
    }
}

Graph::Graph(Block &block) {
  DenseMap<Operation *, size_t> index;
  for (Operation &op : block)
    if (isStep(op)) {
      index[&op] = steps.size();
      steps.push_back(&op);
    }
  before.resize(steps.size());
  after.resize(steps.size());
  buffers.resize(steps.size());
  Accesses accesses(block);
  std::set<std::pair<size_t, size_t>> edges;
  for (Value root : accesses.roots()) {
    addDependences(accesses.of(root), index, edges);
    if (!root.getDefiningOp<AllocOp>())
      continue;
    llvm::SmallDenseSet<size_t> users;
    for (const Access &access : accesses.of(root))
      if (users.insert(index.lookup(access.op)).second)
        buffers[index.lookup(access.op)].push_back(bytes.size());
    uses.push_back(users.size());
    bytes.push_back(bufferBytes(root));
  }
  for (auto [from, to] : edges) {
    after[from].push_back(to);
    before[to].push_back(from);
  }
}

int64_t Graph::peakOf(ArrayRef<size_t> order) const {
  SmallVector<int64_t> left(uses);
  int64_t live = 0, peak = 0;
  for (size_t step : order) {
    for (size_t buffer : buffers[step])
      live += left[buffer] == uses[buffer] ? bytes[buffer] : 0;
    peak = std::max(peak, live);
    for (size_t buffer : buffers[step])
      live -= --left[buffer] == 0 ? bytes[buffer] : 0;
  }
  return peak;
}

SmallVector<size_t> Graph::greedy(Rule rule, bool backwards) const {
  const auto &waitsFor = backwards ? after : before;
  const auto &releases = backwards ? before : after;
  SmallVector<int64_t> left(uses);
  SmallVector<size_t> missing, order;
  // Ready steps, those first in the original direction first.
  std::set<size_t> ready;
  auto key = [&](size_t step) {
    return backwards ? steps.size() - 1 - step : step;
  };
  for (size_t step = 0; step < steps.size(); ++step) {
    missing.push_back(waitsFor[step].size());
    if (missing[step] == 0)
      ready.insert(key(step));
  }
  while (!ready.empty()) {
    size_t best = *ready.begin();
    std::pair<int64_t, int64_t> bestCost{INT64_MAX, INT64_MAX};
    for (size_t candidate : ready) {
      int64_t added = 0, freed = 0;
      for (size_t buffer : buffers[key(candidate)]) {
        added += left[buffer] == uses[buffer] ? bytes[buffer] : 0;
        freed += left[buffer] == 1 ? bytes[buffer] : 0;
      }
      std::pair<int64_t, int64_t> cost = rule == Rule::LeastGrowth
                                             ? std::pair(added - freed, added)
                                             : std::pair(added, added - freed);
      if (cost < bestCost) {
        bestCost = cost;
        best = candidate;
      }
    }
    ready.erase(best);
    size_t step = key(best);
    order.push_back(step);
    for (size_t buffer : buffers[step])
      --left[buffer];
    for (size_t next : releases[step])
      if (--missing[next] == 0)
        ready.insert(key(next));
  }
  if (backwards)
    std::reverse(order.begin(), order.end());
  return order;
}

/// Puts the steps, each after the views it uses, at the end of the block.
static void apply(Block &block, const Graph &graph, ArrayRef<size_t> order) {
  Operation *end = block.getTerminator();
  DenseSet<Operation *> placed;
  for (size_t index : order) {
    Operation *step = graph.steps[index];
    for (Value operand : step->getOperands()) {
      SmallVector<Operation *> chain;
      for (auto view = operand.getDefiningOp<ViewOp>(); view;
           view = view.getSource().getDefiningOp<ViewOp>())
        chain.push_back(view);
      for (Operation *view : llvm::reverse(chain))
        if (placed.insert(view).second)
          view->moveBefore(end);
    }
    step->moveBefore(end);
  }
}

namespace {
struct Schedule : public inst::impl::ScheduleBase<Schedule> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      // What other dialects' ops depend on is not known here.
      if (llvm::any_of(block.without_terminator(), [](Operation &op) {
            return !isa_and_nonnull<InstDialect>(op.getDialect());
          }))
        continue;
      dropPlan(block);
      schedule(block);
    }
  }

private:
  void schedule(Block &block);
};
} // namespace

void Schedule::schedule(Block &block) {
  Graph graph(block);
  auto best = llvm::to_vector(llvm::seq<size_t>(0, graph.steps.size()));
  int64_t bestPeak = graph.peakOf(best);
  bool changed = false;
  for (Rule rule : {Rule::LeastGrowth, Rule::LeastNew})
    for (bool backwards : {false, true}) {
      SmallVector<size_t> order = graph.greedy(rule, backwards);
      int64_t peak = graph.peakOf(order);
      if (peak < bestPeak) {
        bestPeak = peak;
        best = order;
        changed = true;
      }
    }
  if (changed)
    apply(block, graph, best);
}
