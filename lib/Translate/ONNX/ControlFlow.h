//===- ControlFlow.h - what conditions and loops share ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_CONTROLFLOW_H
#define GLOW_LIB_TRANSLATE_ONNX_CONTROLFLOW_H

#include "Expr.h"
#include "glow/Dialect/Glow/IR/TypeInference.h"

namespace mlir::glow::onnx {

/// The most iterations that are written out: of any loop, and of one that can
/// be no op.
inline constexpr int64_t kShortLoop = 32, kMaxIterations = 10'000;

/// A value that is one known integer or truth value.
inline std::optional<int64_t> numberIn(Value value) {
  auto known = constantInts(value);
  if (!known || known->size() != 1)
    return std::nullopt;
  return known->front();
}

/// Gives the outputs from `first` on their values.
LogicalResult setResults(Node &node, ArrayRef<Value> values,
                         unsigned first = 0);

/// A truth value as a tensor without axes.
Value asScalar(Node &node, Value condition);

/// One of two values of equal types, tensor by tensor if they are lists; the
/// extents of tensors may differ if they are known.
Value choose(Node &node, Value condition, Value a, Value b);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_CONTROLFLOW_H
