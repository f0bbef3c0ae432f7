//===- Moved.cpp - elements that an operator only moves -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Moved.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// 1, 2, 3, ... in the shape of `x`.
static Expr placesIn(Node &node, Expr x) {
  Type i64 = IntegerType::get(node.context(), 64);
  Expr limit = x.reshape({-1}).shape().squeeze({0}) + 1;
  Expr one(node, node.scalar(i64, 1));
  return {node, node.reshapeLike(one.emit<RangeOp>({limit, one}), x)};
}

Moved::Moved(Node &node, Value elements)
    : elements(node, elements), moved(this->elements) {
  if (isText())
    moved = placesIn(node, moved);
}

bool Moved::isText() const {
  return elements && isa<StringType>(elements.element());
}

Value Moved::restore(Value result) const {
  if (!isText() || !result)
    return result;
  Node &node = elements.builder();
  auto type = RankedTensorType::get({1}, elements.element());
  Expr none(node,
            node.constant(DenseStringElementsAttr::get(type, StringRef())));
  return concat({none, elements.reshape({-1})}, 0).gather({node, result}, 0);
}
