//===- NontemporalStores.cpp - large results past the caches --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "glow/Kernels/KernelBuilder.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_NONTEMPORALSTORES
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// The part of the last cache that scratch memory must be as large as, which is
/// used again and again.
static constexpr int64_t kScratchPart = 2;

/// The allocation or the function's argument that a buffer lies in.
static Value memoryOf(Value buffer) {
  Value root = rootBuffer(buffer);
  auto argument = dyn_cast<BlockArgument>(root);
  auto sections = argument
                      ? dyn_cast<SectionsOp>(argument.getOwner()->getParentOp())
                      : SectionsOp();
  return sections ? memoryOf(sections->getOperand(argument.getArgNumber()))
                  : root;
}

static bool outgrowsCaches(Value output, const KernelTarget &target) {
  BufferShape shape(output);
  int64_t least = isa<BlockArgument>(memoryOf(output))
                      ? target.nontemporalBytes()
                      : kScratchPart * target.lastCacheBytes();
  return shape.elements() * shape.bytes() >= least;
}

/// Whether an input is in the same buffer: its lines are in a cache already.
static bool isInPlace(Operation *op, Value output) {
  return llvm::count_if(op->getOperands(), [&](Value operand) {
           return memoryOf(operand) == memoryOf(output);
         }) > 1;
}

namespace {
struct NontemporalStores
    : public inst::impl::NontemporalStoresBase<NontemporalStores> {
  using NontemporalStoresBase::NontemporalStoresBase;

  void runOnOperation() override {
    if (!target.getValue().hasNontemporalStores())
      return;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      // What points of a loop write is small.
      if (isa<ForallOp>(op))
        return WalkResult::skip();
      if (auto copy = dyn_cast<CopyOp>(op))
        copy.setNontemporal(areOutgrown(op, copy.getDestination()));
      if (auto map = dyn_cast<MapOp>(op))
        map.setNontemporal(areOutgrown(op, map.getOutputs()));
      return WalkResult::advance();
    });
  }

private:
  bool areOutgrown(Operation *op, ValueRange outputs) {
    return llvm::all_of(outputs, [&](Value output) {
      return outgrowsCaches(output, target) && !isInPlace(op, output);
    });
  }
};
} // namespace
