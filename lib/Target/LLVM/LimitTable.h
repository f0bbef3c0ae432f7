//===- LimitTable.h - what limits work, as values --------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel that computes its limits from the symbols is a kernel for one
// function of them, and in a deep network each layer has another one. So a
// table holds what the functions come to, computed once in a run, and kernels
// read their limits from it: layers of one shape share a kernel again.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_TARGET_LLVM_LIMITTABLE_H
#define GLOW_LIB_TARGET_LLVM_LIMITTABLE_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Kernels/KernelBuilder.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace mlir::glow {

/// The limits of one function whose memory is planned.
class LimitTable {
public:
  /// Makes `glow_inst.extents` of instructions and loops functions of elements
  /// of the table, which lies behind all else in the arena. What a loop's
  /// limits and those of its instructions are computed from is its last input
  /// then.
  explicit LimitTable(func::FuncOp function);

  /// What the instruction's kernel reads its limits from, see limitOperandsOf.
  SmallVector<Value> operandsOf(Operation *op) const;

  /// Null if the function has no limits.
  Value getTable() const { return table; }
  Value getSymbols() const { return symbols; }
  size_t size() const { return values.size(); }
  /// Computes its elements from the first one to before the end.
  void emit(KernelBuilder &b, const KernelBuffer &symbols,
            const KernelBuffer &elements, size_t first, size_t end) const;

private:
  /// Where an instruction or a loop has its own elements.
  struct Place {
    Operation *op;
    int64_t first, count;
  };

  void add(Operation *op);
  void addLoop(inst::ForallOp loop);
  Place placeOf(Operation *op, ArrayRef<AffineExpr> own);
  void createTable(func::FuncOp function);
  void pass(const Place &place);
  Value passInto(inst::SectionsOp sections, Value elements);

  Value symbols, table;
  SmallVector<AffineExpr> values;
  /// By the list of its elements, as a map.
  DenseMap<AffineMap, int64_t> known;
  SmallVector<Place> places, inLoops;
  DenseMap<Operation *, Value> views;
};

} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_LIMITTABLE_H
