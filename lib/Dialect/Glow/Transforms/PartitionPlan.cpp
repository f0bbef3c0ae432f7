//===- PartitionPlan.cpp - which op runs on which device ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts are formed in waves: take every op of one device whose operands are
// there, until there is none, then change the device. Each wave is convex,
// waves depend on earlier ones only, and no other order has fewer changes of
// device. Islands of card ops that are not worth their transfers then move to
// the host, and the waves are formed again.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/Transforms/Partition.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::glow;

/// Constants are copied into each part that reads them. One that the function
/// returns is an op like any other, since a part must write it.
static bool isFree(Operation *op) {
  return op->hasTrait<OpTrait::ConstantLike>() &&
         llvm::none_of(op->getUsers(), [](Operation *user) {
           return user->hasTrait<OpTrait::IsTerminator>();
         });
}

/// What an op reads, also from within its regions.
static SetVector<Value> readsOf(Operation *op) {
  SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values;
}

namespace {
class Planner {
public:
  Planner(func::FuncOp function, TargetAttrInterface card,
          TargetAttrInterface host)
      : block(function.getBody().front()) {
    plan.card = card;
    plan.host = host;
  }

  void placeByCapability();
  void formParts();
  /// Moves islands that do not pay to the host; false if there were none.
  bool moveIslands();
  void findBoundaries();

  PartitionPlan plan;

private:
  SmallVector<Part> formWaves(bool isOnCard);
  double transferNs(const SetVector<Operation *> &island);

  Block &block;
  DenseMap<Operation *, unsigned> index; // of each op's placement
};
} // namespace

void Planner::placeByCapability() {
  for (Operation &op : block.without_terminator()) {
    if (isFree(&op))
      continue;
    index[&op] = plan.placements.size();
    Placement &placement = plan.placements.emplace_back();
    placement.op = &op;
    placement.hostNs = plan.host.estimateNanoseconds(&op);
    std::optional<std::string> why = plan.card.whyUnsupported(&op);
    placement.isOnCard = !why;
    placement.cardNs = why ? 0 : plan.card.estimateNanoseconds(&op);
    placement.reason = why ? plan.card.getDeviceName().str() + " " + *why
                           : std::string("supported");
  }
}

/// The parts when the first runs on the card or on the host.
SmallVector<Part> Planner::formWaves(bool isOnCard) {
  SmallVector<Part> parts;
  DenseSet<Operation *> done;
  auto isReady = [&](Operation *op) {
    return llvm::all_of(readsOf(op), [&](Value value) {
      Operation *producer = value.getDefiningOp();
      return !producer || !index.contains(producer) || done.contains(producer);
    });
  };
  for (; done.size() < plan.placements.size(); isOnCard = !isOnCard) {
    Part part;
    part.isOnCard = isOnCard;
    for (const Placement &placement : plan.placements)
      if (placement.isOnCard == isOnCard && !done.contains(placement.op) &&
          isReady(placement.op)) {
        done.insert(placement.op);
        part.ops.push_back(placement.op);
      }
    if (!part.ops.empty())
      parts.push_back(std::move(part));
  }
  return parts;
}

void Planner::formParts() {
  SmallVector<Part> cardFirst = formWaves(true), hostFirst = formWaves(false);
  plan.parts = cardFirst.size() <= hostFirst.size() ? std::move(cardFirst)
                                                    : std::move(hostFirst);
  for (auto [number, part] : llvm::enumerate(plan.parts))
    for (Operation *op : part.ops)
      plan.placements[index[op]].part = number;
}

/// Time to move what enters and leaves a set of ops.
double Planner::transferNs(const SetVector<Operation *> &island) {
  SetVector<Value> crossing;
  for (Operation *op : island) {
    for (Value value : readsOf(op)) {
      Operation *producer = value.getDefiningOp();
      if (!producer || (!island.contains(producer) && index.contains(producer)))
        crossing.insert(value);
    }
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(), [&](Operation *user) {
            return !island.contains(block.findAncestorOpInBlock(*user));
          }))
        crossing.insert(result);
  }
  TargetRates rates = plan.card.getRates();
  double time = rates.launchLatency;
  for (Value value : crossing)
    time += rates.transferLatency +
            tensorBytes(value.getType()) / rates.transferBytes;
  return time;
}

/// The connected sets of ops within a part.
static SmallVector<SetVector<Operation *>> islandsOf(const Part &part) {
  llvm::EquivalenceClasses<Operation *> classes;
  for (Operation *op : part.ops)
    classes.insert(op);
  for (Operation *op : part.ops)
    for (Value value : readsOf(op))
      if (Operation *producer = value.getDefiningOp())
        if (classes.contains(producer))
          classes.unionSets(op, producer);
  // In program order, so that the result does not depend on addresses.
  SmallVector<SetVector<Operation *>> islands;
  DenseMap<Operation *, unsigned> known;
  for (Operation *op : part.ops) {
    Operation *leader = classes.getLeaderValue(op);
    auto [found, isNew] = known.try_emplace(leader, islands.size());
    if (isNew)
      islands.emplace_back();
    islands[found->second].insert(op);
  }
  return islands;
}

bool Planner::moveIslands() {
  bool hasMoved = false;
  for (const Part &part : plan.parts) {
    if (!part.isOnCard)
      continue;
    for (const SetVector<Operation *> &island : islandsOf(part)) {
      double saved = 0;
      for (Operation *op : island)
        saved += plan.placements[index[op]].hostNs -
                 plan.placements[index[op]].cardNs;
      double paid = transferNs(island);
      if (saved > paid)
        continue;
      hasMoved = true;
      std::string reason = llvm::formatv(
          "an island of {0} op{1} that would save {2:f1} us and cost {3:f1} us "
          "in transfers",
          island.size(), island.size() == 1 ? "" : "s",
          std::max(saved, 0.0) / 1000, paid / 1000);
      for (Operation *op : island) {
        plan.placements[index[op]].isOnCard = false;
        plan.placements[index[op]].reason = reason;
      }
    }
  }
  return hasMoved;
}

void Planner::findBoundaries() {
  for (Part &part : plan.parts) {
    DenseSet<Operation *> own(part.ops.begin(), part.ops.end());
    SetVector<Value> inputs;
    for (Operation *op : part.ops) {
      for (Value value : readsOf(op)) {
        Operation *producer = value.getDefiningOp();
        if (!producer || (!own.contains(producer) && index.contains(producer)))
          inputs.insert(value);
      }
      for (Value result : op->getResults())
        if (llvm::any_of(result.getUsers(), [&](Operation *user) {
              return !own.contains(block.findAncestorOpInBlock(*user));
            }))
          part.outputs.push_back(result);
    }
    part.inputs = inputs.takeVector();
  }
}

PartitionPlan glow::planPartition(func::FuncOp function,
                                  TargetAttrInterface card,
                                  TargetAttrInterface host, bool byCost) {
  Planner planner(function, card, host);
  planner.placeByCapability();
  do {
    planner.formParts();
  } while (byCost && planner.moveIslands());
  planner.findBoundaries();
  return std::move(planner.plan);
}
