//===- FuseReductions.cpp - maps as regions of reductions -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_FUSEREDUCTIONS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// The map that computes what `reduce` combines and nothing else reads.
static MapOp onlyProducer(ReduceOp reduce, const Accesses &accesses) {
  if (!reduce.getBody().empty())
    return {};
  const Access *store = accesses.onlyStore(reduce, reduce.getInputs().front());
  auto map = store ? dyn_cast<MapOp>(store->op) : MapOp();
  return map && map.getOutputs().size() == 1 ? map : MapOp();
}

/// Whether something writes to what `map` reads before `reduce` would read it.
static bool isOverwritten(MapOp map, ReduceOp reduce,
                          const Accesses &accesses) {
  for (const Access &read : accessesOf(map, accesses.position(map))) {
    if (!read.reads)
      continue;
    for (const Access &other : accesses.of(rootBuffer(read.buffer())))
      if (other.writes && other.position > read.position &&
          other.position < accesses.position(reduce) && mayOverlap(read, other))
        return true;
  }
  return false;
}

namespace {
struct FuseReductions : public inst::impl::FuseReductionsBase<FuseReductions> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      run(block);
  }

private:
  void run(Block &block);
};
} // namespace

void FuseReductions::run(Block &block) {
  dropPlan(block);
  Accesses accesses(block);
  SmallVector<MapOp> fused;
  for (auto reduce : block.getOps<ReduceOp>()) {
    MapOp map = onlyProducer(reduce, accesses);
    // Inputs that are all broadcast do not tell the shape that is reduced.
    if (!map || isOverwritten(map, reduce, accesses) ||
        ReduceOp::spaceOf(map.getInputs()) != reduce.getSpace())
      continue;
    reduce.getInputsMutable().assign(map.getInputs());
    reduce.getBody().takeBody(map.getBody());
    reduce->setLoc(
        FusedLoc::get(&getContext(), {map.getLoc(), reduce.getLoc()}));
    // Until the end the map stands for what the reduction now reads.
    fused.push_back(map);
  }
  for (MapOp map : fused) {
    Value root = rootBuffer(map.getOutputs().front());
    map.erase();
    eraseIfUnused(root);
  }
}
