//===- Combiner.h - sum, product, maximum or minimum -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_COMBINER_H
#define GLOW_KERNELS_COMBINER_H

#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Kernels/KernelBuilder.h"

namespace mlir::glow {

/// How elements of one type are combined, and in which type.
class Combiner {
public:
  Combiner(ReduceKind kind, Type element);

  /// Narrow floats are combined in single precision.
  Type accumulator() const { return accumulatorType; }
  Value neutral(KernelBuilder &builder, int64_t lanes) const;
  Value combine(KernelBuilder &builder, Value a, Value b) const;
  /// Between the elements and the accumulator.
  Value widen(KernelBuilder &builder, Value element) const;
  Value narrow(KernelBuilder &builder, Value accumulated) const;
  /// Whether each element adds an error.
  bool rounds() const {
    return isa<FloatType>(accumulatorType) &&
           (kind == ReduceKind::Sum || kind == ReduceKind::Mean);
  }
  /// All lanes of a vector, halving it step by step.
  Value combineLanes(KernelBuilder &builder, Value vector) const;

private:
  ReduceKind kind;
  Type element, accumulatorType;
};

} // namespace mlir::glow

#endif // GLOW_KERNELS_COMBINER_H
