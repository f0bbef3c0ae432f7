//===- Loss.cpp - losses over classes -------------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Inputs are (batch, classes, d1, ...); labels, losses (batch, d1, ...).
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// -weight[label] * logProbabilities[label] of each position, reduced. Weights
/// are the optional input 2; positions with `ignore_index` count for nothing.
static Expr negativeLogLikelihood(Node &node, Expr logProbabilities) {
  Expr labels(node, node.in(1));
  std::optional<Expr> weights;
  if (node.has("ignore_index")) {
    Expr ignored =
        labels == static_cast<double>(node.integer("ignore_index", 0));
    // Any class will do where the weight is zero.
    labels = where(ignored, labels.like(0), labels);
    weights =
        where(ignored, logProbabilities.like(0), logProbabilities.like(1));
  }
  labels = logProbabilities.checked(labels, 1);
  if (node.in(2)) {
    Expr perClass = Expr(node, node.in(2)).gather(labels, 0);
    weights = weights ? *weights * perClass : perClass;
  }
  Expr loss =
      -logProbabilities
           .emit<GatherElementsOp>({labels.unsqueeze({1})}, node.i64("axis", 1))
           .squeeze({1});
  if (weights)
    loss = loss * *weights;
  StringRef reduction = node.string("reduction", "mean");
  if (reduction == "none")
    return loss;
  if (reduction == "sum")
    return loss.reduce(ReduceKind::Sum);
  if (reduction != "mean")
    (void)node.fail("unknown reduction '" + reduction + "'");
  if (!weights)
    return loss.reduce(ReduceKind::Mean);
  Expr whole = weights->expand(loss.shape());
  return loss.reduce(ReduceKind::Sum) / whole.reduce(ReduceKind::Sum);
}

static LogicalResult checkRanks(Node &node) {
  if (Node::rank(node.in(0)) < 2 ||
      Node::rank(node.in(0)) != Node::rank(node.in(1)) + 1)
    return node.fail("labels must have one axis less than the input, which has "
                     "at least two");
  return success();
}

static LogicalResult importNegativeLogLikelihoodLoss(Node &node) {
  if (failed(checkRanks(node)))
    return failure();
  return node.result(negativeLogLikelihood(node, {node, node.in(0)}));
}

static LogicalResult importSoftmaxCrossEntropyLoss(Node &node) {
  if (failed(checkRanks(node)))
    return failure();
  Expr logProbabilities =
      Expr(node, node.in(0))
          .emit<SoftmaxOp>({}, {node.i64("axis", 1), node.unit("log")});
  if (node.wantsOutput(1) && failed(node.result(logProbabilities, 1)))
    return failure();
  return node.result(negativeLogLikelihood(node, logProbabilities));
}

void onnx::addLossOps(OpTable &table) {
  table.add("NegativeLogLikelihoodLoss", 12, {2, 3},
            importNegativeLogLikelihoodLoss);
  table.add("SoftmaxCrossEntropyLoss", 12, {2, 3},
            importSoftmaxCrossEntropyLoss);
}
