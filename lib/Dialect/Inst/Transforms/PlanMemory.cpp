//===- PlanMemory.cpp - give every allocation an offset in the arena ------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Transforms/MemoryPlan.h"
#include "glow/Dialect/Inst/Transforms/MemoryPlanner.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_PLANMEMORY
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

namespace {

/// What wants memory of one memory space: allocations, and loops and sections
/// for their first thread's scratch memory.
struct Space {
  SmallVector<Operation *> owners;
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
    Block &block = func.getBody().front();
    func.walk([&](ForallOp forall) { planScratch(forall); });
    for (auto sections : block.getOps<SectionsOp>())
      planScratch(sections);
    collect(block);
    // The default space always gets a size, so that a planned function shows.
    spaces[Attribute()];
    for (auto &[space, content] : spaces)
      if (failed(plan(func, space, content)))
        signalPassFailure();
    spaces.clear();
  }

private:
  void planScratch(ForallOp forall);
  void planScratch(SectionsOp sections);
  void collect(Block &block);
  LogicalResult plan(func::FuncOp func, Attribute space, Space &content);
  LogicalResult checkBudget(func::FuncOp func, const Space &content,
                            const PlacementResult &result);

  llvm::MapVector<Attribute, Space> spaces;
};

} // namespace

/// When an allocation of the block is in use.
static PlannedBuffer bufferOf(AllocOp alloc, const Accesses &accesses) {
  ArrayRef<Access> uses = accesses.of(alloc.getResult());
  int64_t begin =
      uses.empty() ? accesses.position(alloc) : uses.front().position;
  int64_t end = uses.empty() ? begin : uses.back().position;
  return {static_cast<uint64_t>(bufferBytes(alloc.getResult())), begin, end};
}

/// The scratch memory of a loop or sections, in use while these run.
template <typename Op>
static PlannedBuffer scratchOf(Op parent, const Accesses &accesses) {
  int64_t position = accesses.position(parent);
  return {static_cast<uint64_t>(*parent.getScratchBytes()), position, position};
}

/// Places the allocations of a loop's body, and the scratch memory of loops
/// there, in its own scratch memory.
void PlanMemory::planScratch(ForallOp forall) {
  Block &body = forall.getBody().front();
  Accesses accesses(body);
  auto allocs = llvm::to_vector(body.getOps<AllocOp>());
  auto loops = llvm::to_vector(body.getOps<ForallOp>());
  std::vector<PlannedBuffer> buffers;
  for (AllocOp alloc : allocs)
    buffers.push_back(bufferOf(alloc, accesses));
  for (ForallOp loop : loops)
    buffers.push_back(scratchOf(loop, accesses));
  PlacementResult result = planMemory(buffers, alignment);
  Builder builder(forall.getContext());
  ArrayRef<uint64_t> offsets = result.offsets;
  for (auto [alloc, offset] : llvm::zip(allocs, offsets))
    alloc.setOffsetAttr(builder.getI64IntegerAttr(offset));
  for (auto [loop, offset] :
       llvm::zip(loops, offsets.drop_front(allocs.size())))
    loop.setScratchOffsetAttr(builder.getI64IntegerAttr(offset));
  forall.setScratchBytesAttr(builder.getI64IntegerAttr(result.bytes));
}

/// A thread runs one loop of several at a time.
void PlanMemory::planScratch(SectionsOp sections) {
  int64_t bytes = 0;
  for (auto forall : sections.getBody().getOps<ForallOp>())
    bytes = std::max<int64_t>(bytes, *forall.getScratchBytes());
  sections.setScratchBytes(bytes);
}

void PlanMemory::collect(Block &block) {
  Accesses accesses(block);
  for (Operation &op : block) {
    if (auto alloc = dyn_cast<AllocOp>(op)) {
      auto type = cast<MemRefType>(alloc.getType());
      Space &space = spaces[type.getMemorySpace()];
      space.owners.push_back(alloc);
      space.buffers.push_back(bufferOf(alloc, accesses));
      continue;
    }
    llvm::TypeSwitch<Operation *>(&op).Case<ForallOp, SectionsOp>(
        [&](auto parent) {
          Space &space = spaces[Attribute()];
          space.owners.push_back(parent);
          space.buffers.push_back(scratchOf(parent, accesses));
        });
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
  for (auto [owner, buffer] : llvm::zip(content.owners, content.buffers)) {
    if (buffer.begin > result.peak || result.peak > buffer.end)
      continue;
    Diagnostic &note = diagnostic.attachNote(owner->getLoc()) << "in use: ";
    if (auto alloc = dyn_cast<AllocOp>(owner))
      note << alloc.getType();
    else
      note << "scratch memory";
    note << ", " << buffer.bytes << " bytes";
  }
  return failure();
}

LogicalResult PlanMemory::plan(func::FuncOp func, Attribute space,
                               Space &content) {
  PlacementResult result = planMemory(content.buffers, alignment);
  if (failed(checkBudget(func, content, result)))
    return failure();
  Builder builder(func.getContext());
  int64_t workerBytes = 0;
  for (auto [owner, place] : llvm::zip(content.owners, result.offsets)) {
    IntegerAttr offset = builder.getI64IntegerAttr(place);
    if (auto alloc = dyn_cast<AllocOp>(owner)) {
      alloc.setOffsetAttr(offset);
      continue;
    }
    llvm::TypeSwitch<Operation *>(owner).Case<ForallOp, SectionsOp>(
        [&](auto parent) {
          parent.setScratchOffsetAttr(offset);
          workerBytes =
              std::max<int64_t>(workerBytes, *parent.getScratchBytes());
        });
  }
  if (!space)
    func->removeAttr(InstDialect::kWorkerAttrName);
  if (workerBytes)
    func->setAttr(InstDialect::kWorkerAttrName,
                  builder.getI64IntegerAttr(workerBytes));
  func->setAttr(arenaAttrName(InstDialect::kArenaAttrName, space),
                builder.getI64IntegerAttr(result.bytes));
  func->setAttr(arenaAttrName(kLowerBoundAttrName, space),
                builder.getI64IntegerAttr(result.lowerBound));
  return success();
}
