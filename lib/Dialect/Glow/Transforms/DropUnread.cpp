//===- DropUnread.cpp - what nothing reads is not computed ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Readers say which part of a tensor they read, from the last op to the first
// one; then, from the first to the last, each op is replaced by one that
// computes its part.
//
//===----------------------------------------------------------------------===//
#include "ReadParts.h"
#include "glow/Dialect/Glow/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace mlir::glow {
#define GEN_PASS_DEF_DROPUNREAD
#include "glow/Dialect/Glow/Transforms/Passes.h.inc"
} // namespace mlir::glow

using namespace mlir;
using namespace mlir::glow;

namespace {

/// An op of which a part is computed.
struct Narrowed {
  Part result;
  SmallVector<Part> operands;
};

class Dropping {
public:
  explicit Dropping(Block &block)
      : block(block), rewriter(block.getParent()->getContext()) {}
  void run();

private:
  void read(Value value, const Part &part);
  void readAll(Operation *op);
  std::optional<Narrowed> narrow(Operation *op);
  bool isWorth(Operation *op) const;
  void keepWhole();
  void replace();

  Block &block;
  IRRewriter rewriter;
  /// What is read of values; none of others.
  llvm::DenseMap<Value, Part> reads;
  llvm::DenseMap<Operation *, Narrowed> narrowed;
  /// Ops of which nothing is read.
  llvm::DenseSet<Operation *> unread;
};

struct DropUnread : glow::impl::DropUnreadBase<DropUnread> {
  using DropUnreadBase::DropUnreadBase;
  void runOnOperation() override {
    if (getOperation().getBody().hasOneBlock())
      Dropping(getOperation().front()).run();
  }
};

} // namespace

static bool isStatic(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.hasStaticShape();
}

static bool isEmptyTensor(Value value) {
  return llvm::is_contained(dimsOf(value), 0);
}

/// Of what a concat does not read.
static bool isEmpty(const Part &part) {
  return llvm::any_of(part, [](Interval i) { return i.size() == 0; });
}

void Dropping::read(Value value, const Part &part) {
  auto [place, isNew] = reads.try_emplace(value, part);
  if (!isNew)
    place->second = hullOf(place->second, part);
}

void Dropping::readAll(Operation *op) {
  op->walk([&](Operation *inner) {
    for (Value operand : inner->getOperands())
      read(operand, isStatic(operand) ? wholeOf(operand) : Part());
  });
}

std::optional<Narrowed> Dropping::narrow(Operation *op) {
  if (op->getNumResults() != 1 || !isStatic(op->getResult(0)) ||
      !llvm::all_of(op->getOperands(), isStatic))
    return std::nullopt;
  Value result = op->getResult(0);
  auto found = reads.find(result);
  if (found == reads.end() || numElements(dimsOf(result)) == 0)
    return std::nullopt;
  // Of an operand without elements no part says that it is read.
  if (!isa<ConcatOp>(op) && llvm::any_of(op->getOperands(), isEmptyTensor))
    return std::nullopt;
  Narrowed part{found->second, {}};
  auto operands = partsRead(op, part.result);
  // Less than half is worth another shape.
  if (!operands || (!isMovement(op) && 2 * *numElements(sizesOf(part.result)) >
                                           *numElements(dimsOf(result))))
    return std::nullopt;
  bool readsAll =
      llvm::all_of(llvm::zip(op->getOperands(), *operands), [](auto read) {
        auto [operand, part] = read;
        return isWhole(part, operand);
      });
  if (readsAll && isWhole(part.result, result))
    return std::nullopt;
  part.operands = std::move(*operands);
  return part;
}

/// A slice behind an op is cheap, one in front of it may keep the op apart from
/// what it would be one with. Of what is not joined any more, nothing may be
/// computed.
bool Dropping::isWorth(Operation *op) const {
  if ((!isMovement(op) && !isElementwise(op)) ||
      llvm::any_of(narrowed.at(op).operands, isEmpty))
    return true;
  return llvm::any_of(op->getOperands(), [&](Value operand) {
    return narrowed.contains(operand.getDefiningOp());
  });
}

void Dropping::keepWhole() {
  for (Operation &op : block) {
    auto found = narrowed.find(&op);
    if (found == narrowed.end() || isWorth(&op))
      continue;
    narrowed.erase(found);
  }
}

void Dropping::replace() {
  llvm::DenseMap<Value, Value> values;
  for (Operation &op : llvm::make_early_inc_range(block)) {
    auto found = narrowed.find(&op);
    if (found == narrowed.end())
      continue;
    rewriter.setInsertionPoint(&op);
    GraphBuilder b(rewriter, op.getLoc());
    SmallVector<Value> operands;
    for (auto [operand, part] :
         llvm::zip_equal(op.getOperands(), found->second.operands)) {
      auto from = narrowed.find(operand.getDefiningOp());
      operands.push_back(
          isEmpty(part) ? Value()
          : from == narrowed.end()
              ? takePart(b, operand, wholeOf(operand), part)
              : takePart(b, values.at(operand), from->second.result, part));
    }
    values[op.getResult(0)] =
        computePart(b, &op, found->second.result, operands);
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block))) {
    auto found = narrowed.find(&op);
    if (found == narrowed.end() && !unread.contains(&op))
      continue;
    // Who reads all of it has not been replaced.
    if (found != narrowed.end() &&
        isWhole(found->second.result, op.getResult(0)))
      rewriter.replaceAllUsesWith(op.getResult(0), values.at(op.getResult(0)));
    rewriter.eraseOp(&op);
  }
}

void Dropping::run() {
  for (Operation &op : llvm::reverse(block)) {
    bool isRead = llvm::any_of(
        op.getResults(), [&](Value result) { return reads.contains(result); });
    if (!isRead && op.getNumResults() > 0 && isMemoryEffectFree(&op)) {
      unread.insert(&op);
      continue;
    }
    std::optional<Narrowed> part = narrow(&op);
    if (!part) {
      readAll(&op);
      continue;
    }
    for (auto [operand, own] :
         llvm::zip_equal(op.getOperands(), part->operands))
      if (!isEmpty(own))
        read(operand, own);
    narrowed.try_emplace(&op, std::move(*part));
  }
  keepWhole();
  replace();
}
