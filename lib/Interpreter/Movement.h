//===- Movement.h - copying elements from computed places -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_INTERPRETER_MOVEMENT_H
#define GLOW_LIB_INTERPRETER_MOVEMENT_H

#include "glow/Interpreter/Tensor.h"

namespace mlir::glow {

/// For each place along an axis of the result the place in the input, or -1
/// for outside.
using AxisPlaces = std::vector<int64_t>;

/// Fills `out`, whose shape is the lengths of `places`, with elements of `in`.
/// An element that is outside along any axis is `*fill`, or zero.
void gatherByAxes(const Tensor &in, ArrayRef<AxisPlaces> places,
                  const char *fill, Tensor &out);

} // namespace mlir::glow

#endif // GLOW_LIB_INTERPRETER_MOVEMENT_H
