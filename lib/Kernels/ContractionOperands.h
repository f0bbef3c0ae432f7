//===- ContractionOperands.h - which strides are whose ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_KERNELS_CONTRACTIONOPERANDS_H
#define GLOW_LIB_KERNELS_CONTRACTIONOPERANDS_H

#include <cstddef>

namespace mlir::glow {

/// Places among the strides of a contraction's axes. Its buffers are in another
/// order: the output is the last one.
enum ContractionOperand : size_t { Out, Lhs, Rhs, FirstEpilogue };

/// The part of the first-level cache that a panel, or the lines of windows, may
/// fill and stay there, while rows pass through.
inline constexpr double kPanelPart = 0.75;

} // namespace mlir::glow

#endif // GLOW_LIB_KERNELS_CONTRACTIONOPERANDS_H
