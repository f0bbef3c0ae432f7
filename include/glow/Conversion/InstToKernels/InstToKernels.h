//===- InstToKernels.h - instructions as kernels ---------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_CONVERSION_INSTTOKERNELS_INSTTOKERNELS_H
#define GLOW_CONVERSION_INSTTOKERNELS_INSTTOKERNELS_H

#include "glow/Kernels/Kernels.h"

namespace mlir {
class DialectRegistry;
}

namespace mlir::glow {

/// Attaches KernelOpInterface to every compute instruction.
void registerKernelInterfaces(DialectRegistry &registry);

/// The axes of an instruction's output that `glow_inst.extents` limits. Its
/// kernel then takes the values of the symbols as one more buffer.
BoundedAxes boundedAxesOf(Operation *op);

/// The ways to make an instruction's kernel; nothing if there is one only.
std::optional<TunableKernel> tunableKernel(Operation *op,
                                           const KernelTarget &target);

/// Registers `glow-test-emit-kernels`, which puts the serial code of its kernel
/// in the place of each instruction.
void registerTestEmitKernelsPass();

} // namespace mlir::glow

#endif // GLOW_CONVERSION_INSTTOKERNELS_INSTTOKERNELS_H
