//===- Slice.cpp - parts of tensors, and padding --------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "Expr.h"
#include "Moved.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// The number of elements of a 1-D value, or nothing.
static std::optional<int64_t> length(Value list) {
  int64_t extent = Node::rank(list) == 1 ? Node::dims(list)[0] : -1;
  return extent < 0 ? std::nullopt : std::optional(extent);
}

static LogicalResult importSlice(Node &node) {
  Value x = node.in(0), starts, ends, steps;
  SmallVector<int64_t> axes;
  bool axesGiven;
  if (node.opset() < 10) {
    starts = node.shape(node.integers("starts"));
    ends = node.shape(node.integers("ends"));
    axesGiven = node.has("axes");
    axes = node.integers("axes");
  } else {
    if (!node.in(1) || !node.in(2))
      return node.fail("'starts' or 'ends' is missing");
    starts = node.asShape(node.in(1));
    ends = node.asShape(node.in(2));
    steps = node.asShape(node.in(4));
    axesGiven = node.in(3) != Value();
    if (axesGiven) {
      auto given = node.constant(3, "'axes'");
      if (failed(given))
        return failure();
      axes = *given;
    }
  }
  if (!starts || !ends || node.failed())
    return failure();
  auto count = length(starts);
  if (!count || *count > Node::rank(x))
    return node.fail("the number of starts is not known, or larger than the "
                     "number of axes");
  if (!axesGiven)
    axes = llvm::to_vector(llvm::seq(*count));
  if (!steps)
    steps = node.shape(SmallVector<int64_t>(*count, 1));
  return node.result(node.emit<SliceOp>(
      {x, starts, ends, steps},
      node.i64s("axes", node.axesInOrder(axes, Node::rank(x)))));
}

static LogicalResult exportSlice(SliceOp op, NodeWriter &n) {
  return n.type("Slice")
      .input(op.getInput())
      .input(op.getStarts())
      .input(op.getEnds())
      .ints(op.getAxes())
      .input(op.getSteps())
      .done();
}

/// The sizes of a Split's parts, by whichever means the model gives them.
static FailureOr<SmallVector<int64_t>> partSizes(Node &node, int64_t extent) {
  SmallVector<int64_t> sizes = node.integers("split");
  if (node.opset() >= 13 && node.in(1)) {
    auto given = node.constant(1, "'split'");
    if (failed(given))
      return failure();
    sizes = *given;
  } else if (node.opset() == 1 && node.in(1)) {
    // They have the input's type.
    auto given = node.knownNumbers(node.in(1));
    if (!given)
      return node.fail("'split' must be constant");
    sizes = *given;
  }
  int64_t count = node.integer("num_outputs", node.numOutputs());
  if (!sizes.empty())
    return sizes;
  if (ShapedType::isDynamic(extent))
    return node.fail("equal parts need an extent that is known");
  if (count < 1 || count > std::max<int64_t>(extent, 1) + node.numOutputs())
    return node.fail("cannot make " + Twine(count) + " parts of " +
                     Twine(extent));
  if (node.opset() < 18 && extent % count != 0)
    return node.fail("cannot make " + Twine(count) + " equal parts of " +
                     Twine(extent));
  // The last part is smaller if they cannot be equal.
  int64_t each = (extent + count - 1) / count;
  for (int64_t i = 0, left = extent; i < count; ++i, left -= sizes.back())
    sizes.push_back(std::min(each, left));
  return sizes;
}

/// Parts whose sizes are computed: of open extents, or equal parts of one.
static LogicalResult splitAt(Node &node, Expr x, int64_t axis, Expr sizes) {
  int64_t count = node.numOutputs();
  if (sizes.rank() != 1 || sizes.dim(0) != count)
    return node.fail("needs one size for each of its " + Twine(count) +
                     " outputs");
  Expr total = sizes.reduce(ReduceKind::Sum, {0}, /*keep=*/true);
  Expr isWrong = (total < x.shape(axis, axis + 1)) |
                 (total > x.shape(axis, axis + 1)) |
                 (sizes.reduce(ReduceKind::Min, {0}, /*keep=*/true) < 0);
  x = x.emit<RequireOp>(
      {isWrong.reduce(ReduceKind::Max)},
      node.str("message", "the sizes do not add up to the extent"));
  Expr start(node, node.shape({0}));
  for (int64_t i = 0; i < count; ++i) {
    Expr end = start + sizes.slice(0, i, i + 1);
    Expr part =
        x.emit<SliceOp>({start, end, node.shape(1)}, node.i64s("axes", axis));
    if (failed(node.result(part, i)))
      return failure();
    start = end;
  }
  return success();
}

/// As many elements in each part of an open axis; from version 18 on perhaps
/// fewer in the last.
static Expr equalSizes(Node &node, Expr x, int64_t axis, int64_t count) {
  Expr extent = x.shape(axis, axis + 1);
  if (node.opset() < 18)
    return concat(SmallVector<Expr>(count, extent / count), 0);
  Expr each = (extent + (count - 1)) / count;
  SmallVector<Expr> sizes;
  for (int64_t i = 0; i < count; ++i)
    sizes.push_back(minimum(each, maximum(extent - each * i, 0.0)));
  return concat(sizes, 0);
}

static LogicalResult importSplit(Node &node) {
  Value x = node.in(0);
  int64_t axis = node.axis(node.integer("axis", 0), Node::rank(x));
  if (node.failed())
    return failure();
  int64_t extent = Node::dims(x)[axis];
  Value given = node.opset() >= 13 ? node.in(1) : Value();
  if (given && !constantInts(given) && !node.mayWaitFor(given))
    return splitAt(node, {node, x}, axis, {node, node.asShape(given)});
  int64_t count = node.numOutputs();
  bool areEqual = !node.in(1) && node.integers("split").empty() &&
                  node.integer("num_outputs", count) == count;
  if (areEqual && count > 0 && ShapedType::isDynamic(extent))
    return splitAt(node, {node, x}, axis,
                   equalSizes(node, {node, x}, axis, count));
  auto sizes = partSizes(node, extent);
  if (failed(sizes))
    return failure();
  if (sizes->size() != node.numOutputs())
    return node.fail("has " + Twine(node.numOutputs()) + " outputs, but " +
                     Twine(sizes->size()) + " sizes");
  if (llvm::any_of(*sizes, [](int64_t size) { return size < 0; }))
    return node.fail("a size is negative");
  if (ShapedType::isDynamic(extent))
    return splitAt(node, {node, x}, axis, {node, node.shape(*sizes)});
  int64_t start = 0;
  for (auto [i, size] : llvm::enumerate(*sizes)) {
    int64_t end;
    if (addOverflows(start, size, end) || end > extent)
      return node.fail("the sizes do not fit the extent " + Twine(extent));
    Value part = node.emit<SliceOp>(
        {x, node.shape(start), node.shape(end), node.shape(1)},
        node.i64s("axes", axis));
    if (failed(node.result(part, i)))
      return failure();
    start = end;
  }
  if (start != extent)
    return node.fail("the sizes do not add up to the extent " + Twine(extent));
  return success();
}

/// Pads of some axes as pads of all of them.
static Value padsOfAllAxes(Node &node, Value pads, int64_t rank) {
  auto axes = node.constant(3, "'axes'");
  if (failed(axes))
    return {};
  int64_t count = axes->size();
  Expr given(node, pads);
  if (given.rank() != 1 || given.dim(0) != 2 * count)
    return (void)node.fail("needs two pads for each of 'axes'"), Value();
  // The places of the pads; behind them is one of nothing.
  SmallVector<int64_t> places(2 * rank, 2 * count);
  for (auto [i, axis] : llvm::enumerate(node.axesInOrder(*axes, rank))) {
    if (node.failed())
      return {};
    places[axis] = i;
    places[rank + axis] = count + i;
  }
  Expr all = concat({given, {node, node.shape({0})}}, 0);
  return all.gather({node, node.shape(places)}, 0);
}

/// Cuts away, or adds zeros, on both sides alike; of an odd number one more
/// behind.
static LogicalResult importCenterCropPad(Node &node) {
  Moved moved(node, node.in(0));
  Expr x = moved.numbers();
  auto wanted = node.constant(1, "'shape'");
  if (failed(wanted))
    return failure();
  auto axes =
      node.axesInOrder(node.has("axes") ? node.integers("axes")
                                        : llvm::to_vector(llvm::seq(x.rank())),
                       x.rank());
  if (node.failed())
    return failure();
  if (axes.size() != wanted->size())
    return node.fail("needs one extent per axis");
  SmallVector<int64_t> pads(2 * x.rank(), 0);
  for (auto [axis, extent] : llvm::zip(axes, *wanted)) {
    int64_t actual = x.dim(axis);
    if (ShapedType::isDynamic(actual) || extent < 0)
      return node.fail("needs known extents, and wants none below zero");
    if (extent < actual) {
      int64_t start = (actual - extent) / 2;
      x = x.slice(axis, start, start + extent);
    } else {
      pads[axis] = (extent - actual) / 2;
      pads[x.rank() + axis] = extent - actual - pads[axis];
    }
  }
  return node.result(moved.restore(x.emit<PadOp>(
      {node.shape(pads), x.like(0)},
      Attr{"mode", PadModeAttr::get(node.context(), PadMode::Constant)})));
}

static LogicalResult importPad(Node &node) {
  Value x = node.in(0), pads, value = node.in(2);
  if (node.opset() < 11) {
    // Version 1 called them paddings.
    pads = node.shape(node.integers(node.opset() < 2 ? "paddings" : "pads"));
    value = node.scalarLike(x, node.real("value", 0));
  } else if (node.in(1)) {
    pads = node.asShape(node.in(1));
    if (pads && node.in(3))
      pads = padsOfAllAxes(node, pads, Node::rank(x));
  }
  if (!pads)
    return node.fail("'pads' is missing");
  auto mode = symbolizePadMode(node.string("mode", "constant"));
  if (!mode)
    return node.fail("unknown mode '" + node.string("mode", "") + "'");
  if (value && Node::rank(value) != 0)
    value = node.reshape(value, {});
  if (*mode != PadMode::Constant)
    value = Value();
  return node.result(node.emit<PadOp>(
      {x, pads, value}, Attr{"mode", PadModeAttr::get(node.context(), *mode)}));
}

static LogicalResult exportPad(PadOp op, NodeWriter &n) {
  return n.type("Pad")
      .inputs(op->getOperands())
      .attr("mode", stringifyPadMode(op.getMode()))
      .done();
}

static LogicalResult importTrilu(Node &node) {
  Moved moved(node, node.in(0));
  Value k = node.in(1);
  if (k && Node::rank(k) != 0)
    k = node.reshape(k, {});
  return node.result(moved.restore(node.emit<TriluOp>(
      {moved.numbers(), k}, node.unit("upper", node.flag("upper", true)))));
}

void onnx::addSliceOps(OpTable &table) {
  table.add("CenterCropPad", 18, 2, importCenterCropPad);
  table.add("Pad", 1, {1, 4}, importPad).exports(exportPad);
  table.add("Slice", 1, {1, 5}, importSlice).exports(exportSlice);
  table.add("Split", 1, {1, 2}, importSplit);
  table.add("Trilu", 14, {1, 2}, importTrilu).exports<TriluOp>({"upper"});
}
