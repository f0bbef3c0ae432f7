//===- Kernels.h - the kernel generators ----------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_KERNELS_KERNELS_H
#define GLOW_KERNELS_KERNELS_H

#include "glow/Interfaces/Tuning.h"
#include "glow/Kernels/KernelBuilder.h"

namespace mlir {
class RewritePatternSet;
}

namespace mlir::glow {

/// A kernel that can be made in several ways.
struct TunableKernel {
  /// What decides how well choices work: the key of a tuning.
  std::string shape;
  ContractionChoices chosen;
  /// How many rows and vectors of columns there are, and registers for a tile;
  /// none if its form is fixed.
  int64_t rows, vectors, registers;
};

/// What an instruction turns into on one target: the work's division into
/// tickets and the code of a range of them. A kernel refers to the instruction
/// that it was made from, and is short-lived.
class Kernel {
public:
  virtual ~Kernel() = default;
  virtual int64_t tickets() const = 0;
  virtual void emit(KernelBuilder &builder, ValueRange buffers, Value begin,
                    Value end) const = 0;
  virtual int64_t flops() const { return 0; }
  /// Whether nothing of an operand is touched beyond what the extents at run
  /// time need, so that it may end there.
  virtual bool staysWithinLimits(size_t operand) const { return false; }
  /// Whether an input may have fewer places along the axis with this stride
  /// than are computed: the last one is read again for those that are not
  /// there.
  virtual bool canEndEarly(size_t input, int64_t stride) const { return false; }
  /// What a tuning may change, as it was chosen; nothing if that is nothing.
  virtual std::optional<TunableKernel> tunable() const { return std::nullopt; }
};
using KernelPtr = std::unique_ptr<Kernel>;

/// The number of tickets for work of so many elementary steps, of about a third
/// of a nanosecond each. It is fixed by the work, not by the number of threads.
int64_t ticketsFor(double work);

/// Lowers the functions of `math` that kernels use: single precision to
/// polynomials, the rest to LLVM's intrinsics and the C library by the
/// conversions that follow. docs/Rationale/Kernels/MathFunctions.md states the
/// errors. With `scalesVectors` the processor has AVX-512, which multiplies
/// vectors by powers of two.
void populateKernelMathPatterns(RewritePatternSet &patterns,
                                bool scalesVectors = false);
/// Shorter ones for `fastmath<afn>`, with instructions of AVX-512.
void populateCoarseMathPatterns(RewritePatternSet &patterns);

} // namespace mlir::glow

#endif // GLOW_KERNELS_KERNELS_H
