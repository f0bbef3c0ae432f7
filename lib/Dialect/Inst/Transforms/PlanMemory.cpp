//===- PlanMemory.cpp - give every allocation an offset in the arena ------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Transforms/MemoryPlan.h"
#include "glow/Dialect/Inst/Transforms/MemoryPlanner.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_PLANMEMORY
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

namespace {

/// The allocations of one memory space.
struct Space {
  SmallVector<AllocOp> allocs;
  std::vector<PlannedBuffer> buffers;
};

struct PlanMemory : public inst::impl::PlanMemoryBase<PlanMemory> {
  using PlanMemoryBase::PlanMemoryBase;

  void runOnOperation() override {
    func::FuncOp func = getOperation();
    if (func.isExternal())
      return;
    if (!func.getBody().hasOneBlock() || !llvm::isPowerOf2_64(alignment)) {
      func.emitOpError() << (func.getBody().hasOneBlock()
                                 ? "alignment must be a power of two"
                                 : "has control flow, which cannot be planned");
      return signalPassFailure();
    }
    collect(func.getBody().front());
    // The default space always gets a size, so that a planned function shows.
    spaces[Attribute()];
    for (auto &[space, content] : spaces)
      if (failed(plan(func, space, content)))
        signalPassFailure();
    spaces.clear();
  }

private:
  void collect(Block &block);
  LogicalResult plan(func::FuncOp func, Attribute space, Space &content);
  LogicalResult checkBudget(func::FuncOp func, const Space &content,
                            const PlacementResult &result);

  llvm::MapVector<Attribute, Space> spaces;
};

} // namespace

void PlanMemory::collect(Block &block) {
  Accesses accesses(block);
  for (AllocOp alloc : block.getOps<AllocOp>()) {
    auto type = cast<MemRefType>(alloc.getType());
    ArrayRef<Access> uses = accesses.of(alloc.getResult());
    int64_t begin =
        uses.empty() ? accesses.position(alloc) : uses.front().position;
    int64_t end = uses.empty() ? begin : uses.back().position;
    Space &space = spaces[type.getMemorySpace()];
    space.allocs.push_back(alloc);
    space.buffers.push_back(
        {static_cast<uint64_t>(bufferBytes(alloc.getResult())), begin, end});
  }
}

LogicalResult PlanMemory::checkBudget(func::FuncOp func, const Space &content,
                                      const PlacementResult &result) {
  uint64_t limit = budget;
  if (limit == 0 || result.bytes <= limit)
    return success();
  Operation *peak = func;
  for (auto [i, op] : llvm::enumerate(func.getBody().front()))
    if (static_cast<int64_t>(i) == result.peak)
      peak = &op;
  InFlightDiagnostic diagnostic =
      peak->emitError("memory plan needs ")
      << result.bytes << " bytes, more than the budget of " << limit
      << "; at this instruction " << result.lowerBound << " bytes are in use";
  for (auto [alloc, buffer] : llvm::zip(content.allocs, content.buffers))
    if (buffer.begin <= result.peak && result.peak <= buffer.end) {
      AllocOp op = alloc;
      diagnostic.attachNote(op.getLoc())
          << "in use: " << op.getType() << ", " << buffer.bytes << " bytes";
    }
  return failure();
}

LogicalResult PlanMemory::plan(func::FuncOp func, Attribute space,
                               Space &content) {
  PlacementResult result = planMemory(content.buffers, alignment);
  if (failed(checkBudget(func, content, result)))
    return failure();
  Builder builder(func.getContext());
  for (auto [alloc, offset] : llvm::zip(content.allocs, result.offsets))
    AllocOp(alloc).setOffsetAttr(builder.getI64IntegerAttr(offset));
  func->setAttr(arenaAttrName(InstDialect::kArenaAttrName, space),
                builder.getI64IntegerAttr(result.bytes));
  func->setAttr(arenaAttrName(kLowerBoundAttrName, space),
                builder.getI64IntegerAttr(result.lowerBound));
  return success();
}
