//===- Gradient.cpp - derivatives of what was imported --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reverse-mode differentiation: from the last op to the first, each passes the
// derivative by its result on to its operands.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "OpTable.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

namespace {
class Differentiator {
public:
  Differentiator(Node &node, ArrayRef<Value> inputs) : node(node) {
    for (Value input : inputs)
      depends.insert(input);
  }

  /// Finds the derivatives of the sum of all elements of `y`.
  LogicalResult run(Value y);
  /// That by an input of the constructor.
  Expr derivative(Value input) {
    auto found = derivatives.find(input);
    if (found != derivatives.end())
      return {node, found->second};
    return Expr(node, node.scalarLike(input, 0))
        .expand({node, node.shapeOf(input)});
  }

private:
  Expr of(Value value) { return {node, value}; }
  void add(Value operand, Expr derivative);
  LogicalResult pass(Operation *op, Expr g);

  Node &node;
  /// What is computed from the inputs.
  llvm::DenseSet<Value> depends;
  llvm::DenseMap<Value, Value> derivatives;
};
} // namespace

/// Sums what broadcasting repeated, so that the derivative has the operand's
/// shape.
void Differentiator::add(Value operand, Expr derivative) {
  if (!depends.contains(operand) || !derivative)
    return;
  auto dims = Node::dims(operand);
  if (int64_t more = derivative.rank() - dims.size(); more > 0)
    derivative =
        derivative.reduce(ReduceKind::Sum, llvm::to_vector(llvm::seq(more)));
  SmallVector<int64_t> repeated;
  for (auto [axis, extent] : llvm::enumerate(dims))
    if (extent == 1 && derivative.dim(axis) != 1)
      repeated.push_back(axis);
  if (!repeated.empty())
    derivative = derivative.reduce(ReduceKind::Sum, repeated, /*keep=*/true);
  Value &sum = derivatives[operand];
  sum = sum ? Value(of(sum) + derivative) : Value(derivative);
}

/// The last two axes swapped.
static Expr swapped(Expr x) {
  auto order = llvm::to_vector(llvm::seq(x.rank()));
  std::swap(order[x.rank() - 2], order[x.rank() - 1]);
  return x.transpose(order);
}

LogicalResult Differentiator::pass(Operation *op, Expr g) {
  Value a = op->getOperand(0);
  Value b = op->getNumOperands() > 1 ? op->getOperand(1) : Value();
  Expr x = of(a), y = of(b), r = of(op->getResult(0));
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](AddOp) { return add(a, g), add(b, g), success(); })
      .Case([&](SubOp) { return add(a, g), add(b, -g), success(); })
      .Case([&](MulOp) { return add(a, g * y), add(b, g * x), success(); })
      .Case(
          [&](DivOp) { return add(a, g / y), add(b, -(g * r) / y), success(); })
      .Case([&](PowOp) {
        add(a, g * y * x.emit<PowOp>({y - 1.0}));
        return add(b, g * r * log(x)), success();
      })
      .Case([&](NegOp) { return add(a, -g), success(); })
      .Case([&](ExpOp) { return add(a, g * r), success(); })
      .Case([&](LogOp) { return add(a, g / x), success(); })
      .Case([&](SqrtOp) { return add(a, g * 0.5 / r), success(); })
      .Case([&](SinOp) { return add(a, g * x.emit<CosOp>()), success(); })
      .Case([&](CosOp) { return add(a, -(g * x.emit<SinOp>())), success(); })
      .Case([&](TanhOp) { return add(a, g * (1.0 - r * r)), success(); })
      .Case([&](SigmoidOp) { return add(a, g * r * (1.0 - r)), success(); })
      .Case([&](AbsOp) { return add(a, g * x.emit<SignOp>()), success(); })
      .Case([&](ReluOp) {
        return add(a, where(x > 0.0, g, g.like(0))), success();
      })
      .Case([&](WhereOp where_) {
        Value c = op->getOperand(2);
        add(b, where(x, g, g.like(0)));
        return add(c, where(x, g.like(0), g)), success();
      })
      .Case([&](MatMulOp product) -> LogicalResult {
        if (x.rank() < 2 || y.rank() < 2)
          return node.fail("products of vectors have no derivative here; give "
                           "them two axes");
        add(a, matmul(g, swapped(y)));
        return add(b, matmul(swapped(x), g)), success();
      })
      .Case<ReshapeOp, SqueezeOp, UnsqueezeOp, FlattenOp>(
          [&](auto) { return add(a, of(node.reshapeLike(g, a))), success(); })
      .Case([&](ExpandOp) { return add(a, g), success(); })
      .Case([&](TransposeOp transpose) {
        SmallVector<int64_t> inverse(x.rank());
        for (auto [i, axis] : llvm::enumerate(transpose.getPermutation()))
          inverse[axis] = i;
        return add(a, g.transpose(inverse)), success();
      })
      .Case([&](ReduceOp reduction) -> LogicalResult {
        bool isMean = reduction.getKind() == ReduceKind::Mean;
        if (!isMean && reduction.getKind() != ReduceKind::Sum)
          return node.fail("only sums and means along axes have a derivative "
                           "here");
        if (!reduction.getKeepDims())
          g = g.unsqueeze(reduction.getAxes());
        double count = 1;
        for (int64_t axis : reduction.getAxes())
          count *= isMean ? double(x.dim(axis)) : 1;
        if (count < 1)
          return node.fail("means need known extents");
        return add(a, (g / count).expand(x.shape())), success();
      })
      .Default([&](Operation *) {
        return node.fail("there is no derivative of '" +
                         op->getName().getStringRef() + "'");
      });
}

LogicalResult Differentiator::run(Value y) {
  Operation *last = y.getDefiningOp();
  if (!last)
    return success();
  for (Operation &op : *last->getBlock())
    if (llvm::any_of(op.getOperands(),
                     [&](Value v) { return depends.contains(v); }))
      depends.insert(op.result_begin(), op.result_end());
  Expr one(node, node.scalarLike(y, 1));
  derivatives[y] = one.expand({node, node.shapeOf(y)});
  for (Operation *op = last; op && !node.failed(); op = op->getPrevNode())
    if (op->getNumResults() > 0 && depends.contains(op->getResult(0)))
      if (Value g = derivatives.lookup(op->getResult(0)))
        if (failed(pass(op, of(g))))
          return failure();
  return failure(node.failed());
}

/// The derivatives of the tensor that the attribute 'y' names by those that
/// 'xs' names, which the inputs repeat.
static LogicalResult importGradient(Node &node) {
  auto xs = node.strings("xs"), zs = node.strings("zs");
  Value y = node.named(node.string("y", ""));
  if (!y || xs.empty() || node.numInputs() != xs.size() + zs.size() ||
      node.numOutputs() > xs.size())
    return node.fail("needs 'xs' and 'y', tensors of its graph, with an input "
                     "and an output for each of 'xs'");
  for (auto [i, name] : llvm::enumerate(xs)) {
    if (node.named(name) != node.in(i))
      return node.fail("its inputs must be the tensors that 'xs' names");
    // Nothing shows any more what has been computed from it.
    if (node.in(i).getDefiningOp<ConstantOp>())
      return node.fail("'" + name +
                       "' of 'xs' is a constant; make it an input "
                       "of the model");
  }
  Differentiator differentiator(node, node.inputs().take_front(xs.size()));
  if (failed(differentiator.run(y)))
    return failure();
  for (unsigned i = 0; i < node.numOutputs(); ++i)
    if (node.wantsOutput(i) &&
        failed(node.result(differentiator.derivative(node.in(i)), i)))
      return failure();
  return success();
}

void onnx::addGradient(OpTable &table) {
  table.add("ai.onnx.preview.training::Gradient", 1, {1, kAny}, importGradient);
}
