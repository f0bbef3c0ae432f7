//===- Accesses.cpp - who touches which buffer, and when ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

SmallVector<Access> inst::accessesOf(Operation *op, int64_t position) {
  SmallVector<Access> accesses;
  if (namesBuffer(op))
    return accesses;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()))
      accesses.push_back(
          {op, operand.getOperandNumber(), position, false, false});
  auto interface = dyn_cast<MemoryEffectOpInterface>(op);
  SmallVector<MemoryEffects::EffectInstance> effects;
  if (interface)
    interface.getEffects(effects);
  for (Access &access : accesses) {
    if (!interface)
      access.reads = access.writes = true;
    for (const MemoryEffects::EffectInstance &effect : effects) {
      auto *operand = effect.getEffectValue<OpOperand *>();
      if (!operand || operand->getOperandNumber() != access.operand)
        continue;
      access.reads |= isa<MemoryEffects::Read>(effect.getEffect());
      access.writes |= isa<MemoryEffects::Write>(effect.getEffect());
    }
  }
  return accesses;
}

Accesses::Accesses(Block &block) {
  int64_t position = 0;
  for (Operation &op : block) {
    positions[&op] = position;
    for (const Access &access : accessesOf(&op, position))
      byRoot[rootBuffer(access.buffer())].push_back(access);
    ++position;
  }
}

ArrayRef<Access> Accesses::of(Value root) const {
  auto found = byRoot.find(root);
  return found == byRoot.end() ? ArrayRef<Access>() : found->second;
}

const Access *Accesses::onlyStore(Operation *reader, Value input) const {
  Value root = rootBuffer(input);
  ArrayRef<Access> all = of(root);
  // Views of one type see the same elements of one buffer.
  if (!root.getDefiningOp<AllocOp>() || all.size() != 2 ||
      all.back().op != reader || !all.front().writes ||
      all.front().buffer().getType() != input.getType())
    return nullptr;
  return &all.front();
}

void Accesses::hoistBefore(Operation *alloc, Operation *op) {
  if (position(alloc) < position(op))
    return;
  Block *block = alloc->getBlock();
  alloc->moveBefore(block, block->begin());
  positions[alloc] = --first;
}

void Accesses::moved(Value from, Value to, Operation *gone) {
  auto isGone = [&](const Access &access) { return access.op == gone; };
  SmallVector<Access> added = std::move(byRoot[from]);
  byRoot[from].clear();
  llvm::erase_if(added, isGone);
  for (Access &access : added)
    access.known.reset();
  SmallVector<Access> old = std::move(byRoot[to]), &all = byRoot[to];
  llvm::erase_if(old, isGone);
  all.clear();
  auto moved = [](SmallVector<Access> &list) {
    return std::pair(std::move_iterator(list.begin()),
                     std::move_iterator(list.end()));
  };
  auto [a, endA] = moved(old);
  auto [b, endB] = moved(added);
  std::merge(a, endA, b, endB, std::back_inserter(all),
             [](const Access &a, const Access &b) {
               return std::pair(a.position, a.operand) <
                      std::pair(b.position, b.operand);
             });
}

void Accesses::changed(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<MemRefType>(operand.getType()))
      for (Access &access : byRoot[rootBuffer(operand)])
        if (access.op == op)
          access.known.reset();
}

void Accesses::erased(Operation *op) {
  for (Value operand : op->getOperands())
    if (isa<MemRefType>(operand.getType()))
      llvm::erase_if(byRoot[rootBuffer(operand)],
                     [&](const Access &access) { return access.op == op; });
}

Operation *inst::nextInstruction(Operation *op) {
  do
    op = op->getNextNode();
  while (op && namesBuffer(op));
  return op && isa_and_nonnull<InstDialect>(op->getDialect()) ? op : nullptr;
}

void inst::dropPlan(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block)) {
    if (isa<DeallocOp>(op))
      op.erase();
    else if (auto alloc = dyn_cast<AllocOp>(op))
      alloc.removeOffsetAttr();
    else
      llvm::TypeSwitch<Operation *>(&op).Case<ForallOp, SectionsOp>(
          [](auto parent) {
            parent.removeScratchBytesAttr();
            parent.removeScratchOffsetAttr();
            dropPlan(parent.getBody().front());
          });
  }
}

void inst::eraseIfUnused(Value root) {
  for (Operation *user : llvm::make_early_inc_range(root.getUsers()))
    if (auto view = dyn_cast<ViewOp>(user)) {
      eraseIfUnused(view.getResult());
    }
  Operation *op = root.getDefiningOp();
  if (isa_and_nonnull<AllocOp, ViewOp>(op) && op->use_empty())
    op->erase();
}
