//===- Accesses.h - who touches which buffer, and when --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_ANALYSIS_ACCESSES_H
#define GLOW_DIALECT_INST_ANALYSIS_ACCESSES_H

#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include <memory>

namespace mlir::glow::inst {

/// One operand of one instruction.
struct Access {
  Operation *op;
  unsigned operand;
  int64_t position; // Of the instruction in its block.
  bool reads, writes;
  /// What of the root it is, if that was asked for: a buffer may have thousands
  /// of accesses, which are compared in pairs.
  mutable std::shared_ptr<const StridedRegion> known = nullptr;

  Value buffer() const { return op->getOperand(operand); }
  const StridedRegion &region() const {
    if (!known)
      known = std::make_shared<StridedRegion>(buffer());
    return *known;
  }
};

/// Whether two accesses to one root may touch the same element.
inline bool mayOverlap(const Access &a, const Access &b) {
  return a.region().mayOverlap(b.region());
}

/// What an instruction does to its buffers, by its memory effects. An op that
/// states none, such as a call, reads and writes all of them.
SmallVector<Access> accessesOf(Operation *op, int64_t position);

/// The accesses to every allocation, constant and argument of a block, in the
/// order of the program. Views and deallocs are no accesses.
class Accesses {
public:
  explicit Accesses(Block &block);

  /// Accesses to `root` and to all views of it.
  ArrayRef<Access> of(Value root) const;
  /// What writes all that `reader` reads as `input`, an allocation or a view of
  /// it that nothing else touches; null if there is no such access.
  const Access *onlyStore(Operation *reader, Value input) const;
  /// Roots in the order of their first access.
  auto roots() const { return llvm::make_first_range(byRoot); }
  int64_t position(Operation *op) const { return positions.lookup(op); }

  /// Moves an allocation to the start of the block, unless it is before `op`
  /// already. What isBeforeInBlock costs after a move grows with the block.
  void hoistBefore(Operation *alloc, Operation *op);

  /// States that all operands that touched `from` have been moved to `to`, and
  /// that `erased` is gone.
  void moved(Value from, Value to, Operation *erased);
  /// States that operands of an instruction are other views of their roots.
  void changed(Operation *op);
  /// States that an instruction is gone.
  void erased(Operation *op);

private:
  llvm::MapVector<Value, SmallVector<Access>> byRoot;
  llvm::DenseMap<Operation *, int64_t> positions;
  int64_t first = 0; // Position of what was hoisted last.
};

/// The instruction after `op`, views and allocations left out; null at the end.
Operation *nextInstruction(Operation *op);

/// Removes deallocs and planned offsets: passes that change lifetimes start so.
void dropPlan(Block &block);

/// Erases an allocation's or argument's views that nothing uses, then the
/// allocation if it is unused.
void eraseIfUnused(Value root);

} // namespace mlir::glow::inst

#endif // GLOW_DIALECT_INST_ANALYSIS_ACCESSES_H
