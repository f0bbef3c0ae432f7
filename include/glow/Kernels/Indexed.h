//===- Indexed.h - gathers and scatters ------------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_INDEXED_H
#define GLOW_KERNELS_INDEXED_H

#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Kernels/LoopNest.h"
#include "glow/Kernels/Strip.h"

namespace mlir::glow {

/// An axis of the addressed buffer that an index selects along.
struct IndexedAxis {
  int64_t extent, stride;
  /// Where the index stands, relative to the position in `indices`.
  int64_t indexOffset = 0;
};

/// Offset that the indices at `position` select: negative ones count from the
/// end, and all are clamped. Those of `lanes` neighbouring positions, of which
/// a mask may leave out some.
Value emitIndexedOffset(KernelBuilder &builder, const KernelBuffer &indices,
                        Value position, ArrayRef<IndexedAxis> axes,
                        int64_t lanes = 1, Value mask = {});

/// `axes` without any work if the addressed buffer has no elements.
SmallVector<LoopAxis> unlessEmpty(SmallVector<LoopAxis> axes,
                                  ArrayRef<IndexedAxis> indexed);

class GatherKernel : public Kernel {
public:
  /// `parallel` has operands output, input and indices; `buffers` are input,
  /// indices and output.
  GatherKernel(SmallVector<LoopAxis> parallel, SmallVector<IndexedAxis> indexed,
               ValueRange buffers, const KernelTarget &target);

  int64_t tickets() const override { return nest.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;

private:
  /// Elements that have an index each, whose places are computed in vectors,
  /// so many at a time, and then read from memory one by one.
  static constexpr int64_t kBlock = 256;
  void emitBlocks(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                  const KernelBuffer &selected, ArrayRef<Value> offsets,
                  Value low, Value high) const;
  /// `placeOf` is what an index adds to the offset of a vector from `at` on.
  void
  emitElements(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
               ArrayRef<Value> offsets, Value low, Value high,
               function_ref<Value(Value at, int64_t vector)> placeOf) const;

  LoopNest nest;
  SmallVector<IndexedAxis> indexed;
  /// Of elements, and of indices.
  Strip strip, indexStrip;
};

class ScatterKernel : public Kernel {
public:
  /// Axes have operands output, updates and indices; `buffers` are indices,
  /// updates and output. Updates along `sequential` axes may meet and are made
  /// in order.
  ScatterKernel(ScatterKind kind, SmallVector<LoopAxis> parallel,
                SmallVector<LoopAxis> sequential,
                SmallVector<IndexedAxis> indexed, ValueRange buffers,
                const KernelTarget &target);

  /// Of indices and updates; places of the output may be any.
  bool staysWithinLimits(size_t operand) const override { return operand < 2; }
  int64_t tickets() const override { return nest.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;

private:
  void emitSequence(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                    size_t axis, ArrayRef<Value> offsets, Value low,
                    Value high) const;
  void emitUpdate(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                  Value output, Value updates, int64_t lanes, int64_t count,
                  Value mask) const;

  ScatterKind kind;
  SmallVector<LoopAxis> sequential;
  LoopNest nest;
  SmallVector<IndexedAxis> indexed;
  Strip strip;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_INDEXED_H
