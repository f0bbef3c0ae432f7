//===- FormSections.cpp - run independent instructions at once ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instructions that follow each other and do not depend on each other become
// sections. docs/Rationale/InstDialect.md has the measurements behind the
// limits.
//
//===----------------------------------------------------------------------===//
#include "Costs.h"
#include "LoopOperand.h"
#include "LoopPoints.h"
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "glow/Interfaces/Kernel.h"
#include "llvm/ADT/SetVector.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_FORMSECTIONS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// Less is done before another thread has brought its operands.
static constexpr double kLeastCycles = 4000;
/// What is saved by not waiting for all threads is little beside the work of
/// two instructions of more cycles than that.
static constexpr double kMostCycles = 300000;
/// Bytes from a shared cache, and multiplications and additions, that one core
/// does in a cycle.
static constexpr double kBytesPerCycle = 16, kFlopsPerCycle = 32;
static constexpr size_t kMostMembers = 64;

namespace {
/// An instruction that has a kernel.
struct Member {
  Operation *op;
  SmallVector<Access> accesses;
  double cycles;
  bool isArithmetic;  // more than it moves elements
  bool hasFewTickets; // alone it does not keep the threads busy
  /// Whether it is the first, or the last one, to use an allocation.
  bool beginsBuffer = false, endsBuffer = false;

  Member(Operation *op, const Accesses &all);
};

/// Instructions that follow each other and can run at once.
class Group {
public:
  /// Whether there is something to gain. What only moves elements is best
  /// divided as its producers and readers are. Buffers that begin with the
  /// member could not have the memory of those that end here any more.
  bool takes(const Member &member) const;
  void add(Member member);
  size_t size() const { return members.size(); }
  void makeSections() const;

private:
  bool isIndependent(const Member &member) const;

  SmallVector<Member> members;
  double cycles = 0;
  bool endsBuffer = false;
};

struct FormSections : public inst::impl::FormSectionsBase<FormSections> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody()) {
      dropPlan(block);
      run(block);
    }
  }

private:
  void run(Block &block);
};
} // namespace

Member::Member(Operation *op, const Accesses &all)
    : op(op), accesses(accessesOf(op, all.position(op))) {
  double bytes = 0;
  for (const Access &access : accesses) {
    bytes += bytesOf(typeOf(access.buffer()));
    Value root = rootBuffer(access.buffer());
    if (!root.getDefiningOp<AllocOp>() || bufferBytes(root) == 0)
      continue;
    beginsBuffer |= all.of(root).front().op == op;
    endsBuffer |= all.of(root).back().op == op;
  }
  cycles = flopsOf(op) / kFlopsPerCycle;
  isArithmetic = cycles > bytes / kBytesPerCycle;
  auto loop = dyn_cast<ForallOp>(op);
  hasFewTickets = loop && loop.getNumPoints() < kLeastPoints;
}

/// Whether it is one kernel, whose buffers are in the processor's memory.
static bool canBeMember(Operation *op) {
  bool isKernel =
      isa<KernelOpInterface>(op) && !op->hasAttr(InstDialect::kExtentsAttrName);
  // Of shared points threads may meet within.
  auto loop = dyn_cast<ForallOp>(op);
  return (isKernel || (loop && !loop.getShared())) &&
         llvm::none_of(op->getOperandTypes(), [](Type type) {
           return bool(cast<MemRefType>(type).getMemorySpace());
         });
}

bool Group::isIndependent(const Member &member) const {
  for (const Access &a : member.accesses)
    for (const Member &other : members)
      for (const Access &b : other.accesses)
        if ((a.writes || b.writes) &&
            rootBuffer(a.buffer()) == rootBuffer(b.buffer()) &&
            mayOverlap(a, b))
          return false;
  return true;
}

bool Group::takes(const Member &member) const {
  if (members.empty())
    return true;
  const Member &first = members.front();
  bool isShort = std::min(cycles, member.cycles) <= kMostCycles;
  bool pays = isShort && first.isArithmetic && member.isArithmetic;
  return members.size() < kMostMembers &&
         std::min(first.cycles, member.cycles) >= kLeastCycles &&
         (pays || (first.hasFewTickets && member.hasFewTickets)) &&
         !(endsBuffer && member.beginsBuffer) && isIndependent(member);
}

void Group::add(Member member) {
  cycles += member.cycles;
  endsBuffer |= member.endsBuffer;
  members.push_back(std::move(member));
}

/// Moves the members into one instruction in the place of the last.
void Group::makeSections() const {
  llvm::SmallSetVector<Value, 8> inputs, outputs;
  SmallVector<Operation *> ops;
  for (const Member &member : members) {
    ops.push_back(member.op);
    for (const Access &access : member.accesses) {
      if (access.reads)
        inputs.insert(access.buffer());
      if (access.writes)
        outputs.insert(access.buffer());
    }
  }
  OpBuilder builder(ops.back());
  auto sections = SectionsOp::create(
      builder, fusedLocation(builder, ops), inputs.getArrayRef(),
      outputs.getArrayRef(), IntegerAttr(), IntegerAttr());
  Block &body = sections.getBody().emplaceBlock();
  DenseMap<Value, Value> input, output;
  for (auto [i, operand] : llvm::enumerate(sections->getOperands()))
    (i < inputs.size() ? input : output)[operand] = body.addArgument(
        withoutOffset(cast<MemRefType>(operand.getType())), sections.getLoc());
  for (const Member &member : members) {
    member.op->moveBefore(&body, body.end());
    for (const Access &access : member.accesses)
      member.op->setOperand(
          access.operand,
          (access.writes ? output : input).lookup(access.buffer()));
  }
}

void FormSections::run(Block &block) {
  Accesses accesses(block);
  std::vector<Group> groups(1);
  for (Operation &op : block.without_terminator()) {
    if (namesBuffer(&op))
      continue;
    if (!canBeMember(&op)) {
      groups.emplace_back();
      continue;
    }
    Member member(&op, accesses);
    if (!groups.back().takes(member))
      groups.emplace_back();
    groups.back().add(std::move(member));
  }
  for (const Group &group : groups)
    if (group.size() > 1)
      group.makeSections();
}
