//===- Scan.h - element-by-element walks along an axis ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_SCAN_H
#define GLOW_KERNELS_SCAN_H

#include "glow/Kernels/Combiner.h"
#include "glow/Kernels/Heap.h"
#include "glow/Kernels/LoopNest.h"
#include "glow/Kernels/Strip.h"

namespace mlir::glow {

/// A kernel that walks along one axis of its input, for each position of the
/// others. `row` has the axis's strides in the same operands as `parallel`.
class ScanKernel : public Kernel {
public:
  /// Rows that lie side by side are walked along together, as `strip` says.
  ScanKernel(SmallVector<LoopAxis> parallel, LoopAxis row, double work,
             Strip strip = {});

  int64_t tickets() const override { return nest.tickets(); }
  bool staysWithinLimits(size_t) const override { return true; }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;

protected:
  /// Rows that are walked along together: vectors of them, or a single one.
  struct Rows {
    /// The operands, and their offsets at index 0 of the first row's axis.
    ArrayRef<KernelBuffer> buffers;
    SmallVector<Value> starts;
    /// Rows of a vector, and vectors; the mask is that of a single one.
    int64_t lanes = 1, count = 1;
    Value mask;
  };
  virtual void emitRows(KernelBuilder &builder, const Rows &rows) const = 0;
  /// An operand's elements along the axis, of one vector of rows.
  KernelRow rowOf(KernelBuilder &builder, const Rows &rows, size_t operand,
                  int64_t vector = 0) const;
  /// Vectors of `element` or of positions, up to `unroll` at a time, if all
  /// operands have rows side by side.
  static Strip stripOf(ArrayRef<LoopAxis> parallel, Type element,
                       int64_t unroll, const KernelTarget &target);
  /// Elements of a single row that are compared at once.
  static int64_t alongRow(const LoopAxis &row, Type element,
                          const KernelTarget &target);
  /// A position along the axis, in the type in which kernels keep those, for
  /// each row of a vector.
  Type positionType(KernelBuilder &builder) const;
  Value positionOf(KernelBuilder &builder, const Rows &rows, Value at) const;

  LoopAxis row;
  LoopNest nest;
  Strip strip;
};

/// Operands input, output.
class ArgReduceKernel : public ScanKernel {
public:
  ArgReduceKernel(ReduceKind kind, bool selectLast,
                  SmallVector<LoopAxis> parallel, LoopAxis row,
                  ValueRange buffers, const KernelTarget &target);

protected:
  void emitRows(KernelBuilder &builder, const Rows &rows) const override;

private:
  /// Elements and their positions, in vectors or alone.
  using Best = std::pair<Value, Value>;
  /// The better ones of both, where those of `rival` come after `best`, or
  /// anywhere.
  Best meet(KernelBuilder &builder, Best best, Best rival, Type element,
            bool isBehind) const;
  /// What rows of at least one element have.
  void emitPresent(KernelBuilder &builder, const Rows &rows) const;
  /// Compares a row with its first element in vectors up to `end`.
  Best emitAlong(KernelBuilder &builder, const KernelRow &input,
                 Value end) const;

  ReduceKind kind;
  bool selectLast;
  /// Elements of a single row that are compared at once.
  int64_t lanesAlong;
};

/// Operands input, output.
class RunningKernel : public ScanKernel {
public:
  RunningKernel(ReduceKind kind, bool exclusive, bool reverse,
                SmallVector<LoopAxis> parallel, LoopAxis row,
                ValueRange buffers, const KernelTarget &target);

  bool staysWithinLimits(size_t) const override {
    return !reverse || !row.isBounded() || row.isCounted();
  }

protected:
  void emitRows(KernelBuilder &builder, const Rows &rows) const override;

private:
  ReduceKind kind;
  bool exclusive, reverse;
};

/// Operands input, values, indices.
class TopKKernel : public ScanKernel {
public:
  /// The axis of the `results` may be limited, as well as the input's.
  TopKKernel(LoopAxis results, bool largest, SmallVector<LoopAxis> parallel,
             LoopAxis row, ValueRange buffers, const KernelTarget &target);

protected:
  void emitRows(KernelBuilder &builder, const Rows &rows) const override;

private:
  Value isBetter(KernelBuilder &builder, const KernelBuffer &input, Value a,
                 Value b) const;
  /// How many results there are, at run time.
  Value countOf(KernelBuilder &builder) const;
  void emitInsertions(KernelBuilder &builder, const Rows &rows,
                      Value count) const;
  void emitInsertion(KernelBuilder &builder, const Rows &rows, Value count,
                     Value value, Value index) const;
  void emitHeap(KernelBuilder &builder, const Rows &rows, Value count) const;
  /// Inserts the elements behind the first `count` that are better than the
  /// worst so far, which is at `worstPlace` of the values.
  void forEachBetter(KernelBuilder &builder, const Rows &rows, Value count,
                     Value worstPlace,
                     function_ref<void(Value value, Value index)> insert) const;
  /// The best elements of many rows, in registers.
  void emitVectors(KernelBuilder &builder, const Rows &rows, Value count) const;
  /// The best elements, each followed by its positions, with one more; which
  /// must win only if it `isThere`, if that is given.
  SmallVector<Value> insert(KernelBuilder &builder, const KernelBuffer &input,
                            Value value, Value index, ValueRange best,
                            Value isThere = {}) const;

  LoopAxis results;
  int64_t k;
  bool largest;
  /// Elements of a single row that are compared at once.
  int64_t lanesAlong;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_SCAN_H
