//===- EliminateCopies.cpp - let both sides of a copy share memory --------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For `copy s -> d` with s an allocation, either all that touches s moves to
// the place in d ("into the destination"), or all that reads d reads s ("from
// the source"). Each needs that nothing else uses that memory meanwhile and
// that strides can describe the moved views. If s began as a copy of d, as
// where the state of a loop is updated, both copies go.
//
//===----------------------------------------------------------------------===//
#include "MoveBuffer.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"
#include "mlir/IR/Builders.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_ELIMINATECOPIES
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// The next instruction if it is a copy.
static CopyOp nextCopy(CopyOp copy) {
  Operation *next = copy->getNextNode();
  while (next && namesBuffer(next))
    next = next->getNextNode();
  return dyn_cast_or_null<CopyOp>(next);
}

/// Makes one copy of two in a row whose sources and destinations continue each
/// other. A concatenation of what is already together then moves as a whole.
static bool joinWithNext(CopyOp copy, CopyOp next, Accesses &accesses) {
  Value source = rootBuffer(copy.getSource());
  Value target = rootBuffer(copy.getDestination());
  auto type = cast<MemRefType>(copy.getSource().getType());
  auto other = cast<MemRefType>(next.getSource().getType());
  if (rootBuffer(next.getSource()) != source ||
      rootBuffer(next.getDestination()) != target || source == target ||
      type.getRank() != other.getRank())
    return false;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    MemRefType from = joinViews(type, other, axis);
    MemRefType to =
        joinViews(cast<MemRefType>(copy.getDestination().getType()),
                  cast<MemRefType>(next.getDestination().getType()), axis);
    if (!from || !to)
      continue;
    OpBuilder builder(copy);
    copy.getSourceMutable().assign(
        viewOrRoot(builder, copy.getLoc(), source, from));
    copy.getDestinationMutable().assign(
        viewOrRoot(builder, copy.getLoc(), target, to));
    accesses.erased(next);
    next.erase();
    accesses.changed(copy);
    return true;
  }
  return false;
}

namespace {

struct EliminateCopies
    : public inst::impl::EliminateCopiesBase<EliminateCopies> {
  void runOnOperation() override {
    for (Block &block : getOperation().getBody())
      run(block);
  }

private:
  void run(Block &block);
  bool eliminate(CopyOp copy, Accesses &accesses);
  bool moveIntoDestination(CopyOp copy, Accesses &accesses);
  bool readFromSource(CopyOp copy, Accesses &accesses);
  bool destinationIsFree(CopyOp copy, CopyOp begin, const Accesses &accesses);
  bool sourceIsStable(CopyOp copy, const Accesses &accesses);
};

} // namespace

/// The copy of the destination to the source by which the source begins, if
/// that is how it does.
static CopyOp beginningOf(CopyOp copy, const Accesses &accesses) {
  ArrayRef<Access> uses = accesses.of(rootBuffer(copy.getSource()));
  auto begin = dyn_cast<CopyOp>(uses.front().op);
  auto isSame = [](Value a, Value b) {
    return rootBuffer(a) == rootBuffer(b) && a.getType() == b.getType();
  };
  return begin && begin != copy &&
                 isSame(begin.getSource(), copy.getDestination()) &&
                 isSame(begin.getDestination(), copy.getSource())
             ? begin
             : CopyOp();
}

/// Between the first use of the source and its last, nothing else may touch the
/// destination's place, but reads of it once it has been copied to, and
/// `begin`.
bool EliminateCopies::destinationIsFree(CopyOp copy, CopyOp begin,
                                        const Accesses &accesses) {
  Value source = rootBuffer(copy.getSource());
  Value target = rootBuffer(copy.getDestination());
  int64_t at = accesses.position(copy);
  ArrayRef<Access> uses = accesses.of(source);
  int64_t first = uses.front().position, last = uses.back().position;
  bool sourceChanges = llvm::any_of(
      uses, [&](const Access &use) { return use.writes && use.position > at; });
  StridedRegion destination(copy.getDestination());
  // The caller reads an output at the end.
  if (sourceChanges && !target.getDefiningOp<AllocOp>())
    return false;
  for (const Access &use : accesses.of(target)) {
    if (use.op == copy || use.op == begin || use.position < first ||
        !use.region().mayOverlap(destination))
      continue;
    if (use.position < at || sourceChanges ||
        (use.writes && use.position <= last))
      return false;
  }
  return true;
}

/// Everything but the copy only reads the destination, and later; the source
/// does not change before the last of these reads.
bool EliminateCopies::sourceIsStable(CopyOp copy, const Accesses &accesses) {
  int64_t at = accesses.position(copy), last = at;
  for (const Access &use : accesses.of(rootBuffer(copy.getDestination()))) {
    if (use.op == copy)
      continue;
    if (use.writes || use.position <= at)
      return false;
    last = use.position;
  }
  return llvm::none_of(
      accesses.of(rootBuffer(copy.getSource())), [&](const Access &use) {
        return use.writes && use.position > at && use.position <= last &&
               mayOverlap(use.buffer(), copy.getSource());
      });
}

/// Moves all that touches `from` to `to` and erases the copy, or does nothing.
static bool merge(CopyOp copy, Value from, Value to,
                  const Relocation &relocation, Accesses &accesses) {
  if (!moveBuffer(from, to, relocation, accesses, copy))
    return false;
  copy.erase();
  eraseIfUnused(from);
  return true;
}

bool EliminateCopies::moveIntoDestination(CopyOp copy, Accesses &accesses) {
  Value source = rootBuffer(copy.getSource());
  Value target = rootBuffer(copy.getDestination());
  if (!source.getDefiningOp<AllocOp>())
    return false;
  CopyOp begin = beginningOf(copy, accesses);
  if (!destinationIsFree(copy, begin, accesses))
    return false;
  auto relocation = Relocation::get(copy.getSource(), copy.getDestination());
  if (!relocation || !merge(copy, source, target, *relocation, accesses))
    return false;
  if (begin) {
    accesses.erased(begin);
    begin.erase();
  }
  return true;
}

bool EliminateCopies::readFromSource(CopyOp copy, Accesses &accesses) {
  Value source = rootBuffer(copy.getSource());
  Value target = rootBuffer(copy.getDestination());
  if (!target.getDefiningOp<AllocOp>() || !sourceIsStable(copy, accesses))
    return false;
  auto relocation = Relocation::get(copy.getDestination(), copy.getSource());
  return relocation && merge(copy, target, source, *relocation, accesses);
}

bool EliminateCopies::eliminate(CopyOp copy, Accesses &accesses) {
  Value source = rootBuffer(copy.getSource());
  Value target = rootBuffer(copy.getDestination());
  auto space = [](Value buffer) {
    return cast<MemRefType>(buffer.getType()).getMemorySpace();
  };
  if (source == target || space(source) != space(target))
    return false;
  return moveIntoDestination(copy, accesses) || readFromSource(copy, accesses);
}

void EliminateCopies::run(Block &block) {
  dropPlan(block);
  Accesses accesses(block);
  // One merge can make another possible, so repeat until none is.
  for (bool changed = true; changed;) {
    changed = false;
    DenseSet<Operation *> joined;
    for (CopyOp copy : llvm::to_vector(block.getOps<CopyOp>())) {
      if (joined.contains(copy))
        continue;
      for (CopyOp next; (next = nextCopy(copy));) {
        Operation *gone = next;
        if (!joinWithNext(copy, next, accesses))
          break;
        joined.insert(gone);
      }
      changed |= eliminate(copy, accesses);
    }
  }
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(block)))
    if (isa<ViewOp>(op) && op.use_empty())
      op.erase();
}
