//===- Expr.cpp - graph ops written as arithmetic -------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Expr.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

Expr Expr::reduce(ReduceKind kind, ArrayRef<int64_t> axes, bool keep) const {
  if (!value)
    return *this;
  auto all = llvm::to_vector(llvm::seq(rank()));
  return {*node,
          node->reduce(kind, value, axes.empty() ? ArrayRef(all) : axes, keep)};
}

Expr Expr::slice(int64_t axis, int64_t start, int64_t end, int64_t step) const {
  return emit<SliceOp>(
      {node->shape(start), node->shape(end), node->shape(step)},
      node->i64s("axes", axis));
}

Expr Expr::positions(int64_t axis) const {
  if (!value)
    return *this;
  Type i64 = IntegerType::get(node->context(), 64);
  Expr limit = shape(axis, axis + 1).squeeze({0});
  return {*node, limit ? node->emit<RangeOp>({node->scalar(i64, 0), limit,
                                              node->scalar(i64, 1)})
                       : Value()};
}

Expr onnx::concat(ArrayRef<Expr> parts, int64_t axis) {
  SmallVector<Value> others;
  for (Expr part : parts.drop_front())
    others.push_back(part);
  return parts.front().emit<ConcatOp>(
      others, parts.front().builder().i64("axis", axis));
}

Expr onnx::stack(Node &node, ArrayRef<Value> values, int64_t axis) {
  SmallVector<Expr> parts;
  for (Value value : values)
    parts.push_back(Expr(node, value).unsqueeze({axis}));
  return concat(parts, axis);
}
