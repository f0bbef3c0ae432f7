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
#include <tuple>

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
  SmallVector<SmallVector<size_t>> users;   // Steps of an allocation.

  int64_t peakOf(ArrayRef<size_t> order) const;

private:
  void addDependences(ArrayRef<Access> accesses,
                      const DenseMap<Operation *, size_t> &index,
                      std::vector<std::pair<size_t, size_t>> &edges);
};

} // namespace

static bool isStep(Operation &op) {
  return !namesBuffer(&op) && !op.hasTrait<OpTrait::IsTerminator>();
}

/// Two accesses must keep their order if they meet and one of them writes.
void Graph::addDependences(ArrayRef<Access> accesses,
                           const DenseMap<Operation *, size_t> &index,
                           std::vector<std::pair<size_t, size_t>> &edges) {
  if (llvm::none_of(accesses, [](const Access &use) { return use.writes; }))
    return;
  for (size_t j = 0; j < accesses.size(); ++j)
    for (size_t i = j; i-- > 0;) {
      const Access &a = accesses[i], &b = accesses[j];
      if (a.op == b.op || !(a.writes || b.writes) || !mayOverlap(a, b))
        continue;
      edges.emplace_back(index.lookup(a.op), index.lookup(b.op));
      // What comes before this write waits for it, as far as it matters here.
      if (a.writes && a.buffer().getType() == b.buffer().getType())
        break;
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
  std::vector<std::pair<size_t, size_t>> edges;
  for (Value root : accesses.roots()) {
    addDependences(accesses.of(root), index, edges);
    if (!root.getDefiningOp<AllocOp>())
      continue;
    // Accesses of one step follow each other.
    SmallVector<size_t> &steps = users.emplace_back();
    for (const Access &access : accesses.of(root))
      if (size_t step = index.lookup(access.op);
          steps.empty() || steps.back() != step)
        steps.push_back(step);
    for (size_t step : steps)
      buffers[step].push_back(bytes.size());
    bytes.push_back(bufferBytes(root));
  }
  llvm::sort(edges);
  edges.erase(llvm::unique(edges), edges.end());
  for (auto [from, to] : edges) {
    after[from].push_back(to);
    before[to].push_back(from);
  }
}

int64_t Graph::peakOf(ArrayRef<size_t> order) const {
  SmallVector<size_t> done(bytes.size(), 0);
  int64_t live = 0, peak = 0;
  for (size_t step : order) {
    for (size_t buffer : buffers[step])
      live += done[buffer] == 0 ? bytes[buffer] : 0;
    peak = std::max(peak, live);
    for (size_t buffer : buffers[step])
      live -= ++done[buffer] == users[buffer].size() ? bytes[buffer] : 0;
  }
  return peak;
}

namespace {
/// List scheduling: of the steps that wait for nothing, always the cheapest.
class GreedyOrder {
public:
  GreedyOrder(const Graph &graph, Rule rule, bool backwards);
  SmallVector<size_t> run();

private:
  /// What a step adds to the memory in use; of equal ones, the first in the
  /// direction of the walk.
  using Cost = std::tuple<int64_t, int64_t, size_t>;
  Cost costOf(size_t step) const;
  void insert(size_t step) { ready.insert(costs[step] = costOf(step)); }
  void place(size_t step);
  void update(size_t buffer);

  size_t key(size_t step) const {
    return backwards ? graph.steps.size() - 1 - step : step;
  }

  const Graph &graph;
  Rule rule;
  bool backwards;
  SmallVector<size_t> left;    // Steps that an allocation still has.
  SmallVector<size_t> missing; // What a step waits for.
  SmallVector<Cost> costs;     // Of those in `ready`.
  std::set<Cost> ready;
  SmallVector<bool> placed;
};
} // namespace

GreedyOrder::GreedyOrder(const Graph &graph, Rule rule, bool backwards)
    : graph(graph), rule(rule), backwards(backwards), costs(graph.steps.size()),
      placed(graph.steps.size(), false) {
  for (const auto &users : graph.users)
    left.push_back(users.size());
  for (const auto &waitsFor : backwards ? graph.after : graph.before)
    missing.push_back(waitsFor.size());
}

GreedyOrder::Cost GreedyOrder::costOf(size_t step) const {
  int64_t added = 0, freed = 0;
  for (size_t buffer : graph.buffers[step]) {
    bool isNew = left[buffer] == graph.users[buffer].size();
    added += isNew ? graph.bytes[buffer] : 0;
    freed += left[buffer] == 1 ? graph.bytes[buffer] : 0;
  }
  return rule == Rule::LeastGrowth ? Cost(added - freed, added, key(step))
                                   : Cost(added, added - freed, key(step));
}

/// Steps that are ready and use the buffer may cost something else now.
void GreedyOrder::update(size_t buffer) {
  for (size_t step : graph.users[buffer])
    if (!placed[step] && missing[step] == 0 && ready.erase(costs[step]))
      insert(step);
}

void GreedyOrder::place(size_t step) {
  placed[step] = true;
  for (size_t buffer : graph.buffers[step]) {
    --left[buffer];
    // No longer new, or about to be freed: nothing else changes costs.
    if (left[buffer] + 1 == graph.users[buffer].size() || left[buffer] == 1)
      update(buffer);
  }
  for (size_t next : backwards ? graph.before[step] : graph.after[step])
    if (--missing[next] == 0)
      insert(next);
}

SmallVector<size_t> GreedyOrder::run() {
  for (size_t step = 0; step < graph.steps.size(); ++step)
    if (missing[step] == 0)
      insert(step);
  SmallVector<size_t> order;
  while (!ready.empty()) {
    size_t step = key(std::get<2>(*ready.begin()));
    ready.erase(ready.begin());
    order.push_back(step);
    place(step);
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
      SmallVector<size_t> order = GreedyOrder(graph, rule, backwards).run();
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
