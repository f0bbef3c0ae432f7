//===- ShareBuffers.cpp - compute in place --------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_SHAREBUFFERS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Pairs of an input and an output that the instruction can hold in one buffer.
static SmallVector<std::pair<Value, Value>> inPlacePairs(Operation *op) {
  SmallVector<std::pair<Value, Value>> pairs;
  auto add = [&](ValueRange inputs, ValueRange outputs) {
    for (Value output : outputs)
      for (Value input : inputs)
        if (input.getType() == output.getType())
          pairs.emplace_back(input, output);
  };
  if (auto map = dyn_cast<MapOp>(op))
    add(map.getInputs(), map.getOutputs());
  else if (auto conv = dyn_cast<ConvOp>(op))
    add(conv.getEpilogueInputs(), conv.getOutput());
  else if (auto product = dyn_cast<MatMulOp>(op))
    add(product.getEpilogueInputs(), product.getOutput());
  return pairs;
}

/// Every use of `root` by `op` is an operand equal to `value`, in a place where
/// `value` may be overwritten.
static bool isOnlyUsedAs(Value root, Value value, Operation *op) {
  for (const Access &access : accessesOf(op, 0)) {
    if (rootBuffer(access.buffer()) != root)
      continue;
    bool isMultiplied = isa<ConvOp, MatMulOp>(op) && access.operand < 2;
    if (isMultiplied || access.buffer().getType() != value.getType())
      return false;
  }
  return true;
}

/// Lets `input` and `output`, which `op` reads and writes, share one root.
static bool share(Operation *op, Value input, Value output,
                  Accesses &accesses) {
  Value from = rootBuffer(output), to = rootBuffer(input);
  auto isAlloc = [](Value root) { return bool(root.getDefiningOp<AllocOp>()); };
  auto isSlid = [](Value root) {
    return llvm::any_of(root.getUsers(), llvm::IsaPred<SlideOp>);
  };
  if (from == to || !isAlloc(to) || isSlid(from) || isSlid(to))
    return false;
  // The state of a loop's body holds something before.
  auto isRead = [&](const Access &use) { return use.op == op && use.reads; };
  if (llvm::any_of(accesses.of(from), isRead))
    return false;
  int64_t at = accesses.position(op);
  ArrayRef<Access> uses = accesses.of(from);
  // The input ends here; the output begins here.
  if (accesses.of(to).back().position != at || uses.front().position != at ||
      !isOnlyUsedAs(to, input, op) || !isOnlyUsedAs(from, output, op))
    return false;
  // An output of the function stays what it is. A buffer does not move into a
  // larger one, which would then be in use for longer.
  if (isAlloc(from) ? bufferBytes(from) != bufferBytes(to)
                    : bufferBytes(from) < bufferBytes(to))
    return false;
  if (!isAlloc(from))
    std::swap(from, to);
  if (auto alloc = to.getDefiningOp<AllocOp>())
    accesses.hoistBefore(alloc, from.getDefiningOp());
  for (Operation *user : llvm::make_early_inc_range(from.getUsers()))
    if (auto view = dyn_cast<ViewOp>(user))
      view.getSourceMutable().assign(to);
  if (!from.use_empty()) {
    OpBuilder builder(from.getContext());
    builder.setInsertionPointAfter(from.getDefiningOp());
    Value view = to;
    if (from.getType() != to.getType())
      view = ViewOp::create(builder, from.getLoc(), from.getType(), to);
    from.replaceAllUsesWith(view);
  }
  accesses.moved(from, to, nullptr);
  eraseIfUnused(from);
  return true;
}

/// Lets an instruction update an argument of a loop's body that it reads, if
/// what it makes of that is copied there and nothing else touches it.
static bool updateArgument(CopyOp copy, Accesses &accesses) {
  Value from = copy.getSource(), to = copy.getDestination();
  if (!from.getDefiningOp<AllocOp>() || !isa<BlockArgument>(to))
    return false;
  ArrayRef<Access> uses = accesses.of(from);
  Operation *op = uses.front().op;
  int64_t at = accesses.position(op);
  if (!llvm::is_contained(inPlacePairs(op), std::pair(to, from)) ||
      !isOnlyUsedAs(to, to, op) || !isOnlyUsedAs(from, from, op))
    return false;
  auto isInTheWay = [&](const Access &use) {
    return use.op != copy && use.position > at;
  };
  auto changes = [&](const Access &use) {
    return use.writes && use.position > at;
  };
  if (llvm::any_of(accesses.of(to), isInTheWay) || llvm::any_of(uses, changes))
    return false;
  accesses.moved(from, to, copy);
  copy.erase();
  from.replaceAllUsesWith(to);
  eraseIfUnused(from);
  return true;
}

namespace {
struct ShareBuffers : public inst::impl::ShareBuffersBase<ShareBuffers> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      dropPlan(block);
      run(block);
      block.walk([&](ForallOp forall) { run(forall.getBody().front()); });
    }
  }

private:
  void run(Block &block);
};
} // namespace

void ShareBuffers::run(Block &block) {
  Accesses accesses(block);
  SmallVector<Operation *> candidates;
  for (Operation &op : block)
    if (isa<MapOp, ConvOp, MatMulOp>(op))
      candidates.push_back(&op);
  for (Operation *op : candidates)
    for (auto [input, output] : inPlacePairs(op))
      if (share(op, input, output, accesses))
        break;
  for (CopyOp copy : llvm::to_vector(block.getOps<CopyOp>()))
    updateArgument(copy, accesses);
}
