//===- Moved.cpp - elements that an operator only moves -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Moved.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// 1, 2, 3, ... in the shape of `x`. A reshape could not tell several open
/// extents apart: each axis adds its part.
static Expr placesIn(Node &node, Expr x) {
  Type i64 = IntegerType::get(node.context(), 64);
  Expr places(node, node.scalar(i64, 1)), stride = places;
  for (int64_t axis = x.rank(); axis-- > 0;) {
    SmallVector<int64_t> others;
    for (int64_t i = 0; i < x.rank(); ++i)
      if (i != axis)
        others.push_back(i);
    places = places + x.positions(axis).unsqueeze(others) * stride;
    stride = stride * x.shape(axis, axis + 1).squeeze({0});
  }
  return places;
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
