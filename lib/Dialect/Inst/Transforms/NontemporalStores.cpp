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

/// Parts of the last cache that a result must be as large as, whose lines are
/// seldom there from before, and scratch memory, which is used again and again.
static constexpr double kResultPart = 0.75, kScratchPart = 2;

static bool outgrowsCaches(Value output, const KernelTarget &target) {
  BufferShape shape(output);
  double part =
      isa<BlockArgument>(rootBuffer(output)) ? kResultPart : kScratchPart;
  return shape.elements() * shape.bytes() >=
         part * std::max(target.l2Bytes, target.l3Bytes);
}

/// Whether an input is in the same buffer: its lines are in a cache already.
static bool isInPlace(Operation *op, Value output) {
  return llvm::count_if(op->getOperands(), [&](Value operand) {
           return rootBuffer(operand) == rootBuffer(output);
         }) > 1;
}

namespace {
struct NontemporalStores
    : public inst::impl::NontemporalStoresBase<NontemporalStores> {
  using NontemporalStoresBase::NontemporalStoresBase;

  void runOnOperation() override {
    if (!target.getValue().hasNontemporalStores())
      return;
    for (Block &block : getOperation().getBody()) {
      for (auto op : block.getOps<CopyOp>())
        op.setNontemporal(areOutgrown(op, op.getDestination()));
      for (auto op : block.getOps<MapOp>())
        op.setNontemporal(areOutgrown(op, op.getOutputs()));
    }
  }

private:
  bool areOutgrown(Operation *op, ValueRange outputs) {
    return llvm::all_of(outputs, [&](Value output) {
      return outgrowsCaches(output, target) && !isInPlace(op, output);
    });
  }
};
} // namespace
