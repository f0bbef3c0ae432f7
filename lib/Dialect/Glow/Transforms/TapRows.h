//===- TapRows.h - lines of windows as one depth ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_GLOW_TRANSFORMS_TAPROWS_H
#define GLOW_LIB_DIALECT_GLOW_TRANSFORMS_TAPROWS_H

#include "glow/Dialect/Glow/IR/Glow.h"

namespace mlir::glow {

/// How many elements of a channels-last convolution's input lie side by side in
/// a line of its window and can be one depth of its products: all channels of
/// neighbouring taps, if channels fill whole groups of a panel.
inline int64_t tapRowDepth(ConvOp conv, int64_t channels, int64_t group) {
  bool joins = conv.getDilations().back() == 1 && channels % group == 0;
  return joins ? channels * conv.getKernelShape().back() : channels;
}

} // namespace mlir::glow

#endif // GLOW_LIB_DIALECT_GLOW_TRANSFORMS_TAPROWS_H
