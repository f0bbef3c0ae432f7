//===- Costs.h - what loops are weighed by ----------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_COSTS_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_COSTS_H

#include "glow/Interfaces/KernelTarget.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

namespace mlir::glow::inst {

/// Cycles for starting an instruction at a point of a loop.
inline constexpr double kStartCost = 1000;

/// The operations on numbers that an instruction does, a loop at all of its
/// points.
double flopsOf(Operation *op);

/// Vector operations that a core does in a cycle.
double vectorsPerCycle(const KernelTarget &target);

/// The part of so many bytes that does not stay in a cache of `cacheBytes`,
/// which is not theirs alone.
double partOutside(double bytes, int64_t cacheBytes);

/// The part of the time that is lost at the end of a loop, while some threads
/// have no point left: the mean of one to eight threads.
double idlePart(int64_t points);

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_COSTS_H
