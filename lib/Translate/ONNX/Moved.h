//===- Moved.h - elements that an operator only moves -----------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_MOVED_H
#define GLOW_LIB_TRANSLATE_ONNX_MOVED_H

#include "Expr.h"

namespace mlir::glow::onnx {

/// What an operator moves that is imported as arithmetic on numbers. In place
/// of strings and complex numbers their places are moved, counted from 1; 0,
/// with which operators fill, stands for an empty string or for 0.
class Moved {
public:
  Moved(Node &node, Value elements);

  bool isByPlace() const;
  /// The elements or their places.
  Expr numbers() const { return moved; }
  /// What the operator made of `numbers()`, as elements again.
  Value restore(Value result) const;

private:
  Expr elements, moved;
};

/// `where` for what is only moved.
Value whereByPlace(Node &node, Value condition, Value a, Value b);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_MOVED_H
