//===- VerifyPlan.cpp - check a planned function against its contract -----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/Transforms/MemoryPlan.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_VERIFYPLAN
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

namespace {

/// Where and when an allocation is.
struct Placed {
  AllocOp alloc;
  int64_t from, to;   // Bytes, `to` not included.
  int64_t begin, end; // Positions, both included.
};

struct VerifyPlan : public inst::impl::VerifyPlanBase<VerifyPlan> {
  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    if (!func.getBody().hasOneBlock()) {
      func.emitOpError("has control flow, which cannot be planned");
      return signalPassFailure();
    }
    Block &block = func.getBody().front();
    Accesses accesses(block);
    if (failed(verifyPlacement(func, block, accesses)) ||
        failed(verifyLifetimes(block, accesses)) ||
        failed(verifyWrites(func, accesses)))
      signalPassFailure();
  }

private:
  LogicalResult verifyPlacement(func::FuncOp func, Block &block,
                                const Accesses &accesses);
  LogicalResult verifyLifetimes(Block &block, const Accesses &accesses);
  LogicalResult verifyWrites(func::FuncOp func, const Accesses &accesses);
};

} // namespace

/// Live allocations of one space lie apart, within the arena.
LogicalResult VerifyPlan::verifyPlacement(func::FuncOp func, Block &block,
                                          const Accesses &accesses) {
  SmallVector<Placed> all;
  for (AllocOp alloc : block.getOps<AllocOp>()) {
    ArrayRef<Access> uses = accesses.of(alloc.getResult());
    Attribute space = cast<MemRefType>(alloc.getType()).getMemorySpace();
    auto arena = func->getAttrOfType<IntegerAttr>(
        arenaAttrName(InstDialect::kArenaAttrName, space));
    if (!arena || !alloc.getOffset())
      return alloc.emitOpError("has no place in a memory plan; run "
                               "glow-inst-plan-memory");
    int64_t from = *alloc.getOffset(),
            to = from + bufferBytes(alloc.getResult());
    if (to > arena.getInt())
      return alloc.emitOpError("ends at byte ")
             << to << " of an arena of " << arena.getInt();
    if (!uses.empty())
      all.push_back(
          {alloc, from, to, uses.front().position, uses.back().position});
  }
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      Placed &a = all[i], &b = all[j];
      if (a.from < b.to && b.from < a.to && a.begin <= b.end &&
          b.begin <= a.end &&
          cast<MemRefType>(a.alloc.getType()).getMemorySpace() ==
              cast<MemRefType>(b.alloc.getType()).getMemorySpace()) {
        InFlightDiagnostic diagnostic =
            a.alloc.emitOpError("overlaps another buffer in use");
        diagnostic.attachNote(b.alloc.getLoc()) << "the other buffer";
        return diagnostic;
      }
    }
  return success();
}

/// Uses lie between alloc and dealloc, and reads after a write.
LogicalResult VerifyPlan::verifyLifetimes(Block &block,
                                          const Accesses &accesses) {
  for (DeallocOp dealloc : block.getOps<DeallocOp>())
    for (const Access &use : accesses.of(dealloc.getBuffer()))
      if (use.position > accesses.position(dealloc)) {
        InFlightDiagnostic diagnostic =
            use.op->emitOpError("uses a buffer after its dealloc");
        diagnostic.attachNote(dealloc.getLoc()) << "the dealloc";
        return diagnostic;
      }
  for (AllocOp alloc : block.getOps<AllocOp>()) {
    ArrayRef<Access> uses = accesses.of(alloc.getResult());
    for (const Access &use : uses) {
      if (!use.reads ||
          cast<MemRefType>(use.buffer().getType()).getNumElements() == 0)
        continue;
      if (llvm::none_of(uses, [&](const Access &other) {
            return other.writes && other.position < use.position &&
                   mayOverlap(other, use);
          }))
        return use.op->emitOpError("reads operand ")
               << use.operand << ", which nothing has written";
    }
  }
  return success();
}

LogicalResult VerifyPlan::verifyWrites(func::FuncOp func,
                                       const Accesses &accesses) {
  for (Value root : accesses.roots()) {
    if (root.getDefiningOp<AllocOp>())
      continue;
    auto argument = dyn_cast<BlockArgument>(root);
    if (argument &&
        func.getArgAttr(argument.getArgNumber(), InstDialect::kOutputAttrName))
      continue;
    for (const Access &use : accesses.of(root))
      if (use.writes)
        return use.op->emitOpError("writes to operand ")
               << use.operand << ", which is "
               << (argument ? "an input of the function" : "a constant");
  }
  return success();
}
