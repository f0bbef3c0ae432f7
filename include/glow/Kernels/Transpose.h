//===- Transpose.h - copies between crossed axes ---------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_TRANSPOSE_H
#define GLOW_KERNELS_TRANSPOSE_H

#include "glow/Kernels/LoopNest.h"

namespace mlir::glow {

/// Axes along which a buffer is contiguous, as one: where the innermost one is
/// shorter than a vector, the next ones belong to it.
struct JoinedAxes {
  /// Outermost first; only that one may be bounded.
  SmallVector<LoopAxis> axes;
  /// Of the other buffer of a copy.
  size_t operand;

  int64_t extent() const;
  bool isBounded() const { return axes.front().isBounded(); }
  /// The offset in the other buffer of what is `further` places behind one,
  /// where the first place is at `start`.
  Value offset(KernelBuilder &builder, Value start, Value place,
               int64_t further = 0) const;
};

/// A copy whose source is contiguous along another axis than its destination:
/// squares of both axes are turned in registers. The last square along an axis
/// overlaps the one before, so that no elements are left over.
class TransposeKernel : public Kernel {
public:
  /// Null if the buffers' innermost axes are not such, or too short.
  static std::unique_ptr<Kernel> make(Value source, Value destination,
                                      const BoundedAxes &bounded,
                                      const KernelTarget &target,
                                      bool nontemporal = false);

  int64_t tickets() const override { return nest.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;
  /// Whole squares are turned.
  bool staysWithinLimits(size_t) const override { return !across.isBounded(); }

private:
  TransposeKernel(SmallVector<LoopAxis> nestAxes, int64_t lanes, int64_t places,
                  JoinedAxes across, JoinedAxes along, bool nontemporal)
      : lanes(lanes), places(places), across(std::move(across)),
        along(std::move(along)), nontemporal(nontemporal),
        nest(std::move(nestAxes), double(places), lanes) {}
  void emitNest(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                Value begin, Value end) const;
  /// A block of `places` across, of which the first ones that are `known`, from
  /// another block, are not stored again.
  struct Block {
    Value destination, source, place;
    int64_t known;
  };
  void emitBlock(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                 const Block &block, Value low, Value high) const;
  /// The squares of a block from `first` on.
  void emitSquares(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                   const Block &block, Value first) const;
  /// One element after the other.
  void emitElements(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                    const Block &block, Value low, Value high) const;

  /// Of a vector, and of a block: a line of the source if there are as many.
  int64_t lanes, places;
  /// Where the source is contiguous, and where the destination is.
  JoinedAxes across, along;
  /// Squares are stored past the caches.
  bool nontemporal;
  LoopNest nest;
};

/// Turns a square: as many vectors as each has lanes, a power of two.
void turnSquare(KernelBuilder &builder, MutableArrayRef<Value> rows);

} // namespace mlir::glow

#endif // GLOW_KERNELS_TRANSPOSE_H
