//===- Select.cpp - operators whose shapes depend on data -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All are formulas around `glow.non_zero`, which counts.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// Where one of those along the last axis holds.
static Expr anyOf(Expr holds) {
  Node &node = holds.builder();
  return holds.cast(IntegerType::get(node.context(), 32))
      .reduce(ReduceKind::Max, {holds.rank() - 1})
      .cast(IntegerType::get(node.context(), 1));
}

/// Which strings are not empty.
static Expr isFull(Expr strings) {
  Node &node = strings.builder();
  Value none = node.nothing(strings.element());
  Value isEmpty = node.callHost("string_equal", {strings, none},
                                IntegerType::get(node.context(), 1));
  return Expr(node, isEmpty).emit<NotOp>();
}

static LogicalResult importNonZero(Node &node) {
  Expr x(node, node.in(0));
  if (x && isa<StringType>(x.element()))
    x = isFull(x);
  else if (x && isa<ComplexType>(x.element()))
    x = anyOf((Expr(node, node.partsOf(x)) == 0.0).emit<NotOp>());
  return node.result((x.rank() ? x : x.reshape({1})).emit<NonZeroOp>());
}

/// The places of the true elements of a vector.
static Expr placesOf(Expr holds) {
  return holds.emit<NonZeroOp>().squeeze({0});
}

/// Slices where a condition holds. The condition may be shorter than the axis.
static LogicalResult importCompress(Node &node) {
  Expr x(node, node.in(0)), condition(node, node.in(1));
  int64_t axis = 0;
  if (node.has("axis"))
    axis = node.axis(node.integer("axis", 0), x.rank());
  else
    x = x.reshape({-1});
  if (node.failed())
    return failure();
  // A longer condition says nothing.
  int64_t extent = x.dim(axis), length = condition.dim(0);
  if (extent == 0 || (extent > 0 && length > extent))
    condition = condition.slice(0, 0, extent);
  else if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(length))
    condition = condition & (condition.positions(0) < x.shape(axis, axis + 1));
  return node.result(x.gather(placesOf(condition), axis));
}

// -- Unique elements ----------------------------------------------------------

/// A stable order of a vector: its elements and their places. Equal elements
/// stay in order, NaN is the greatest.
static std::pair<Expr, Expr> sort(Expr x) {
  Node &node = x.builder();
  // The comparison of booleans is that of small integers.
  bool isBool = x && x.element().isInteger(1);
  Expr keys = isBool ? x.cast(IntegerType::get(node.context(), 32)) : x;
  Expr size = keys.shape();
  Operation *op = keys && size ? node.emitOp(TopKOp::getOperationName(),
                                             {keys, size}, node.i64("axis", 0))
                               : nullptr;
  if (!op)
    return {{node, Value()}, {node, Value()}};
  Expr sorted(node, op->getResult(0));
  return {isBool ? sorted.cast(x.element()) : sorted, {node, op->getResult(1)}};
}

/// The inverse of a permutation.
static Expr inverse(Expr permutation) {
  Node &node = permutation.builder();
  return permutation.emit<ScatterElementsOp>(
      {permutation, permutation.positions(0)},
      {{"kind", ScatterKindAttr::get(node.context(), ScatterKind::None)},
       node.i64("axis", 0)});
}

/// The order of rows by their first column, then the second and so on: sorted
/// by the last one first.
static Expr orderOfRows(Expr rows) {
  Expr order = rows.positions(0);
  for (int64_t column = rows.dim(1); column-- > 0 && order;) {
    Expr keys = rows.slice(1, column, column + 1).squeeze({1}).gather(order, 0);
    order = order.gather(sort(keys).second, 0);
  }
  return order;
}

/// Whether each row differs from the one before it; NaN is equal to NaN.
static Expr isFirst(Expr rows) {
  Expr at = rows.positions(0);
  Expr before = rows.gather(maximum(at - 1, 0), 0);
  Expr differs = (rows == before).emit<NotOp>();
  if (differs && isa<FloatType>(rows.element()))
    differs =
        differs & (rows.emit<IsNaNOp>() & before.emit<IsNaNOp>()).emit<NotOp>();
  if (rows.rank() == 2)
    differs = anyOf(differs);
  return differs | (at == 0);
}

static LogicalResult importUnique(Node &node) {
  Expr x(node, node.in(0)), rows = x.reshape({-1});
  Type i64 = IntegerType::get(node.context(), 64);
  int64_t axis = 0;
  bool hasAxis = node.has("axis"), isSorted = node.flag("sorted", true);
  if (hasAxis) {
    axis = node.axis(node.integer("axis", 0), x.rank());
    if (node.failed())
      return failure();
    SmallVector<int64_t> permutation{axis};
    for (int64_t i = 0; i < x.rank(); ++i)
      if (i != axis)
        permutation.push_back(i);
    rows = x.transpose(permutation);
    if (x.rank() > 1) {
      int64_t width = 1;
      for (int64_t extent : Node::dims(rows).drop_front())
        width = ShapedType::isDynamic(extent) ? -1 : width * extent;
      // Each column is sorted by.
      if (width < 0 || width > 64)
        return node.fail("slices of more than 64 elements, or of a size that "
                         "is not known, cannot be ordered");
      rows = rows.reshape({0, width});
    }
  } else {
    x = rows;
  }
  if (rows && isa<StringType>(rows.element()))
    rows = {node, node.callHost("string_rank", Value(rows), i64)};
  if (rows && isa<ComplexType>(rows.element()))
    rows = Expr(node, node.partsOf(rows))
               .reshape({0, 2 * (rows.rank() == 1 ? 1 : rows.dim(1))});
  Expr order = rows.rank() == 1 ? sort(rows).second : orderOfRows(rows);
  Expr first = isFirst(rows.gather(order, 0));
  // Each group of equal rows: where it starts in the order, and the number of
  // the group for each row.
  Attr sum{"kind", ReduceKindAttr::get(node.context(), ReduceKind::Sum)};
  Expr starts = placesOf(first);
  Expr group = first.cast(i64).emit<ScanOp>({}, {sum, node.i64("axis", 0)}) - 1;
  Expr groups = group.gather(inverse(order), 0);
  Expr next = starts.positions(0) + 1;
  Expr count = starts.shape(0, 1), size = order.shape(0, 1);
  Expr ends =
      where(next < count, starts.gather(minimum(next, count - 1), 0), size);
  Expr counts = ends - starts, indices = order.gather(starts, 0);
  if (!isSorted) {
    Expr byPlace = sort(indices).second;
    indices = indices.gather(byPlace, 0);
    counts = counts.gather(byPlace, 0);
    groups = inverse(byPlace).gather(groups, 0);
  }
  Expr results[] = {x.gather(indices, axis), indices, groups, counts};
  for (auto [i, result] : llvm::enumerate(results))
    if (node.wantsOutput(i) && failed(node.result(result, i)))
      return failure();
  return success();
}

// -- Boxes --------------------------------------------------------------------

/// The top, left, bottom and right edges of boxes, along axis 1.
static Expr edgesOf(Expr boxes, bool isCentered) {
  auto column = [&](int64_t i) { return boxes.slice(2, i, i + 1); };
  Expr a = column(0), b = column(1), c = column(2), d = column(3);
  if (isCentered) { // x, y, width, height
    Expr width = c / 2, height = d / 2;
    return concat({b - height, a - width, b + height, a + width}, 2)
        .transpose({0, 2, 1});
  }
  return concat({minimum(a, c), minimum(b, d), maximum(a, c), maximum(b, d)}, 2)
      .transpose({0, 2, 1});
}

/// `max_output_boxes_per_class`, and what it limits results to if that is less
/// than the number of boxes may be.
static LogicalResult mostOf(Node &node, int64_t boxes, Expr &most,
                            std::optional<int64_t> &limit) {
  // Nothing is chosen unless it is asked for.
  if (!node.in(2)) {
    limit = 0;
    most = {node, node.shape({0})};
  } else {
    most = {node, node.in(2)};
    if (auto numbers = constantInts(most); numbers && numbers->size() == 1)
      limit = std::max<int64_t>(numbers->front(), 0);
  }
  constexpr int64_t kMostOfOpen = 1 << 16;
  if (limit && (boxes >= 0 ? *limit >= boxes : *limit > kMostOfOpen))
    limit.reset();
  most = most.reshape(ArrayRef<int64_t>());
  return success(bool(most));
}

static LogicalResult importNonMaxSuppression(Node &node) {
  Expr corners(node, node.in(0)), scores(node, node.in(1));
  if (corners.rank() != 3 || scores.rank() != 3)
    return node.fail("boxes and scores need 3 axes each");
  if (!ShapedType::isDynamic(corners.dim(2)) && corners.dim(2) != 4)
    return node.fail("a box is 4 numbers, not " + Twine(corners.dim(2)));
  int64_t centre = node.integer("center_point_box", 0);
  if (centre != 0 && centre != 1)
    return node.fail("'center_point_box' is 0 or 1, not " + Twine(centre));
  Expr most(node, {});
  std::optional<int64_t> limit;
  if (failed(mostOf(node, scores.dim(2), most, limit)))
    return failure();
  auto number = [&](unsigned input) -> Expr {
    return node.in(input)
               ? Expr(node, node.in(input)).reshape(ArrayRef<int64_t>())
               : scores.like(0);
  };
  if (node.in(4))
    scores = where(scores > number(4), scores, scores.like(std::nan("")));
  SmallVector<Attr> attributes;
  if (limit)
    attributes.push_back(node.i64("limit", *limit));
  Expr edges = edgesOf(corners, centre == 1), threshold = number(3);
  if (!edges || !threshold || !scores)
    return failure();
  Operation *op = node.emitOp(NonMaxSuppressionOp::getOperationName(),
                              {edges, scores, most, threshold}, attributes);
  if (!op)
    return failure();
  Expr indices(node, op->getResult(0)), counts(node, op->getResult(1));
  Expr isChosen = indices.positions(2) < counts.unsqueeze({2});
  Expr found = isChosen.emit<NonZeroOp>().transpose({1, 0});
  Expr box = indices.emit<GatherNDOp>({found}, node.i64("batch_dims", 0));
  return node.result(concat({found.slice(1, 0, 2), box.unsqueeze({1})}, 1));
}

void onnx::addSelectOps(OpTable &table) {
  table.add("Compress", 9, 2, importCompress);
  table.add("NonMaxSuppression", 10, {2, 5}, importNonMaxSuppression);
  table.add("NonZero", 9, 1, importNonZero).exports<NonZeroOp>();
  table.add("Unique", 11, 1, importUnique);
}
