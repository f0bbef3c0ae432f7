//===- GroupInputs.h - inputs of columns in groups -------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_KERNELS_GROUPINPUTS_H
#define GLOW_LIB_KERNELS_GROUPINPUTS_H

#include "glow/Kernels/KernelBuilder.h"

namespace mlir::glow {

/// The inputs that columns in groups meet: a vector of them holds those of the
/// groups of one vector of columns, in order.
struct GroupInputs {
  /// Lanes that are shuffled among themselves.
  static constexpr int64_t kPart = 4;

  KernelBuilder &b;
  int64_t columns; ///< of a group, and its inputs
  int64_t size;    ///< inputs that are multiplied at once

  /// For each column the step `place` of its group's inputs: `size` of them.
  Value take(Value inputs, int64_t place) const;
};

} // namespace mlir::glow

#endif // GLOW_LIB_KERNELS_GROUPINPUTS_H
