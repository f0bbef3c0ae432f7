//===- Shape.cpp - reshape, transpose, concat and the like ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

static LogicalResult importReshape(Node &node) {
  node.ignore("consumed_inputs");
  Value shape = node.opset() < 5 ? node.shape(node.integers("shape"))
                                 : node.asShape(node.in(1));
  if (!shape && !node.failed())
    return node.fail("the shape is missing");
  // The number that stands for an extent that is not known.
  if (auto extents = constantInts(shape);
      extents && llvm::any_of(*extents, ShapedType::isDynamic))
    return node.fail("the shape has an extent of -2^63");
  return node.result(node.emit<ReshapeOp>(
      {node.in(0), shape}, node.unit("allow_zero", node.flag("allowzero"))));
}

static LogicalResult importFlatten(Node &node) {
  int64_t rank = Node::rank(node.in(0));
  int64_t axis = node.integer("axis", 1);
  // The axis may also lie behind the last one.
  if (axis != rank)
    axis = node.axis(axis, rank);
  return node.result(node.emit<FlattenOp>(node.in(0), node.i64("axis", axis)));
}

FailureOr<SmallVector<int64_t>> onnx::readAxes(Node &node, int64_t rank,
                                               int inputSince) {
  SmallVector<int64_t> axes;
  if (node.opset() < inputSince) {
    axes = node.integers("axes");
  } else if (node.in(1)) {
    auto given = node.constant(1, "'axes'");
    if (failed(given))
      return failure();
    axes = *given;
  }
  axes = node.axes(axes, rank);
  if (node.failed())
    return failure();
  return axes;
}

static LogicalResult importSqueeze(Node &node) {
  Value x = node.in(0);
  auto axes = readAxes(node, Node::rank(x), 13);
  if (failed(axes))
    return failure();
  bool given = node.opset() < 13 ? node.has("axes") : node.in(1) != Value();
  if (!given)
    for (auto [i, extent] : llvm::enumerate(Node::dims(x))) {
      if (ShapedType::isDynamic(extent)) {
        node.noteMissing(x);
        return node.fail("'axes' must be given, for not all extents are known");
      }
      if (extent == 1)
        axes->push_back(i);
    }
  return node.result(node.squeeze(x, *axes));
}

static LogicalResult exportSqueeze(SqueezeOp op, NodeWriter &n) {
  return n.type("Squeeze").input(op.getInput()).ints(op.getAxes()).done();
}

static LogicalResult importUnsqueeze(Node &node) {
  int64_t count = node.integers("axes").size();
  if (node.opset() >= 13) {
    auto given = node.constant(1, "'axes'");
    if (failed(given))
      return failure();
    count = given->size();
  }
  auto axes = readAxes(node, Node::rank(node.in(0)) + count, 13);
  if (failed(axes))
    return failure();
  return node.result(node.unsqueeze(node.in(0), *axes));
}

static LogicalResult exportUnsqueeze(UnsqueezeOp op, NodeWriter &n) {
  return n.type("Unsqueeze").input(op.getInput()).ints(op.getAxes()).done();
}

static LogicalResult importTranspose(Node &node) {
  auto reversed =
      llvm::to_vector(llvm::reverse(llvm::seq(Node::rank(node.in(0)))));
  return node.result(
      node.transpose(node.in(0), node.integers("perm", reversed)));
}

static LogicalResult importConcat(Node &node) {
  if (llvm::is_contained(node.inputs(), Value()))
    return node.fail("no operand may be left out");
  if (node.opset() >= 4 && !node.has("axis"))
    return node.fail("attribute 'axis' is missing");
  int64_t axis = node.axis(node.integer("axis", 1), Node::rank(node.in(0)));
  return node.result(
      node.emit<ConcatOp>(node.inputs(), node.i64("axis", axis)));
}

static LogicalResult importExpand(Node &node) {
  return node.result(
      node.emit<ExpandOp>({node.in(0), node.asShape(node.in(1))}));
}

static LogicalResult importTile(Node &node) {
  return node.result(node.emit<TileOp>({node.in(0), node.asShape(node.in(1))}));
}

/// The first version: so many copies along one axis, both numbers of the
/// input's type.
static LogicalResult importFirstTile(Node &node) {
  auto number = [&](unsigned input) -> std::optional<int64_t> {
    auto known = node.knownNumbers(node.in(input));
    return known && known->size() == 1 ? std::optional(known->front())
                                       : std::nullopt;
  };
  auto count = number(1), axis = number(2);
  if (!count || !axis)
    return node.fail("'tiles' and 'axis' must be constant numbers");
  int64_t rank = Node::rank(node.in(0));
  SmallVector<int64_t> repeats(rank, 1);
  int64_t place = node.axis(*axis, rank);
  if (node.failed())
    return failure();
  repeats[place] = *count;
  return node.result(node.emit<TileOp>({node.in(0), node.shape(repeats)}));
}

void onnx::addShapeOps(OpTable &table) {
  table.add("Concat", 1, {1, kAny}, importConcat).exports<ConcatOp>({"axis"});
  table.add("Expand", 8, 2, importExpand).exports<ExpandOp>();
  table.add("Flatten", 1, 1, importFlatten).exports<FlattenOp>({"axis"});
  table.add("Reshape", 1, {1, 2}, importReshape)
      .exports<ReshapeOp>({{"allowzero", "allow_zero"}});
  table.add("Squeeze", 1, {1, 2}, importSqueeze).exports(exportSqueeze);
  table.add("Tile", 1, 3, importFirstTile).until(5);
  table.add("Tile", 6, 2, importTile).exports<TileOp>();
  table.add("Transpose", 1, 1, importTranspose)
      .exports<TransposeOp>({{"perm", "permutation"}});
  table.add("Unsqueeze", 1, {1, 2}, importUnsqueeze).exports(exportUnsqueeze);
}
