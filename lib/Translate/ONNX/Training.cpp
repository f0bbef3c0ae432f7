//===- Training.cpp - steps of optimisers ---------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operators of ai.onnx.preview.training. Inputs are the learning rate, the
// number of updates so far, then all tensors, all gradients, and the states of
// each kind; outputs the new tensors and states in the same order.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

namespace {
/// One tensor of an optimiser's step.
struct Parameter {
  Expr value, gradient;
  SmallVector<Expr, 2> states;
};
} // namespace

/// Applies `update` to each tensor, which has `states` states. The gradient is
/// that of the loss and of the norm's square.
static LogicalResult forEachParameter(
    Node &node, unsigned states,
    function_ref<void(Parameter &, Expr rate, Expr count)> update) {
  unsigned kinds = 2 + states;
  if (node.numInputs() < 2 + kinds || (node.numInputs() - 2) % kinds != 0 ||
      node.numOutputs() != (node.numInputs() - 2) / kinds * (1 + states))
    return node.fail("its inputs and outputs do not match in number");
  unsigned tensors = (node.numInputs() - 2) / kinds;
  double norm = node.real("norm_coefficient", 0);
  for (unsigned i = 0; i < tensors; ++i) {
    auto input = [&](unsigned kind) {
      return Expr(node, node.in(2 + kind * tensors + i));
    };
    Parameter parameter{input(0), norm * input(0) + input(1), {}};
    for (unsigned s = 0; s < states; ++s)
      parameter.states.push_back(input(2 + s));
    Type type = parameter.value.element();
    update(parameter, Expr(node, node.in(0)).cast(type),
           Expr(node, node.in(1)).cast(type));
    if (failed(node.result(parameter.value, i)))
      return failure();
    for (unsigned s = 0; s < states; ++s)
      if (failed(node.result(parameter.states[s], (1 + s) * tensors + i)))
        return failure();
  }
  return success();
}

/// `base` to the power `count`.
static Expr power(double base, Expr count) {
  return count.like(base).emit<PowOp>({count});
}

static LogicalResult importAdagrad(Node &node) {
  double decay = node.real("decay_factor", 0),
         epsilon = node.real("epsilon", 0);
  return forEachParameter(node, 1, [&](Parameter &p, Expr rate, Expr count) {
    Expr slowed = rate / (1.0 + count * decay);
    p.states[0] = p.states[0] + p.gradient * p.gradient;
    p.value = p.value - slowed * p.gradient / (sqrt(p.states[0]) + epsilon);
  });
}

/// Kingma and Ba, https://arxiv.org/abs/1412.6980.
static LogicalResult importAdam(Node &node) {
  double alpha = node.real("alpha", 0.9), beta = node.real("beta", 0.999);
  double epsilon = node.real("epsilon", 0);
  double after = node.real("norm_coefficient_post", 0);
  return forEachParameter(node, 2, [&](Parameter &p, Expr rate, Expr count) {
    p.states[0] = alpha * p.states[0] + (1 - alpha) * p.gradient;
    p.states[1] = beta * p.states[1] + (1 - beta) * p.gradient * p.gradient;
    Expr corrected =
        rate * sqrt(1.0 - power(beta, count)) / (1.0 - power(alpha, count));
    rate = where(count > 0.0, corrected, rate);
    p.value = p.value - rate * p.states[0] / (sqrt(p.states[1]) + epsilon);
    p.value = (1 - after) * p.value;
  });
}

static LogicalResult importMomentum(Node &node) {
  double alpha = node.real("alpha", 0), beta = node.real("beta", 0);
  StringRef mode = node.string("mode", "standard");
  if (mode != "standard" && mode != "nesterov")
    return node.fail("unknown mode '" + mode + "'");
  return forEachParameter(node, 1, [&](Parameter &p, Expr rate, Expr count) {
    Expr first = where(count > 0.0, count.like(beta), count.like(1));
    p.states[0] = alpha * p.states[0] + first * p.gradient;
    Expr step =
        mode == "nesterov" ? p.gradient + alpha * p.states[0] : p.states[0];
    p.value = p.value - rate * step;
  });
}

void onnx::addTrainingOps(OpTable &table) {
  table.add("ai.onnx.preview.training::Adagrad", 1, {5, kAny}, importAdagrad);
  table.add("ai.onnx.preview.training::Adam", 1, {6, kAny}, importAdam);
  table.add("ai.onnx.preview.training::Momentum", 1, {5, kAny}, importMomentum);
}
