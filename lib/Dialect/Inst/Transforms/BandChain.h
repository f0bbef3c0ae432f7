//===- BandChain.h - instructions that become one loop ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A chain grows from a first instruction by those after it that read what it
// writes and are parallel along the same axes. That they are the same axes
// follows from the addresses: both sides touch the same elements of the buffer
// between them in every step.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_BANDCHAIN_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_BANDCHAIN_H

#include "ParallelAxes.h"
#include "glow/Dialect/Inst/Analysis/Accesses.h"
#include "glow/Interfaces/KernelTarget.h"

namespace mlir::glow::inst {

/// A chain of instructions and the loop that it becomes.
class BandChain {
public:
  /// An axis of the loop: the chain's slices along it, how many of them make up
  /// a band, and the first one.
  struct LoopAxis {
    int64_t extent, band = 1, start = 0;
    int64_t points() const { return extent / band; }
    /// Slices that do not fill a band.
    int64_t rest() const { return extent % band; }
  };

  /// One instruction of a chain: which of its own axes each loop axis is.
  struct Member {
    Operation *op;
    ParallelAxes axes;
    SmallVector<int64_t> loopAxes;

    /// Elements between slices of an operand along a loop axis; 0: all need it.
    int64_t step(unsigned operand, size_t loopAxis) const {
      int64_t axis = axes.operandAxes[operand][loopAxes[loopAxis]];
      return axis == ParallelAxes::kNone
                 ? 0
                 : layoutOf(op->getOperand(operand)).strides[axis];
    }
    /// The part of an operand that a band needs, at the loop's first point.
    MemRefType window(unsigned operand, ArrayRef<LoopAxis> loop) const {
      Value buffer = op->getOperand(operand);
      SmallVector<int64_t> shape(cast<MemRefType>(buffer.getType()).getShape());
      for (auto [own, axis] : llvm::zip(loopAxes, loop)) {
        int64_t mine = axes.operandAxes[operand][own];
        if (mine != ParallelAxes::kNone)
          shape[mine] = axis.band;
      }
      StridedLayout layout = layoutOf(buffer);
      return viewType(cast<MemRefType>(buffer.getType()), shape, layout.strides,
                      layout.offset);
    }
  };

  BandChain(Operation *seed, ParallelAxes axes, const Accesses &accesses,
            const KernelTarget &target);

  /// Adds `op` if it can be part of the loop.
  bool join(Operation *op);
  /// Whether the chain's instructions may run after `op`, which stands between
  /// them.
  bool canPass(Operation *op) const;
  /// Chooses bands; false if the loop would gain nothing.
  bool chooseBands();
  /// Whether a point of the loop starts its kernels for little work.
  bool hasSmallPoints() const;
  SmallVector<Operation *> operations() const {
    return llvm::map_to_vector(members,
                               [](const auto &member) { return member->op; });
  }
  /// Replaces the chain by the loop, and another one for slices that are left.
  void emit();

private:
  friend class BandLoop;

  /// What the chain does with one buffer.
  struct Root {
    /// The first write, if the chain computes the buffer.
    const Member *writer = nullptr;
    unsigned operand = 0;
  };

  bool isSibling(Operation *op, const ParallelAxes &axes) const;
  std::optional<SmallVector<int64_t>> matchAxes(Operation *op,
                                                const ParallelAxes &axes);
  bool isSame(const Member &a, unsigned operandA, const Member &b,
              unsigned operandB) const;
  bool isConsistent(const Member &member) const;
  int64_t bytesOfAll(const Member &member, bool ofNewRoots) const;
  void record(const Member &member);
  bool isPrivate(Value root) const;
  int64_t workingSet() const;
  void placeRowsLast();
  int64_t bytesPerBand(ArrayRef<LoopAxis> bands) const;
  bool hasProduct() const;
  bool sharesColumns() const;
  bool fitBands(int64_t most, bool leavesRest);
  bool fitBandsAndRest(int64_t most);
  int64_t leastBand() const;
  /// Whether bands read in short pieces of memory far more than they keep.
  bool readsShortPieces() const;
  /// Whether one slice fills the first-level cache and fits the second, so that
  /// bands of a single one lose nothing.
  bool hasLongSlices() const;

  const Accesses &accesses;
  const KernelTarget &target;
  SmallVector<LoopAxis> loop;
  std::vector<std::unique_ptr<Member>> members;
  llvm::DenseSet<Operation *> operationSet; // Of the members.
  llvm::MapVector<Value, Root> roots;
  /// The bytes that each band reads again.
  int64_t shared = 0;
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_BANDCHAIN_H
