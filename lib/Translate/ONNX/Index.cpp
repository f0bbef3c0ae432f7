//===- Index.cpp - gather, scatter and what counts by index ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "Moved.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// Indices along the axis of the attribute `axis`; also gives that.
static std::pair<Value, Attr> indicesAlongAxis(Node &node) {
  Expr x(node, node.in(0));
  int64_t axis = node.axis(node.integer("axis", 0), x.rank());
  Value indices = node.in(1);
  if (!node.failed())
    indices = x.checked({node, indices}, axis);
  return {indices, node.i64("axis", axis)};
}

static LogicalResult importGather(Node &node) {
  auto [indices, axis] = indicesAlongAxis(node);
  return node.result(node.emit<GatherOp>({node.in(0), indices}, axis));
}

static LogicalResult importGatherElements(Node &node) {
  auto [indices, axis] = indicesAlongAxis(node);
  return node.result(node.emit<GatherElementsOp>({node.in(0), indices}, axis));
}

static LogicalResult importGatherND(Node &node) {
  Expr x(node, node.in(0)), indices(node, node.in(1));
  int64_t batch = node.integer("batch_dims", 0);
  return node.result(node.emit<GatherNDOp>({x, x.checked(indices, batch, true)},
                                           node.i64("batch_dims", batch)));
}

static Attr noReduction(Node &node) {
  return {"kind", ScatterKindAttr::get(node.context(), ScatterKind::None)};
}

static Attr scatterKind(Node &node) {
  auto kind = symbolizeScatterKind(node.string("reduction", "none"));
  if (!kind)
    (void)node.fail("unknown reduction '" + node.string("reduction", "") + "'");
  return {"kind", ScatterKindAttr::get(node.context(),
                                       kind.value_or(ScatterKind::None))};
}

/// A scatter, and how what it writes to is gathered. No kernel computes with
/// complex numbers: a function combines them, then they replace what was there.
template <typename Scatter, typename Gather>
static LogicalResult scatter(Node &node, Value indices, ArrayRef<Attr> how,
                             Attr gathered) {
  Value x = node.in(0), updates = node.in(2);
  Attr kind = scatterKind(node), none = noReduction(node);
  if (kind.value != none.value && isa<ComplexType>(Node::element(x))) {
    auto current = [&](Value values) {
      return node.emit<Gather>({values, indices}, gathered);
    };
    Value places = Moved(node, x).numbers();
    updates = node.callHost(
        "combine_complex", {current(places), current(x), updates},
        Node::element(x), node.str("kind", node.string("reduction", "")));
    kind = none;
  }
  SmallVector<Attr> attributes{kind};
  llvm::append_range(attributes, how);
  return node.result(node.emit<Scatter>({x, indices, updates}, attributes));
}

static LogicalResult importScatterElements(Node &node) {
  auto [indices, axis] = indicesAlongAxis(node);
  return scatter<ScatterElementsOp, GatherElementsOp>(node, indices, axis,
                                                      axis);
}

static LogicalResult exportScatterElements(ScatterElementsOp op,
                                           NodeWriter &n) {
  return n.type("ScatterElements")
      .inputs(op->getOperands())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .attr("reduction", stringifyScatterKind(op.getKind()))
      .done();
}

static LogicalResult importScatterND(Node &node) {
  Expr x(node, node.in(0)), indices(node, node.in(1));
  return scatter<ScatterNDOp, GatherNDOp>(node, x.checked(indices, 0, true), {},
                                          node.i64("batch_dims", 0));
}

static LogicalResult exportScatterND(ScatterNDOp op, NodeWriter &n) {
  return n.type("ScatterND")
      .inputs(op->getOperands())
      .attr("reduction", stringifyScatterKind(op.getKind()))
      .done();
}

static LogicalResult importOneHot(Node &node) {
  Value indices = node.in(0), depth = node.in(1);
  int64_t axis = node.axis(node.integer("axis", -1), Node::rank(indices) + 1);
  if (!Node::element(depth).isInteger())
    depth = node.cast(depth, IntegerType::get(node.context(), 64));
  Moved values(node, node.in(2));
  return node.result(values.restore(
      node.emit<OneHotOp>({indices, node.asShape(depth), values.numbers()},
                          node.i64("axis", axis))));
}

static LogicalResult importReverseSequence(Node &node) {
  int64_t rank = Node::rank(node.in(0));
  int64_t time = node.axis(node.integer("time_axis", 0), rank);
  int64_t batch = node.axis(node.integer("batch_axis", 1), rank);
  Expr x(node, node.in(0)), lengths(node, node.asShape(node.in(1)));
  // The place of the first element.
  lengths = x.checked(lengths - 1.0, time) + 1.0;
  return node.result(node.emit<ReverseSequenceOp>(
      {x, lengths},
      {node.i64("time_axis", time), node.i64("batch_axis", batch)}));
}

/// A cache with an update written at a position of each batch's own, beyond the
/// end of the axis again at its start if the mode says so.
static LogicalResult importTensorScatter(Node &node) {
  Expr cache(node, node.in(0)), update(node, node.in(1));
  int64_t axis = node.axis(node.integer("axis", -2), cache.rank());
  StringRef mode = node.string("mode", "linear");
  if (node.failed())
    return failure();
  if (axis == 0 || update.rank() != cache.rank())
    return node.fail(
        "the update needs the rank of the cache, and the axis must "
        "not be that of the batch");
  if (mode != "linear" && mode != "circular")
    return node.fail("unknown mode '" + mode + "'");
  auto along = [&](Expr list, int64_t axis) {
    SmallVector<int64_t> others;
    for (int64_t i = 0; i < cache.rank(); ++i)
      if (i != axis)
        others.push_back(i);
    return list.unsqueeze(others);
  };
  Expr places = along(update.positions(axis), axis);
  if (node.in(2))
    places = places + along(Expr(node, node.in(2)).cast(places.element()), 0);
  if (mode == "circular")
    places = places.emit<ModOp>({cache.shape(axis, axis + 1)});
  else
    places = cache.checked(places, axis);
  return node.result(cache.emit<ScatterElementsOp>(
      {places.expand(update.shape()), update},
      {noReduction(node), node.i64("axis", axis)}));
}

void onnx::addIndexOps(OpTable &table) {
  table.add("Gather", 1, 2, importGather).exports<GatherOp>({"axis"});
  table.add("GatherElements", 11, 2, importGatherElements)
      .exports<GatherElementsOp>({"axis"});
  table.add("GatherND", 11, 2, importGatherND)
      .exports<GatherNDOp>({"batch_dims"});
  table.add("OneHot", 9, 3, importOneHot).exports<OneHotOp>({"axis"});
  table.add("ReverseSequence", 10, 2, importReverseSequence)
      .exports<ReverseSequenceOp>({"time_axis", "batch_axis"});
  table.add("Scatter", 9, 3, importScatterElements).until(10);
  table.add("ScatterElements", 11, 3, importScatterElements)
      .exports(exportScatterElements);
  table.add("TensorScatter", 24, {2, 3}, importTensorScatter);
  table.add("ScatterND", 11, 3, importScatterND).exports(exportScatterND);
}
