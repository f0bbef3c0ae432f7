//===- Elementwise.h - maps, fills and copies ------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_ELEMENTWISE_H
#define GLOW_KERNELS_ELEMENTWISE_H

#include "glow/Kernels/LoopNest.h"
#include "glow/Kernels/ScalarRegion.h"
#include "glow/Kernels/Strip.h"

namespace mlir::glow {

/// An input that has fewer places along an axis than are computed, of which the
/// last one is read for those that are not there.
struct ShortInput {
  size_t input;
  /// The stride of the axis, and how many places there are, a count of units.
  int64_t stride, places;
};

/// What is special about the operands' memory.
struct ElementwiseMemory {
  SmallVector<ShortInput> shortInputs;
  /// Outputs are to be stored past the caches.
  bool nontemporal = false;
};

/// A scalar region for every element of the outputs; without a region the one
/// output is a copy of the one input.
class ElementwiseKernel : public Kernel {
public:
  ElementwiseKernel(ValueRange inputs, ValueRange outputs, ScalarRegion body,
                    const BoundedAxes &bounded, const KernelTarget &target,
                    ElementwiseMemory memory = {});

  int64_t tickets() const override { return nest.tickets(); }
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;
  int64_t flops() const override { return body.cost() * elements; }
  bool staysWithinLimits(size_t) const override { return true; }
  /// Vectors would have to be cut.
  bool canEndEarly(size_t input, int64_t stride) const override {
    return input < numInputs && nest.inner().strides[input] != stride;
  }

private:
  static SmallVector<LoopAxis> axesOf(ValueRange inputs, ValueRange outputs,
                                      const BoundedAxes &bounded,
                                      ArrayRef<ShortInput> shortInputs);
  void chooseStrip(ValueRange inputs, ValueRange outputs,
                   const KernelTarget &target);
  void emitNest(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                Value begin, Value end) const;
  void emitElements(KernelBuilder &builder, ArrayRef<KernelBuffer> buffers,
                    ArrayRef<Value> offsets, Value at, int64_t lanes,
                    int64_t count, Value mask) const;

  ScalarRegion body;
  LoopNest nest;
  size_t numInputs, numOutputs;
  int64_t elements;
  ElementwiseMemory memory;
  Strip strip;
};

/// A kernel that copies `source` to `destination`, whatever their strides.
std::unique_ptr<Kernel> makeCopyKernel(Value source, Value destination,
                                       const BoundedAxes &bounded,
                                       const KernelTarget &target,
                                       ElementwiseMemory memory = {});

/// One value everywhere.
class FillKernel : public Kernel {
public:
  FillKernel(ValueRange destinations, TypedAttr value,
             const BoundedAxes &bounded);
  int64_t tickets() const override;
  void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
            Value end) const override;

private:
  static void emitOne(KernelBuilder &builder, const LoopNest &nest,
                      Value destination, Value scalar, Value begin, Value end);

  TypedAttr value;
  SmallVector<LoopNest> nests; // one per destination, with tickets of its own
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_ELEMENTWISE_H
