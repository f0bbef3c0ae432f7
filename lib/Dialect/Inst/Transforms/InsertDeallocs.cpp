//===- InsertDeallocs.cpp - bound the life of every allocation ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_INSERTDEALLOCS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Moves the views of `root` that `op` uses to just before it. Returns the
/// first of them, or `op`.
static Operation *sinkViews(Value root, Operation *op) {
  llvm::SmallSetVector<Operation *, 4> moved;
  for (Value operand : op->getOperands()) {
    auto view = operand.getDefiningOp<ViewOp>();
    if (!view || rootBuffer(view) != root)
      continue;
    SmallVector<Operation *> chain;
    for (; view; view = view.getSource().getDefiningOp<ViewOp>())
      chain.push_back(view);
    for (Operation *link : llvm::reverse(chain))
      if (moved.insert(link))
        link->moveBefore(op);
  }
  return moved.empty() ? op : moved.front();
}

namespace {
struct InsertDeallocs : public inst::impl::InsertDeallocsBase<InsertDeallocs> {
  void runOnOperation() override {
    if (getOperation().isExternal())
      return;
    for (Block &block : getOperation().getBody())
      run(block);
  }

private:
  void run(Block &block);
};
} // namespace

void InsertDeallocs::run(Block &block) {
  for (auto dealloc : llvm::make_early_inc_range(block.getOps<DeallocOp>()))
    dealloc.erase();
  SmallVector<AllocOp> allocs(block.getOps<AllocOp>());
  for (AllocOp alloc : allocs)
    eraseIfUnused(alloc.getResult());
  Accesses accesses(block);
  for (Value root : llvm::to_vector(accesses.roots())) {
    auto alloc = root.getDefiningOp<AllocOp>();
    ArrayRef<Access> uses = accesses.of(root);
    if (!alloc || uses.empty())
      continue;
    // The last user first: a view may serve several users, of which sinking
    // leaves it before the first.
    Operation *first = nullptr, *last = uses.back().op;
    for (const Access &use : llvm::reverse(uses))
      first = sinkViews(root, use.op);
    alloc->moveBefore(first);
    OpBuilder builder(alloc.getContext());
    builder.setInsertionPointAfter(last);
    DeallocOp::create(builder, last->getLoc(), root);
  }
}
