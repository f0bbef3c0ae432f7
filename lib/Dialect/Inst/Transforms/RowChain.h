//===- RowChain.h - instructions that become one loop over rows -*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each instruction of a chain reads what some before it wrote. A band is some
// rows of the last one's result; which rows of the other results it needs
// follows backwards through the chain. All bands compute equally many rows, so
// at an image's border, where fewer are needed, they are moved inwards.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_ROWCHAIN_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_ROWCHAIN_H

#include "RowUses.h"
#include "glow/Dialect/Inst/Analysis/Accesses.h"

namespace mlir::glow::inst {

class RowChain {
public:
  struct Member {
    Operation *op;
    RowUses uses;
    /// Of its result: how many rows a band computes, and from which one on.
    int64_t rows = 0;
    SmallVector<int64_t> starts;

    Value result() const { return op->getOperand(uses.result); }
  };

  /// A buffer that one member writes and only members read.
  struct Between {
    Value root;
    size_t writer;
    /// The first of its rows that the writer writes, and what fills the others
    /// and the columns beside.
    int64_t firstRow;
    SmallVector<FillOp> fills;
    /// Rows of padding around those that a band computes.
    int64_t above = 0, below = 0;

    int64_t rowStride() const;
  };

  /// Nothing if the instructions cannot run band by band after the last one's
  /// predecessors. They are in the order of the program.
  static std::optional<RowChain> make(ArrayRef<Operation *> operations,
                                      const Accesses &accesses);

  int64_t images() const { return members.back().uses.images; }
  int64_t rows() const { return members.back().uses.rows; }
  int64_t bands() const { return members.back().starts.size(); }

  /// Chooses which rows the bands compute, if each has `height` rows of the
  /// last result. False if several bands would each compute all rows of some
  /// result.
  bool divide(int64_t height);

  /// The first row of what a band reads, counted in the rows that the scratch
  /// memory holds, or in those of an operand from outside.
  SmallVector<int64_t> readStarts(const Member &member, unsigned operand) const;
  /// Rows of the scratch memory that stands for a buffer.
  int64_t scratchRows(const Between &between) const {
    return between.above + members[between.writer].rows + between.below;
  }
  const Between *betweenOf(Value buffer) const;

  ArrayRef<Member> getMembers() const { return members; }
  ArrayRef<Between> getBetweens() const { return betweens; }

  /// Replaces the chain by the loop.
  void emit() const;

private:
  bool findBetweens(const Accesses &accesses);
  bool addBetween(size_t writer, const Accesses &accesses);
  bool isMovable(const Accesses &accesses) const;
  int64_t firstRead(const Between &between, const Member &member,
                    unsigned operand, int64_t band) const;

  SmallVector<Member> members;
  SmallVector<Between> betweens; ///< In the order of the writers.
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_ROWCHAIN_H
