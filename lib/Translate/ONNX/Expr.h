//===- Expr.h - graph ops written as arithmetic ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators that ONNX defines by a formula are imported as that formula:
// `(x - mean) * scale` builds the ops. A number takes the element type of the
// other side. After a failure, which the node remembers, values are null and
// nothing more is built.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_TRANSLATE_ONNX_EXPR_H
#define GLOW_LIB_TRANSLATE_ONNX_EXPR_H

#include "Node.h"

namespace mlir::glow::onnx {

class Expr {
public:
  Expr(Node &node, Value value) : node(&node), value(value) {}

  operator Value() const { return value; }
  explicit operator bool() const { return bool(value); }
  Node &builder() const { return *node; }
  Type element() const { return value ? Node::element(value) : Type(); }
  int64_t rank() const { return value ? Node::rank(value) : 0; }
  /// The extent of an axis; 0 after a failure.
  int64_t dim(int64_t axis) const {
    return axis >= 0 && axis < rank() ? Node::dims(value)[axis] : 0;
  }

  /// An op whose first operand is this value.
  template <typename Op>
  Expr emit(ArrayRef<Value> others = {}, ArrayRef<Attr> attributes = {}) const {
    SmallVector<Value> operands{value};
    llvm::append_range(operands, others);
    bool whole = !llvm::is_contained(operands, Value());
    return {*node, whole ? node->emit<Op>(operands, attributes) : Value()};
  }
  /// A scalar of this element type.
  Expr like(double number) const {
    return {*node, node->scalarLike(value, number)};
  }

  Expr cast(Type type) const { return {*node, node->cast(value, type)}; }
  Expr reshape(ArrayRef<int64_t> dims) const {
    return {*node, node->reshape(value, dims)};
  }
  /// With a shape that is a value of its own.
  Expr reshape(Expr shape) const { return emit<ReshapeOp>({shape}); }
  Expr expand(Expr shape) const { return emit<ExpandOp>({shape}); }
  Expr transpose(ArrayRef<int64_t> permutation) const {
    return {*node, node->transpose(value, permutation)};
  }
  Expr unsqueeze(ArrayRef<int64_t> axes) const {
    return value ? Expr(*node, node->unsqueeze(value, axes)) : *this;
  }
  Expr squeeze(ArrayRef<int64_t> axes) const {
    return value ? Expr(*node, node->squeeze(value, axes)) : *this;
  }
  /// A reduction; over all axes if none are given.
  Expr reduce(ReduceKind kind, ArrayRef<int64_t> axes = {},
              bool keep = false) const;
  /// Every `step`-th element from `start` up to `end`, counted as ONNX does.
  Expr slice(int64_t axis, int64_t start, int64_t end, int64_t step = 1) const;
  Expr gather(Expr indices, int64_t axis) const {
    return emit<GatherOp>({indices}, node->i64("axis", axis));
  }
  /// The same with indices that are checked.
  Expr take(Expr indices, int64_t axis) const {
    return gather(checked(indices, axis), axis);
  }
  Expr softmax(int64_t axis) const {
    return emit<SoftmaxOp>({}, node->i64("axis", axis));
  }
  /// The extents of axes `start` up to `end` as a list.
  Expr shape(int64_t start = 0, int64_t end = -1) const {
    return {*node, node->shapeOf(value, start, end)};
  }
  /// Indices of elements of this value along `axis`, or of tuples of them along
  /// `axis` and those behind it if `isTuple`: a run in which one is out of
  /// range ends with an error.
  Expr checked(Expr indices, int64_t axis, bool isTuple = false) const;
  /// 0, 1, ... up to the extent of `axis`, as i64.
  Expr positions(int64_t axis) const;

private:
  Node *node;
  Value value;
};

/// Tensors one after the other along `axis`.
Expr concat(ArrayRef<Expr> parts, int64_t axis);
/// The same along a new axis.
Expr stack(Node &node, ArrayRef<Value> values, int64_t axis);

#define GLOW_EXPR_BINARY(NAME, OP)                                             \
  inline Expr NAME(Expr a, Expr b) { return a.emit<OP>({b}); }                 \
  inline Expr NAME(Expr a, double b) { return a.emit<OP>({a.like(b)}); }       \
  inline Expr NAME(double a, Expr b) { return b.like(a).emit<OP>({b}); }
GLOW_EXPR_BINARY(operator+, AddOp)
GLOW_EXPR_BINARY(operator-, SubOp)
GLOW_EXPR_BINARY(operator*, MulOp)
GLOW_EXPR_BINARY(operator/, DivOp)
GLOW_EXPR_BINARY(operator<, LessOp)
GLOW_EXPR_BINARY(operator<=, LessEqualOp)
GLOW_EXPR_BINARY(operator>, GreaterOp)
GLOW_EXPR_BINARY(operator>=, GreaterEqualOp)
GLOW_EXPR_BINARY(operator==, EqualOp)
GLOW_EXPR_BINARY(maximum, MaximumOp)
GLOW_EXPR_BINARY(minimum, MinimumOp)
#undef GLOW_EXPR_BINARY

inline Expr operator&(Expr a, Expr b) { return a.emit<AndOp>({b}); }
inline Expr operator|(Expr a, Expr b) { return a.emit<OrOp>({b}); }
inline Expr operator-(Expr a) { return a.emit<NegOp>(); }
inline Expr matmul(Expr a, Expr b) { return a.emit<MatMulOp>({b}); }
inline Expr where(Expr condition, Expr a, Expr b) {
  Node &node = condition.builder();
  return {node, node.where(condition, a, b)};
}
inline Expr exp(Expr a) { return a.emit<ExpOp>(); }
inline Expr log(Expr a) { return a.emit<LogOp>(); }
inline Expr sqrt(Expr a) { return a.emit<SqrtOp>(); }
inline Expr tanh(Expr a) { return a.emit<TanhOp>(); }
inline Expr abs(Expr a) { return a.emit<AbsOp>(); }
inline Expr floor(Expr a) { return a.emit<FloorOp>(); }

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_EXPR_H
