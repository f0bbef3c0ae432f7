//===- Transpose.h - copies between crossed axes ---------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_TRANSPOSE_H
#define GLOW_KERNELS_TRANSPOSE_H

#include "glow/Kernels/LoopNest.h"

namespace mlir::glow {

/// A copy whose source is contiguous along another axis than its destination:
/// squares of both axes are turned in registers.
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
  TransposeKernel(SmallVector<LoopAxis> nestAxes, int64_t lanes,
                  LoopAxis across, int64_t sourceStep, bool nontemporal)
      : lanes(lanes), across(std::move(across)), sourceStep(sourceStep),
        nontemporal(nontemporal),
        nest(std::move(nestAxes), double(lanes), lanes) {}
  void emitNest(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                Value begin, Value end) const;
  void emitSquare(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                  Value destination, Value source) const;
  /// `rows` places along the crossed axis, one element at a time.
  void emitElements(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                    Value destination, Value source, Value low, Value high,
                    int64_t rows) const;

  int64_t lanes;
  /// The axis along which the source is contiguous.
  LoopAxis across;
  /// The source's stride along the axis where the destination is contiguous.
  int64_t sourceStep;
  /// Squares are stored past the caches.
  bool nontemporal;
  LoopNest nest;
};

/// Turns a square: as many vectors as each has lanes, a power of two.
void turnSquare(KernelBuilder &builder, MutableArrayRef<Value> rows);

} // namespace mlir::glow

#endif // GLOW_KERNELS_TRANSPOSE_H
