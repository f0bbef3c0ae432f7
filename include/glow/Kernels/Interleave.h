//===- Interleave.h - copies of a few planes into one ----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_INTERLEAVE_H
#define GLOW_KERNELS_INTERLEAVE_H

#include "glow/Kernels/LoopNest.h"

namespace mlir::glow {

/// A copy whose source has two to four contiguous planes, the colours of an
/// image, of which the destination has the elements side by side.
class InterleaveKernel : public Kernel {
public:
  /// Null if the buffers are not such, or too short.
  static std::unique_ptr<Kernel> make(Value source, Value destination,
                                      const BoundedAxes &bounded,
                                      const KernelTarget &target);

  int64_t tickets() const override { return nest.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;

private:
  InterleaveKernel(SmallVector<LoopAxis> nestAxes, int64_t lanes,
                   LoopAxis planes)
      : lanes(lanes), planes(std::move(planes)),
        nest(std::move(nestAxes), double(this->planes.extent), lanes) {}
  /// `lanes` places of all planes.
  void emitPlaces(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                  Value destination, Value source) const;

  int64_t lanes;
  LoopAxis planes;
  LoopNest nest;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_INTERLEAVE_H
