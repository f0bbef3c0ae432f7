//===- FuseRows.cpp - chains of convolutions as loops over rows -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LoopPoints.h"
#include "RowCosts.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_FUSEROWS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Rows computed twice add up along a chain, so long ones do not pay.
static constexpr size_t kMostMembers = 8;

/// A loop must save this part of the time.
static constexpr double kLeastGain = 0.02;

/// The instruction after `op`, but for fills, of which padding is made.
static Operation *nextOtherThanFill(Operation *op) {
  do
    op = nextInstruction(op);
  while (isa_and_nonnull<FillOp>(op));
  return op;
}

namespace {
/// A chain, and the cycles that its loop saves.
struct Candidate {
  RowChain chain;
  double gain;
};

struct FuseRows : public inst::impl::FuseRowsBase<FuseRows> {
  using FuseRowsBase::FuseRowsBase;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      run(block);
  }

private:
  void run(Block &block);
  std::vector<Candidate> candidatesFrom(Operation *seed,
                                        const Accesses &accesses) const;
  std::optional<Candidate> bestBands(RowChain chain) const;
};
} // namespace

/// With the bands' height that costs least, all of an image at most; nothing if
/// no loop pays.
std::optional<Candidate> FuseRows::bestBands(RowChain chain) const {
  if (height) {
    if (chain.rows() % height != 0 || !chain.divide(height))
      return std::nullopt;
    double members = chain.getMembers().size();
    return Candidate{std::move(chain), members};
  }
  RowCosts costs(target);
  double apart = costs.apart(chain);
  int64_t images = leastExtent(chain.getMembers().front().op, chain.images());
  std::optional<Candidate> best;
  for (int64_t rows = 1; rows <= chain.rows(); ++rows) {
    if (chain.rows() % rows != 0 ||
        images * chain.rows() / rows < kLeastPoints || !chain.divide(rows))
      continue;
    double gain = apart - costs.inBands(chain);
    if (gain > kLeastGain * apart && (!best || gain > best->gain))
      best = Candidate{chain, gain};
  }
  return best;
}

/// The loops that begin with `seed`, for each of their lengths.
std::vector<Candidate>
FuseRows::candidatesFrom(Operation *seed, const Accesses &accesses) const {
  std::vector<Candidate> candidates;
  SmallVector<Operation *> operations{seed};
  for (Operation *op = nextOtherThanFill(seed);
       op && operations.size() < kMostMembers && RowUses::of(op);
       op = nextOtherThanFill(op)) {
    operations.push_back(op);
    if (auto chain = RowChain::make(operations, accesses))
      if (auto candidate = bestBands(std::move(*chain)))
        candidates.push_back(std::move(*candidate));
  }
  return candidates;
}

/// Chooses chains that have no instruction in common and together save most.
void FuseRows::run(Block &block) {
  dropPlan(block);
  Accesses accesses(block);
  /// For an instruction what can be saved from it on, and by which chain first.
  struct Choice {
    double gain = 0;
    std::optional<RowChain> chain;
  };
  DenseMap<Operation *, Choice> choices;
  auto gainFrom = [&](Operation *op) { return op ? choices[op].gain : 0; };
  for (Operation &op : llvm::reverse(block)) {
    Choice choice{gainFrom(op.getNextNode()), std::nullopt};
    if (RowUses::of(&op))
      for (Candidate &candidate : candidatesFrom(&op, accesses)) {
        Operation *last = candidate.chain.getMembers().back().op;
        double gain = candidate.gain + gainFrom(last->getNextNode());
        if (gain > choice.gain)
          choice = {gain, std::move(candidate.chain)};
      }
    choices[&op] = std::move(choice);
  }
  std::vector<RowChain> chosen;
  for (Operation *op = &block.front(); op;) {
    std::optional<RowChain> &chain = choices[op].chain;
    if (chain)
      chosen.push_back(*chain);
    op = chain ? chain->getMembers().back().op->getNextNode()
               : op->getNextNode();
  }
  for (const RowChain &chain : chosen)
    chain.emit();
}
