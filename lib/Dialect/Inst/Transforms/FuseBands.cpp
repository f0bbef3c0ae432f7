//===- FuseBands.cpp - chains of instructions as loops over bands ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "BandChain.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_FUSEBANDS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Instructions that may stand between two of a chain.
static constexpr size_t kMostBetween = 16;

namespace {
struct FuseBands : public inst::impl::FuseBandsBase<FuseBands> {
  using FuseBandsBase::FuseBandsBase;

  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      run(block);
  }

private:
  void run(Block &block);
  void grow(BandChain &chain, Operation *seed);
  std::unique_ptr<BandChain> chainFrom(Operation *seed,
                                       const ParallelAxes &axes,
                                       const Accesses &accesses);

  DenseSet<Operation *> taken;
};
} // namespace

/// Adds what follows `seed`, as far as the chain may run after the rest.
void FuseBands::grow(BandChain &chain, Operation *seed) {
  size_t between = 0;
  for (Operation *op = nextInstruction(seed); op && between <= kMostBetween;
       op = nextInstruction(op)) {
    if (!taken.contains(op) && chain.join(op))
      continue;
    if (!chain.canPass(op))
      return;
    ++between;
  }
}

/// The chain that begins with `seed` and is parallel along `axes`; null if it
/// is not worth a loop.
std::unique_ptr<BandChain> FuseBands::chainFrom(Operation *seed,
                                                const ParallelAxes &axes,
                                                const Accesses &accesses) {
  auto chain =
      std::make_unique<BandChain>(seed, axes, accesses, target.getValue());
  grow(*chain, seed);
  return chain->chooseBands() ? std::move(chain) : nullptr;
}

/// Whether an instruction of the chain could be cut along more axes than
/// `axes`.
static bool hasMoreAxes(const BandChain &chain, const ParallelAxes &axes) {
  auto count = [](const ParallelAxes &axes) {
    return llvm::count_if(axes.extents, [](int64_t n) { return n > 1; });
  };
  return llvm::any_of(chain.operations(), [&](Operation *op) {
    return isa<MatMulOp>(op) && count(*ParallelAxes::of(op)) > count(axes);
  });
}

void FuseBands::run(Block &block) {
  dropPlan(block);
  Accesses accesses(block);
  std::vector<std::unique_ptr<BandChain>> chains;
  for (Operation &op : block) {
    auto axes = ParallelAxes::of(&op);
    if (!axes || taken.contains(&op))
      continue;
    std::unique_ptr<BandChain> chain = chainFrom(&op, *axes, accesses);
    if (!chain && isa<CopyOp>(op) && axes->extents.size() > 1) {
      // What a copy reorders for a product is the depth there, along which the
      // product is not parallel.
      axes->dropLast();
      chain = chainFrom(&op, *axes, accesses);
      // A product of several rows is better cut along these than joined.
      if (chain && hasMoreAxes(*chain, *axes))
        chain.reset();
    } else if (chain && chain->hasSmallPoints() && axes->extents.size() > 1) {
      // All of the last axis for several places of the one before.
      axes->dropLast();
      auto other = chainFrom(&op, *axes, accesses);
      if (other && other->operations().size() == chain->operations().size())
        chain = std::move(other);
    }
    if (!chain)
      continue;
    for (Operation *member : chain->operations())
      taken.insert(member);
    chains.push_back(std::move(chain));
  }
  for (auto &chain : chains)
    chain->emit();
  taken.clear();
}
