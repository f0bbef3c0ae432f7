//===- DirectContraction.h - sums of products, any form --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The plain generator: one loop per axis, vectors along the innermost axis of
// the output where operands allow it. It serves every layout, grouping and
// padding; ContractionKernel serves the forms that matter most.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_KERNELS_DIRECTCONTRACTION_H
#define GLOW_KERNELS_DIRECTCONTRACTION_H

#include "glow/Kernels/LoopNest.h"
#include "glow/Kernels/ScalarRegion.h"
#include "glow/Kernels/Strip.h"
#include "glow/Kernels/Window.h"

namespace mlir::glow {

struct ContractionAxis {
  /// Taps along the axis, and the window if it reaches into padding.
  int64_t extent, lhsStride, rhsStride;
  std::optional<Window> window;
  /// As that of a LoopAxis.
  int64_t bound = LoopAxis::kNone;

  bool isBounded() const { return bound != LoopAxis::kNone; }
  /// The extent at run time.
  Value limit(KernelBuilder &b) const {
    return LoopAxis{extent, {}, bound}.limit(b);
  }
};

/// What is summed up, over which axes.
struct ContractionSpec {
  /// Operands: output, lhs, rhs, the epilogue's inputs and further outputs,
  /// then one index per window.
  SmallVector<LoopAxis> parallel;
  SmallVector<ContractionAxis> reduced;
  /// Columns per panel of the right-hand side, 0 if it is not packed.
  int64_t packed = 0;
  /// Elements from one panel to the next.
  int64_t panelStride = 0;
  /// Elements along the innermost reduced axis that lie side by side in panels,
  /// for each column; the last group of them is filled up.
  int64_t group = 1;
  /// Parts of equal length into which the innermost reduced axis is divided in
  /// both operands: pieces of numbers. Those of which the indices add up to
  /// less than their number are multiplied by one another.
  int64_t pieces = 1;
  /// Those pairs, of lhs and rhs, with which all products are made. Each has a
  /// piece of the one before. Of such orders, LLVM finds tile registers for
  /// this one without copying any.
  SmallVector<std::pair<int64_t, int64_t>> products() const {
    SmallVector<std::pair<int64_t, int64_t>> pairs;
    for (int64_t i = pieces, last = 0; i-- > 0; last = pieces - 1 - i) {
      pairs.emplace_back(i, last);
      for (int64_t j = 0; j < pieces - i; ++j)
        if (j != last)
          pairs.emplace_back(i, j);
    }
    std::reverse(pairs.begin(), pairs.end());
    return pairs;
  }
  /// Fewer rows than that are multiplied otherwise.
  int64_t fewRows = 1;
  /// Type of the sums, and of what the epilogue takes.
  Type accumulator, sum;
  /// Columns are gone through from the last to the first.
  bool backwards = false;
  /// Where the left-hand side starts: before its buffer if that is padded.
  int64_t lhsStart = 0;
  /// How many rows of it there are, a count of units; 0: all that are computed.
  int64_t lhsRows = 0;

  /// The operand that counts the positions of a reduced axis's window, behind
  /// output, factors and what the epilogue has.
  size_t positionOf(size_t axis, size_t numEpilogue) const {
    size_t operand = 3 + numEpilogue;
    for (size_t i = 0; i < axis; ++i)
      operand += reduced[i].window.has_value();
    return operand;
  }

  int64_t depth() const {
    int64_t product = 1;
    for (const ContractionAxis &axis : reduced)
      product *= axis.extent;
    return product;
  }
  /// The same with the innermost axis in whole groups, as in panels.
  int64_t panelDepth() const {
    int64_t last = reduced.back().extent;
    return depth() / std::max<int64_t>(last, 1) * llvm::alignTo(last, group);
  }
};

class DirectContraction : public Kernel {
public:
  /// `buffers` as in emitEpilogue.
  DirectContraction(ContractionSpec spec, ValueRange buffers,
                    ScalarRegion epilogue, const KernelTarget &target);

  int64_t tickets() const override { return nest.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;
  int64_t flops() const override { return 2 * products; }

private:
  struct Position {
    SmallVector<Value> offsets;
    Value at;
    int64_t lanes, count;
    Value mask;
  };
  void emitElements(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                    const Position &position) const;
  SmallVector<Value> emitSums(KernelBuilder &builder,
                              ArrayRef<KernelBuffer> buffers,
                              const Position &position, size_t axis, Value lhs,
                              Value rhs, ValueRange sums) const;
  SmallVector<Value> emitProducts(KernelBuilder &builder,
                                  ArrayRef<KernelBuffer> buffers,
                                  const Position &position, Value lhs,
                                  Value rhs, ValueRange sums) const;
  Value rhsOffset(KernelBuilder &builder, const Position &position) const;

  ContractionSpec spec;
  ScalarRegion epilogue;
  size_t numEpilogue;
  /// Places along the axis around the innermost one whose sums are made
  /// together.
  LoopAxis rows;
  LoopNest nest;
  int64_t products;
  Strip strip;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_DIRECTCONTRACTION_H
