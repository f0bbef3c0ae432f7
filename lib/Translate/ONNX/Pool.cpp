//===- Pool.cpp - pooling -------------------------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "Window.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

static Value buildPool(Node &node, PoolKind kind, Value x, bool countPad,
                       int64_t *windowSize = nullptr) {
  if (!x)
    return {};
  auto spatial = Node::dims(x).drop_front(std::min<size_t>(2, Node::rank(x)));
  if (!node.has("kernel_shape"))
    return (void)node.fail("attribute 'kernel_shape' is missing"), Value();
  FailureOr<WindowAttrs> w = readWindow(node, spatial, {});
  if (failed(w) || failed(padSame(node, spatial, *w)))
    return {};
  if (windowSize)
    for (int64_t extent : w->kernel)
      if (mulOverflows(*windowSize, extent, *windowSize))
        return (void)node.fail("the window overflows"), Value();
  bool ceil = node.flag("ceil_mode");
  return node.emit<PoolOp>(x,
                           {{"kind", PoolKindAttr::get(node.context(), kind)},
                            node.i64s("kernel_shape", w->kernel),
                            node.i64s("strides", w->strides),
                            node.i64s("pads", w->pads),
                            node.i64s("dilations", w->dilations),
                            node.unit("ceil_mode", ceil),
                            node.unit("count_include_pad", countPad)});
}

static LogicalResult importPool(Node &node) {
  // Only the layout of the second output depends on it.
  node.ignore("storage_order");
  if (node.wantsOutput(1))
    return node.fail("the output 'Indices' is not supported");
  bool isMax = node.type() == "MaxPool";
  bool countPad = !isMax && node.flag("count_include_pad");
  return node.result(buildPool(node, isMax ? PoolKind::Max : PoolKind::Average,
                               node.in(0), countPad));
}

static LogicalResult exportPool(PoolOp op, NodeWriter &n) {
  if (op.isChannelsLast())
    return hasNoForm(op, "in another layout");
  bool isMax = op.getKind() == PoolKind::Max;
  n.type(isMax ? "MaxPool" : "AveragePool").input(op.getInput());
  if (!isMax)
    n.attr("count_include_pad", op.getCountIncludePad());
  return n.attr("kernel_shape", op.getKernelShape())
      .attr("strides", op.getStrides())
      .attr("pads", op.getPads())
      .attr("dilations", op.getDilations())
      .attr("ceil_mode", op.getCeilMode())
      .done();
}

/// Spatial axes of an input of batch, channels, spatial…
static SmallVector<int64_t> spatialAxes(Value x) {
  return llvm::to_vector(
      llvm::seq<int64_t>(2, std::max<int64_t>(2, Node::rank(x))));
}

static LogicalResult importGlobalPool(Node &node) {
  ReduceKind kind =
      node.type() == "GlobalMaxPool" ? ReduceKind::Max : ReduceKind::Mean;
  return node.result(
      node.reduce(kind, node.in(0), spatialAxes(node.in(0)), true));
}

/// |x|^p, and its inverse on sums of it.
static Value powerOfAbs(Node &node, Value x, double p) {
  x = node.emit<AbsOp>(x);
  return p == 1 ? x : node.emit<PowOp>({x, node.scalarLike(x, p)});
}
static Value root(Node &node, Value x, double p) {
  return p == 1 ? x : node.emit<PowOp>({x, node.scalarLike(x, 1 / p)});
}
/// The exponent is an integer from version 2 on.
static double exponent(Node &node) {
  return node.opset() < 2 ? node.real("p", 2) : node.integer("p", 2);
}

static LogicalResult importGlobalLpPool(Node &node) {
  double p = exponent(node);
  Value sum = node.reduce(ReduceKind::Sum, powerOfAbs(node, node.in(0), p),
                          spatialAxes(node.in(0)), true);
  return node.result(root(node, sum, p));
}

static LogicalResult importLpPool(Node &node) {
  if (node.integer("ceil_mode", 0) != 0)
    return node.fail("ceil_mode is not supported");
  double p = exponent(node);
  int64_t size = 1;
  Value mean =
      buildPool(node, PoolKind::Average, powerOfAbs(node, node.in(0), p),
                /*countPad=*/true, &size);
  Value sum = node.emit<MulOp>({mean, node.scalarLike(mean, size)});
  return node.result(root(node, sum, p));
}

void onnx::addPoolOps(OpTable &table) {
  table.add("AveragePool", 1, 1, importPool).exports(exportPool);
  table.add("GlobalAveragePool", 1, 1, importGlobalPool);
  table.add("GlobalLpPool", 1, 1, importGlobalLpPool);
  table.add("GlobalMaxPool", 1, 1, importGlobalPool);
  table.add("LpPool", 1, 1, importLpPool);
  table.add("MaxPool", 1, 1, importPool);
}
