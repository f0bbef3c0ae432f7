//===- JoinFills.cpp - one instruction for all borders of a buffer --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_JOINFILLS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow::inst;

/// Where a fill stops, axis by axis.
static SmallVector<AffineExpr> stopsOf(FillOp fill) {
  SmallVector<AffineExpr> limits;
  if (AffineMap extents = limitsOf(fill))
    for (AffineExpr extent : extents.getResults())
      limits.push_back(isa<AffineConstantExpr>(extent) ? AffineExpr() : extent);
  return limits;
}

/// Adds what each fill of a run writes to the run's last one. Returns the
/// others.
static SmallVector<FillOp> join(ArrayRef<Access> accesses) {
  SmallVector<FillOp> joined;
  llvm::SmallDenseSet<Operation *> seen;
  FillOp before;
  for (const Access &access : accesses) {
    auto fill = dyn_cast<FillOp>(access.op);
    // A fill that was joined before accesses several places.
    if (fill && !seen.insert(fill).second)
      continue;
    if (fill && before && fill.getValue() == before.getValue() &&
        stopsOf(fill) == stopsOf(before) &&
        fill->getBlock() == before->getBlock()) {
      fill.getFurtherMutable().append(before->getOperands());
      joined.push_back(before);
    }
    before = fill;
  }
  return joined;
}

namespace {
struct JoinFills : public mlir::glow::inst::impl::JoinFillsBase<JoinFills> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      Accesses accesses(block);
      SmallVector<FillOp> joined;
      for (Value root : accesses.roots())
        llvm::append_range(joined, join(accesses.of(root)));
      for (FillOp fill : joined)
        fill.erase();
    }
  }
};
} // namespace
