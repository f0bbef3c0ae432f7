//===- Reduce.cpp - reductions, searches and scans ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "Expr.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

namespace {
/// The axes of a Reduce… operator and what to do with them.
struct Reduction {
  SmallVector<int64_t> axes;
  bool keep;
};
} // namespace

/// ReduceSum takes its axes as an input from version 13 on, the others from 18.
static FailureOr<Reduction> readReduction(Node &node) {
  int since = node.type() == "ReduceSum" ? 13 : 18;
  int64_t rank = Node::rank(node.in(0));
  auto axes = readAxes(node, rank, since);
  if (failed(axes))
    return failure();
  // No axes mean all of them, or none if the model says so.
  bool noop = node.flag("noop_with_empty_axes");
  if (axes->empty() && !noop)
    axes = llvm::to_vector(llvm::seq(rank));
  return Reduction{*axes, node.flag("keepdims", true)};
}

/// log Σ exp x, shifted by the maximum so that exp does not overflow. By none
/// that is infinite, as the difference to itself is no number.
static Value logSumExp(Node &node, Value x, const Reduction &r) {
  Expr most(node, node.reduce(ReduceKind::Max, x, r.axes, true));
  Value peak = where(abs(most) < std::numeric_limits<double>::infinity(), most,
                     most.like(0));
  Value powers = node.emit<ExpOp>(node.emit<SubOp>({x, peak}));
  Value sum = node.reduce(ReduceKind::Sum, powers, r.axes, true);
  Value result = node.emit<AddOp>({node.emit<LogOp>(sum), peak});
  return r.keep ? result : node.squeeze(result, r.axes);
}

static LogicalResult importReduce(Node &node) {
  auto r = readReduction(node);
  if (failed(r))
    return failure();
  Value x = node.in(0);
  auto sum = [&](Value of) {
    return node.reduce(ReduceKind::Sum, of, r->axes, r->keep);
  };
  auto squares = [&] { return node.emit<MulOp>({x, x}); };
  StringRef op = node.type();
  op.consume_front("Reduce");
  if (op == "Sum" || op == "Mean" || op == "Max" || op == "Min" ||
      op == "Prod") {
    ReduceKind kind = *symbolizeReduceKind(op.lower());
    return node.result(node.reduce(kind, x, r->axes, r->keep));
  }
  Type own = Node::element(x);
  x = node.widenHalves(x);
  // Integers have neither roots nor logarithms.
  if (op != "L1" && op != "SumSquare")
    x = node.cast(x, Node::realType(Node::element(x)));
  Value result;
  if (op == "L1")
    result = sum(node.emit<AbsOp>(x));
  else if (op == "L2")
    result = node.emit<SqrtOp>(sum(squares()));
  else if (op == "SumSquare")
    result = sum(squares());
  else if (op == "LogSum")
    result = node.emit<LogOp>(sum(x));
  else
    result = logSumExp(node, x, *r);
  return node.result(node.cast(result, own));
}

static LogicalResult exportReduce(ReduceOp op, NodeWriter &n) {
  StringRef kind = stringifyReduceKind(op.getKind());
  std::string name =
      "Reduce" + kind.substr(0, 1).upper() + kind.substr(1).str();
  return n.type(name)
      .input(op.getInput())
      .ints(op.getAxes())
      .attr("keepdims", op.getKeepDims())
      .attr("noop_with_empty_axes", true)
      .done();
}

static LogicalResult importArgReduce(Node &node) {
  Value x = node.in(0);
  int64_t axis = node.axis(node.integer("axis", 0), Node::rank(x));
  ReduceKind kind = node.type() == "ArgMax" ? ReduceKind::Max : ReduceKind::Min;
  bool keep = node.flag("keepdims", true);
  bool last = node.flag("select_last_index");
  return node.result(node.emit<ArgReduceOp>(
      x, {{"kind", ReduceKindAttr::get(node.context(), kind)},
          node.i64("axis", axis),
          node.unit("keep_dims", keep),
          node.unit("select_last", last)}));
}

static LogicalResult exportArgReduce(ArgReduceOp op, NodeWriter &n) {
  return n.type(op.getKind() == ReduceKind::Max ? "ArgMax" : "ArgMin")
      .input(op.getInput())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .attr("keepdims", op.getKeepDims())
      .attr("select_last_index", op.getSelectLast())
      .done();
}

/// CumSum and CumProd.
static LogicalResult importScan(Node &node) {
  auto axis = node.constant(1, "'axis'");
  if (failed(axis))
    return failure();
  if (axis->size() != 1)
    return node.fail("'axis' must be one number");
  Value x = node.in(0);
  ReduceKind kind =
      node.type() == "CumSum" ? ReduceKind::Sum : ReduceKind::Prod;
  return node.result(node.emit<ScanOp>(
      x, {{"kind", ReduceKindAttr::get(node.context(), kind)},
          node.i64("axis", node.axis(axis->front(), Node::rank(x))),
          node.unit("exclusive", node.flag("exclusive")),
          node.unit("reverse", node.flag("reverse"))}));
}

static LogicalResult exportScan(ScanOp op, NodeWriter &n) {
  bool isSum = op.getKind() == ReduceKind::Sum;
  return n.type(isSum ? "CumSum" : "CumProd")
      .needs(isSum ? 11 : 26)
      .input(op.getInput())
      .ints(static_cast<int64_t>(op.getAxis()))
      .attr("exclusive", op.getExclusive())
      .attr("reverse", op.getReverse())
      .done();
}

static LogicalResult importTopK(Node &node) {
  // What is sorted is in order for those who do not ask for it.
  node.ignore("sorted");
  Value x = node.in(0);
  Value k = node.opset() < 10 ? node.shape(node.integer("k", 0))
                              : node.asShape(node.in(1));
  if (!k)
    return node.fail("'k' is missing");
  int64_t axis = node.axis(node.integer("axis", -1), Node::rank(x));
  bool largest = node.flag("largest", true);
  Operation *op =
      node.emitOp(TopKOp::getOperationName(), {x, k},
                  {node.i64("axis", axis), node.unit("largest", largest)});
  if (!op || failed(node.result(op->getResult(0), 0)))
    return failure();
  return node.result(op->getResult(1), 1);
}

void onnx::addReduceOps(OpTable &table) {
  table.add("ArgMax", 1, 1, importArgReduce).exports(exportArgReduce);
  table.add("ArgMin", 1, 1, importArgReduce);
  table.add("CumProd", 26, 2, importScan);
  table.add("CumSum", 11, 2, importScan).exports(exportScan);
  table.add("ReduceL1", 1, {1, 2}, importReduce);
  table.add("ReduceL2", 1, {1, 2}, importReduce);
  table.add("ReduceLogSum", 1, {1, 2}, importReduce);
  table.add("ReduceLogSumExp", 1, {1, 2}, importReduce);
  table.add("ReduceMax", 1, {1, 2}, importReduce);
  table.add("ReduceMean", 1, {1, 2}, importReduce);
  table.add("ReduceMin", 1, {1, 2}, importReduce);
  table.add("ReduceProd", 1, {1, 2}, importReduce);
  table.add("ReduceSum", 1, {1, 2}, importReduce);
  table.add("ReduceSumSquare", 1, {1, 2}, importReduce);
  table.add("TopK", 1, {1, 2}, importTopK).exports<TopKOp>({"axis", "largest"});
  table.write(exportReduce);
}
