//===- EliminateDeadStores.cpp - remove what nobody reads -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_ELIMINATEDEADSTORES
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// True if what is written here is read later, or leaves the function.
static bool isNeeded(const Access &store, const Accesses &accesses) {
  Value root = rootBuffer(store.buffer());
  ArrayRef<Access> uses = accesses.of(root);
  const Access *later = llvm::partition_point(
      uses, [&](const Access &use) { return use.position <= store.position; });
  for (const Access &use : uses.drop_front(later - uses.begin())) {
    if (!mayOverlap(use, store))
      continue;
    if (use.reads)
      return true;
    // The same elements are written again.
    if (use.buffer().getType() == store.buffer().getType())
      return false;
  }
  return !root.getDefiningOp<AllocOp>();
}

static bool isDead(Operation *op, const Accesses &accesses) {
  // Ops of other dialects may do more than they say about buffers.
  if (!isa_and_nonnull<InstDialect>(op->getDialect()) || op->getNumResults())
    return false;
  bool writes = false;
  // The marks of a loop write what its steps do.
  if (isa<EnterStepsOp, RepeatStepsOp>(op))
    return false;
  for (const Access &access : accessesOf(op, accesses.position(op))) {
    if (!access.writes)
      continue;
    writes = true;
    if (isNeeded(access, accesses))
      return false;
  }
  return writes;
}

namespace {
struct EliminateDeadStores
    : public inst::impl::EliminateDeadStoresBase<EliminateDeadStores> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      dropPlan(block);
      Accesses accesses(block);
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (isDead(&op, accesses)) {
          accesses.erased(&op);
          op.erase();
        }
      for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
        if (isa<AllocOp, ViewOp>(op) && op.use_empty())
          op.erase();
    }
  }
};
} // namespace
