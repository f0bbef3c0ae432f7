//===- OperandAxes.h - which axes of operands an output follows -*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_OPERANDAXES_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_OPERANDAXES_H

#include "glow/Dialect/Inst/Analysis/Padding.h"
#include <optional>

namespace mlir::glow::inst {

/// For each axis of an instruction's outputs the axis of every input along
/// which one element of the output needs one position, or none behind it, as of
/// running sums; kNone where it needs all of the input.
struct OperandAxes {
  static constexpr int64_t kNone = -1;
  /// Outputs are of one shape.
  SmallVector<Value> inputs, outputs;
  SmallVector<SmallVector<int64_t>> axes;
  /// Of reductions and products that may stop early, the sizes of the axes that
  /// they reduce, and those axes of every input. Also of what has a count.
  SmallVector<int64_t> reducedSizes;
  SmallVector<SmallVector<int64_t>> reducedAxes;
  /// The buffer that says how many of the first of them there are.
  Value count;
  /// Inputs whose elements are combined into the first argument of the body,
  /// or, if there is no body, into the output.
  size_t combined = 0;
  /// The input with indices, which must be valid in the padding too.
  std::optional<size_t> indices;
  Block *body = nullptr;

  /// What the outputs hold along one of their axes, for what the inputs do.
  SmallVector<AxisContents> contents(ArrayRef<AxisContents> inputs) const;

  /// In which steps the instruction goes along `axes` of its inputs, which it
  /// reduces: of arrays as the caller has them, and of integers, one by one.
  int64_t stepAlong(Operation *op, ArrayRef<int64_t> axes) const;

  /// From where on each of the outputs needs nothing of each of the inputs, see
  /// droppedArguments.
  SmallVector<SmallVector<AffineExpr>>
  dropped(ArrayRef<AxisContents> inputs) const;

  /// Nothing for instructions of which nothing is known.
  static std::optional<OperandAxes> of(Operation *op);
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_OPERANDAXES_H
