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
  if (isByPlace())
    moved = placesIn(node, moved);
}

bool Moved::isByPlace() const {
  return elements && isOnlyMoved(elements.element());
}

Value Moved::restore(Value result) const {
  if (!isByPlace() || !result)
    return result;
  Node &node = elements.builder();
  Expr none(node, node.reshape(node.nothing(elements.element()), {1}));
  return concat({none, elements.reshape({-1})}, 0).gather({node, result}, 0);
}

Value onnx::whereByPlace(Node &node, Value condition, Value a, Value b) {
  Expr first = Expr(node, a).reshape({-1}),
       second = Expr(node, b).reshape({-1});
  Expr inFirst = placesIn(node, {node, a}),
       inSecond = placesIn(node, {node, b});
  Expr behind = inSecond + first.shape().squeeze({0});
  Expr places = where({node, condition}, inFirst, behind) - 1;
  return concat({first, second}, 0).gather(places, 0);
}
