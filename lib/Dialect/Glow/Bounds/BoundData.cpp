//===- BoundData.cpp - extents that depend on data ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many elements there are is computed when the model runs, and is a symbol
// from there on.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"

using namespace mlir;
using namespace mlir::glow;

/// Every axis of a value.
static SmallVector<int64_t> allAxes(ArrayRef<BoundedDim> dims) {
  return llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(dims.size())));
}

/// The places of a vector's true elements, followed by those of the others: a
/// stable partition, each place being where a running count says. `count` is
/// the number of the former. Only the first `valid` elements are looked at, if
/// that is given.
static Value placesOfTrue(GraphBuilder &b, BoundedGraph &graph, Value holds,
                          Value valid, AffineExpr &count) {
  int64_t size = dimsOf(holds)[0];
  Type type = b.builder.getI64Type();
  Value ones = b.castTo(holds, type), at = graph.positions(b, size, 0, 1);
  Value upTo = b.create<ScanOp>(ReduceKind::Sum, ones, valid, /*axis=*/0,
                                /*exclusive=*/false, /*reverse=*/false);
  Value counted = ones;
  if (valid)
    counted =
        b.create<WhereOp>(b.create<LessOp>(at, valid), ones, b.scalar(0, type));
  Value number =
      b.create<ReduceOp>(ReduceKind::Sum, counted, ArrayRef<int64_t>(0),
                         /*keep_dims=*/false);
  count = graph.addSymbol(number, size);
  Value behind = b.add(number, b.sub(at, upTo));
  Value places =
      b.create<WhereOp>(holds, b.sub(upTo, b.scalar(1, type)), behind);
  return b.create<ScatterElementsOp>(ScatterKind::None, at, places, at, valid,
                                     /*axis=*/0);
}

void BoundedGraph::addValues(BlockArgument argument, ExtentRange range,
                             StringRef name) {
  auto type = cast<RankedTensorType>(argument.getType());
  if (!type.hasStaticShape())
    return;
  // Behind the first anchor.
  GraphBuilder b = before(&*std::next(argument.getOwner()->begin()));
  Value list = b.castTo(argument, b.builder.getI64Type());
  // Each has an op of its own, behind which its symbol is known.
  if (type.getRank() == 0)
    list = b.unsqueeze(list, 0);
  SmallVector<Value> scalars;
  for (int64_t i = 0, e = dimsOf(list)[0]; i < e; ++i)
    scalars.push_back(
        b.reshape(b.slice(list, 0, i, i + 1), ArrayRef<int64_t>()));
  SmallVector<AffineExpr> elements;
  for (Value scalar : scalars)
    elements.push_back(addSymbol(scalar, range.upper, range.lower, name));
  integers[argument] = elements;
}

void BoundedGraph::addCheck(BlockArgument argument, DenseElementsAttr values,
                            StringRef name) {
  if (values.getNumElements() == 0)
    return;
  GraphBuilder b = before(&*std::next(argument.getOwner()->begin()));
  Value wanted = b.create<ConstantOp>(values.getType(), values);
  Value isEqual =
      b.castTo(b.create<EqualOp>(argument, wanted), b.builder.getI64Type());
  if (values.getType().getRank() == 0)
    isEqual = b.unsqueeze(isEqual, 0);
  auto axes = llvm::to_vector(llvm::seq<int64_t>(0, dimsOf(isEqual).size()));
  Value all = b.create<ReduceOp>(ReduceKind::Min, isEqual, axes,
                                 /*keep_dims=*/false);
  addSymbol(all, /*upper=*/1, /*lower=*/1,
            ("values of " + name + " as compiled ").str());
}

/// Whether an extent is computed from data.
static bool isComputed(const BoundedDim &dim, BoundedGraph &graph) {
  unsigned symbols = graph.symbols().size(),
           given = symbols - graph.computedSymbols().size();
  AffineExpr extent = dim.extent(graph.context());
  return llvm::any_of(llvm::seq(given, symbols), [&](unsigned symbol) {
    return extent.isFunctionOfSymbol(symbol);
  });
}

/// Meets the number of boxes with that of scores. Of two that are computed, as
/// by masks that are equal, a run has to tell.
static LogicalResult meetBoxes(NonMaxSuppressionOp op, BoundedGraph &graph) {
  BoundedDim scores = graph.dims(op.getScores())[2],
             boxes = graph.dims(op.getBoxes())[2];
  if (scores == boxes || !isComputed(scores, graph) ||
      !isComputed(boxes, graph))
    return graph.meet(op, scores, boxes);
  GraphBuilder b = graph.before(op);
  auto extentOf = [&](const BoundedDim &dim) {
    return graph.scalar(dim.extent(graph.context()));
  };
  Value differ =
      b.create<NotOp>(b.create<EqualOp>(extentOf(scores), extentOf(boxes)));
  op.getMostMutable().set(b.create<RequireOp>(
      op.getMost(), differ, "there are not as many boxes as scores"));
  graph.set(op.getMost(), {});
  int64_t bound = std::min(graph.bound(scores), graph.bound(boxes));
  for (OpOperand *operand : {&op.getBoxesMutable(), &op.getScoresMutable()}) {
    BoundedDims dims = graph.dims(operand->get());
    if (graph.bound(dims[2]) == bound)
      continue;
    operand->set(b.create<SliceOp>(operand->get(), b.ints(0), b.ints(bound),
                                   b.ints(1), ArrayRef<int64_t>(2)));
    // Whichever has the lower bound says how many there are.
    dims[2] = graph.bound(scores) == bound ? scores : boxes;
    graph.set(operand->get(), dims);
  }
  return success();
}

LogicalResult glow::boundThis(NonMaxSuppressionOp op, BoundedGraph &graph) {
  GraphBuilder b = graph.before(op);
  op.getBoxesMutable().set(makePrefixes(b, graph, op.getBoxes()));
  op.getScoresMutable().set(makePrefixes(b, graph, op.getScores()));
  if (failed(graph.meet(op, graph.dims(op.getScores())[0],
                        graph.dims(op.getBoxes())[0])) ||
      failed(meetBoxes(op, graph)))
    return failure();
  BoundedDims dims = graph.dims(op.getScores());
  // Boxes that are not there.
  if (!dims[2].isStatic())
    op.getScoresMutable().set(
        graph.mask(op, op.getScores(), 2,
                   b.scalar(std::nan(""), elementType(op.getScores()))));
  graph.set(op.getCounts(), BoundedDims{dims[0], dims[1]});
  if (auto limit = op.getLimit())
    dims[2] = BoundedDim(getAffineConstantExpr(*limit, graph.context()));
  graph.set(op.getIndices(), dims);
  return success();
}

LogicalResult glow::boundThis(NonZeroOp op, BoundedGraph &graph) {
  GraphBuilder b = graph.before(op);
  Value input = makePrefixes(b, graph, op.getInput());
  BoundedDims dims = graph.dims(input);
  Dims bounds = graph.bounds(dims);
  int64_t rank = dims.size(), size = 1;
  for (int64_t bound : bounds)
    size *= bound;
  Type i64 = b.builder.getI64Type();
  if (rank == 0 || size == 0) {
    Value none = b.create<SplatOp>(b.scalar(0, i64), b.ints({rank, 0}));
    return graph.replace(op, none, graph.dims(none));
  }
  Value holds = input;
  Type type = elementType(holds);
  if (!type.isInteger(1))
    holds = b.create<NotOp>(b.create<EqualOp>(holds, b.scalar(0.0, type)));
  // Of one axis valid elements are the first ones.
  bool isCounted = rank == 1 && !dims[0].isStatic();
  Value valid = isCounted ? Value() : graph.validity(dims, allAxes(dims));
  if (valid)
    holds = b.create<AndOp>(holds, valid);
  AffineExpr count;
  Value end =
      isCounted ? graph.scalar(dims[0].extent(graph.context())) : Value();
  Value places =
      placesOfTrue(b, graph, b.reshape(holds, ArrayRef(size)), end, count);
  // The digits of the places are the indices.
  SmallVector<Value> rows;
  int64_t inner = size;
  for (auto [axis, bound] : llvm::enumerate(bounds)) {
    inner /= bound;
    Value row = places;
    if (inner > 1)
      row = b.create<DivOp>(row, b.scalar(inner, i64));
    if (axis > 0)
      row = b.create<ModOp>(row, b.scalar(bound, i64));
    rows.push_back(b.unsqueeze(row, 0));
  }
  return graph.replace(op, b.concat(rows, 0),
                       {BoundedDim(graph.number(rank)), BoundedDim(count)});
}
