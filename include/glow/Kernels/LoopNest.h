//===- LoopNest.h - parallel loops over strided operands -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A space of independent elements that several operands share. Neighbouring
// axes are merged where every operand allows it. The outer axes, and if these
// are too few the innermost one in chunks, are divided into tickets.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_KERNELS_LOOPNEST_H
#define GLOW_KERNELS_LOOPNEST_H

#include "glow/Kernels/Kernels.h"
#include "llvm/Support/MathExtras.h"

namespace mlir::glow {

struct LoopAxis {
  int64_t extent;
  /// Distance of neighbours in each operand, in elements.
  SmallVector<int64_t> strides;
  /// Of the output's axes, the one whose extent at run time limits this one to
  /// `perBound` times that extent; kNone if none does. So many places are one
  /// of this axis, the last ones perhaps fewer.
  int64_t bound = kNone, perBound = 1, places = 1;

  static constexpr int64_t kNone = -1;
  /// The bound that an instruction's last operand states, see
  /// CountedOpInterface.
  static constexpr int64_t kCounted = -2;
  bool isCounted() const { return bound == kCounted; }
  bool isBounded() const { return bound != kNone; }
  /// Limited by this axis of the output, if it is one of those that limit.
  void boundBy(const BoundedAxes &bounded, int64_t axis) {
    if (bounded.contains(axis))
      bound = axis;
  }
  /// What is within any limit.
  int64_t leastExtent() const {
    return isBounded()
               ? std::min<int64_t>(llvm::divideCeil(perBound, places), extent)
               : extent;
  }
  /// The extent at run time.
  Value limit(KernelBuilder &builder) const;

  /// One element: what a space of rank 0 has for an axis.
  static LoopAxis unit(size_t operands) {
    return {1, SmallVector<int64_t>(operands, 0)};
  }
};

/// How points of equal work are divided among tickets.
struct TicketCut {
  int64_t points = 0, pointsPerTicket = 1, tickets = 0;

  /// For about `wanted` tickets.
  static TicketCut of(int64_t points, int64_t wanted);
  /// The points of tickets [begin, end). If only the first `live` ones are
  /// needed, all tickets share those: neighbouring tickets go to one thread,
  /// which then would have all the work.
  std::pair<Value, Value> range(KernelBuilder &builder, Value begin, Value end,
                                Value live) const;
};

/// Drops axes of extent 1 and merges those that every operand lets merge.
SmallVector<LoopAxis> mergeAxes(ArrayRef<LoopAxis> axes);
/// One axis per entry of `shape`, with the operands' strides, behind a unit.
/// The shape is the output's: its axes that are `bounded` limit them.
SmallVector<LoopAxis> makeAxes(ArrayRef<int64_t> shape,
                               ArrayRef<SmallVector<int64_t>> strides,
                               const BoundedAxes &bounded = {});
/// Orders axes by an operand's strides, the smallest innermost.
void orderAxes(SmallVector<LoopAxis> &axes, size_t operand);

class LoopNest {
public:
  /// `work` is the cost of an element in the unit of ticketsFor; chunks of the
  /// innermost axis are multiples of `granule`.
  LoopNest(SmallVector<LoopAxis> axes, double work, int64_t granule);

  int64_t tickets() const { return cut.tickets; }
  const LoopAxis &inner() const { return axes.back(); }
  /// How many elements are within the limits of a run; null without limits.
  Value elements(KernelBuilder &builder) const;

  /// Calls `body` in a loop nest over tickets [begin, end) with each operand's
  /// offset at index 0 of the innermost axis, and the range of that axis.
  using Body =
      function_ref<void(ArrayRef<Value> offsets, Value low, Value high)>;
  void emit(KernelBuilder &builder, Value begin, Value end, Body body) const;

private:
  void divide(double work, int64_t granule);
  /// What of the points is within the limit of the outermost axis; null if all
  /// are.
  Value livePoints(KernelBuilder &builder) const;
  /// Emits the points from `first` up to `last` where the last axis that is
  /// divided is limited: line by line, as few of many may be needed.
  void emitLines(KernelBuilder &builder, ArrayRef<int64_t> extents, Value first,
                 Value last, Body body) const;
  void emitPoint(KernelBuilder &builder, ArrayRef<Value> indices,
                 Value chunkIndex, Body body) const;
  /// Emits what is done at `indices` of the outermost axes, if they are within
  /// limits.
  void emitWithin(KernelBuilder &builder, ArrayRef<Value> indices,
                  function_ref<void()> body) const;
  void emitAxis(KernelBuilder &builder, size_t axis, ArrayRef<Value> offsets,
                Value low, Value high, Body body) const;

  /// Outermost first; at least one.
  SmallVector<LoopAxis> axes;
  /// Axes before this one are linearised and divided into tickets.
  size_t prefix = 0;
  int64_t chunk = 1, chunks = 1;
  TicketCut cut;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_LOOPNEST_H
