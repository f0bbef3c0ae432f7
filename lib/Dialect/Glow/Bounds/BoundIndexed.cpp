//===- BoundIndexed.cpp - elements at indices on bounded axes -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Indices that stand in padding may be anything; they become 0, which every
// back end can read. Negative ones count from the end of what is valid.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "glow/Interpreter/ConstantFolding.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::glow;

void glow::stopAtExtent(Operation *op, MutableOperandRange count,
                        BoundedGraph &graph, const BoundedDim &dim) {
  if (dim.isStatic())
    return;
  Value extent = graph.scalar(dim.extent(graph.context()));
  if (!count.empty())
    extent = graph.before(op).create<MinimumOp>(count[0].get(), extent);
  count.assign(extent);
}

/// Zeros for the indices that are padding, but not along a `counted` axis. What
/// repeats a constant does so there too.
static Value maskIndices(Operation *op, BoundedGraph &graph, Value indices,
                         std::optional<int64_t> counted = std::nullopt) {
  auto expand = indices.getDefiningOp<ExpandOp>();
  if (expand && matchPattern(expand.getInput(), m_Constant()))
    return indices;
  auto axes =
      llvm::to_vector(llvm::seq<int64_t>(0, graph.dims(indices).size()));
  llvm::erase_if(axes, [&](int64_t axis) { return axis == counted; });
  return graph.maskZero(op, indices, axes);
}

Value glow::placesOf(GraphBuilder &b, BoundedGraph &graph, Value numbers,
                     const BoundedDim &dim) {
  Type type = elementType(numbers);
  Value rest = numbers, place, zero = b.scalar(0, type);
  int64_t stride = 1;
  // The digits of the number, innermost first, each clamped: so it is known how
  // far along each axis elements are read.
  for (AffineExpr factor : llvm::reverse(dim.factors())) {
    Value extent = b.castTo(graph.scalar(factor), type);
    Value last = b.castTo(graph.scalar(simplifySum(factor - 1)), type);
    bool isOutermost =
        stride * graph.bound(BoundedDim(factor)) == graph.bound(dim);
    Value digit = isOutermost ? rest : b.create<ModOp>(rest, extent);
    digit = b.create<ClampOp>(digit, zero, last);
    Value part = b.mul(digit, b.scalar(stride, type));
    place = place ? b.add(place, part) : part;
    if (!isOutermost)
      rest = b.create<DivOp>(rest, extent);
    stride *= graph.bound(BoundedDim(factor));
  }
  // Digits of axes that have no elements are negative.
  return b.create<MaximumOp>(place, zero);
}

/// Indices into bounded axes as indices into their bounds. `addressed` are the
/// axes for each element of the last axis of `indices`, or the only one. If
/// they `grow`, the end that negative indices count from moves in any case.
static FailureOr<Value> indicesOfBounds(Operation *op, BoundedGraph &graph,
                                        Value indices,
                                        ArrayRef<BoundedDim> addressed,
                                        bool grow = false) {
  if (!grow && llvm::all_of(addressed, std::mem_fn(&BoundedDim::isStatic)))
    return indices;
  bool arePrefixes =
      llvm::all_of(addressed, std::mem_fn(&BoundedDim::isPrefix));
  if (!arePrefixes && addressed.size() > 1)
    return graph.fail(op, "it addresses merged axes by tuples");
  GraphBuilder b = graph.before(op);
  auto checked = indices.getDefiningOp<RequireOp>();
  auto known = constantInts(checked ? checked.getInput() : indices);
  Value result = indices;
  auto isBelowZero = [](int64_t index) { return index < 0; };
  if (!known || llvm::any_of(*known, isBelowZero)) {
    // Negative ones count from the end of what is valid.
    SmallVector<Value> parts;
    for (const BoundedDim &dim : addressed)
      parts.push_back(
          b.unsqueeze(graph.scalar(dim.extent(graph.context())), 0));
    Type type = elementType(indices);
    Value extents = b.castTo(b.concat(parts, 0), type);
    if (addressed.size() == 1)
      extents = b.create<SqueezeOp>(extents, ArrayRef<int64_t>(0));
    result = b.add(indices, extents);
    if (!known || !llvm::all_of(*known, isBelowZero))
      result = b.create<WhereOp>(b.create<LessOp>(indices, b.scalar(0, type)),
                                 result, indices);
  }
  if (!arePrefixes)
    result = placesOf(b, graph, result, addressed.front());
  graph.set(result, graph.dims(indices));
  return result;
}

/// Whether indices, for all values of the symbols, count the places of an axis
/// in order: then they only split it. PyTorch exports as_strided like this. Of
/// axes that are no prefix, an element's number is not its place.
static bool countPlaces(BoundedGraph &graph, Value indices,
                        const BoundedDim &axis) {
  SmallVector<AffineExpr> factors;
  for (const BoundedDim &dim : graph.dims(indices))
    llvm::append_range(factors, dim.factors());
  if (axis.isStatic() || !axis.isPrefix() || axis != BoundedDim(factors))
    return false;
  auto checked = indices.getDefiningOp<RequireOp>();
  auto value = evaluateConstant(checked ? checked.getInput() : indices);
  auto known = succeeded(value) ? constantInts(cast<ElementsAttr>(*value))
                                : std::nullopt;
  return known && llvm::equal(*known, llvm::seq<int64_t>(0, graph.bound(axis)));
}

LogicalResult glow::boundThis(GatherOp op, BoundedGraph &graph) {
  BoundedDims input = graph.dims(op.getInput()),
              places = graph.dims(op.getIndices());
  BoundedDims result(ArrayRef(input).take_front(op.getAxis()));
  llvm::append_range(result, places);
  llvm::append_range(result, ArrayRef(input).drop_front(op.getAxis() + 1));
  if (countPlaces(graph, op.getIndices(), input[op.getAxis()])) {
    GraphBuilder b = graph.before(op);
    return graph.replace(op, reshapeTo(b, graph, op.getInput(), result),
                         result);
  }
  auto indices =
      indicesOfBounds(op, graph, op.getIndices(), input[op.getAxis()]);
  if (failed(indices))
    return failure();
  op.getIndicesMutable().set(maskIndices(op, graph, *indices));
  Type type = elementType(op.getInput());
  if (graph.bound(input[op.getAxis()]) == 0 && !isOnlyMoved(type)) {
    // There are no indices either, but room for some.
    GraphBuilder b = graph.before(op);
    Value zeros =
        b.create<SplatOp>(b.scalar(0, type), b.ints(graph.bounds(result)));
    return graph.replace(op, zeros, result);
  }
  graph.set(op.getResult(), result);
  return success();
}

/// Axes of the input and the indices that are walked together, in a fixed
/// input perhaps not to their end.
static LogicalResult meetOthers(Operation *op, BoundedGraph &graph,
                                ArrayRef<BoundedDim> input,
                                ArrayRef<BoundedDim> places, int64_t axis,
                                bool mayEndBefore) {
  for (auto [i, dims] : llvm::enumerate(llvm::zip(input, places))) {
    auto [own, place] = dims;
    if (mayEndBefore && own.isStatic() &&
        graph.bound(place) <= graph.bound(own))
      continue;
    if (static_cast<int64_t>(i) != axis &&
        !(own.isStatic() && place.isStatic()) &&
        failed(graph.meet(op, own, place)))
      return failure();
  }
  return success();
}

LogicalResult glow::boundThis(GatherElementsOp op, BoundedGraph &graph) {
  BoundedDims input = graph.dims(op.getInput()),
              places = graph.dims(op.getIndices());
  if (failed(meetOthers(op, graph, input, places, op.getAxis(), true)))
    return failure();
  auto indices =
      indicesOfBounds(op, graph, op.getIndices(), input[op.getAxis()]);
  if (failed(indices))
    return failure();
  op.getIndicesMutable().set(maskIndices(op, graph, *indices));
  graph.set(op.getResult(), places);
  return success();
}

LogicalResult glow::boundThis(WalkTreesOp op, BoundedGraph &graph) {
  BoundedDims input = graph.dims(op.getInput());
  bool isKnown = input[1].isStatic();
  for (Value table : op->getOperands().drop_front())
    for (const BoundedDim &dim : graph.dims(table))
      isKnown &= dim.isStatic();
  if (!isKnown)
    return graph.fail(op, "it is not known how many features or trees it has");
  graph.set(op.getResult(), {input[0], graph.dims(op.getRoots())[0]});
  return success();
}

LogicalResult glow::boundThis(ScatterElementsOp op, BoundedGraph &graph) {
  GraphBuilder b = graph.before(op);
  int64_t axis = op.getAxis();
  for (OpOperand *operand : {&op.getIndicesMutable(), &op.getUpdatesMutable()})
    operand->set(makePrefix(b, graph, operand->get(), axis));
  BoundedDims input = graph.dims(op.getInput()),
              places = graph.dims(op.getIndices());
  if (failed(meetOthers(op, graph, input, places, axis, false)))
    return failure();
  // Each update has an index.
  for (auto [place, update] :
       llvm::zip_equal(places, graph.dims(op.getUpdates())))
    if (failed(graph.meet(op, place, update)))
      return failure();
  auto indices = indicesOfBounds(op, graph, op.getIndices(), input[axis]);
  if (failed(indices))
    return failure();
  // Padding along other axes scatters into padding.
  stopAtExtent(op, graph, places[axis]);
  op.getIndicesMutable().set(maskIndices(op, graph, *indices, axis));
  graph.set(op.getResult(), input);
  return success();
}

LogicalResult glow::boundThis(GatherNDOp op, BoundedGraph &graph) {
  BoundedDims input = graph.dims(op.getInput()),
              places = graph.dims(op.getIndices());
  int64_t batch = op.getBatchDims();
  if (!places.back().isStatic())
    return graph.fail(op,
                      "the number of axes that it addresses has to be known");
  int64_t count = dimsOf(op.getIndices()).back();
  for (int64_t i = 0; i < batch; ++i)
    if (failed(graph.meet(op, input[i], places[i])))
      return failure();
  auto indices = indicesOfBounds(op, graph, op.getIndices(),
                                 ArrayRef(input).slice(batch, count));
  if (failed(indices))
    return failure();
  op.getIndicesMutable().set(maskIndices(op, graph, *indices));
  BoundedDims result(ArrayRef(places).drop_back());
  llvm::append_range(result, ArrayRef(input).drop_front(batch + count));
  graph.set(op.getResult(), result);
  return success();
}

/// Tuples that are padding address one more place behind the first axis, where
/// a count does not tell them.
static LogicalResult scatterBounded(ScatterNDOp op, BoundedGraph &graph,
                                    Value indices) {
  BoundedDims input = graph.dims(op.getInput());
  int64_t extent = graph.bound(input[0]);
  SmallVector<int64_t> behind(dimsOf(indices).back(), 0),
      pads(2 * input.size(), 0);
  if (behind.empty())
    return graph.fail(op, "its updates have no place");
  behind[0] = extent;
  pads[input.size()] = 1;
  GraphBuilder b = graph.before(op);
  auto axes =
      llvm::to_vector(llvm::seq<int64_t>(0, graph.dims(indices).size() - 1));
  indices = graph.mask(op, indices, axes, b.ints(behind));
  Value whole =
      b.create<PadOp>(PadMode::Constant, op.getInput(), b.ints(pads), Value());
  whole = b.create<ScatterNDOp>(op.getKind(), whole, indices, op.getUpdates(),
                                /*count=*/Value());
  return graph.replace(op, b.slice(whole, 0, 0, extent), input);
}

/// The axes that are not addressed are parallel.
LogicalResult glow::boundThis(ScatterNDOp op, BoundedGraph &graph) {
  BoundedDims input = graph.dims(op.getInput()),
              tuples = graph.dims(op.getIndices()),
              updates = graph.dims(op.getUpdates());
  if (!tuples.back().isStatic())
    return graph.fail(op,
                      "the number of axes that it addresses has to be known");
  int64_t count = dimsOf(op.getIndices()).back();
  size_t places = tuples.size() - 1;
  // Each update has a place.
  for (auto [place, update] : llvm::zip(ArrayRef(tuples).drop_back(),
                                        ArrayRef(updates).take_front(places)))
    if (failed(graph.meet(op, place, update)))
      return failure();
  for (auto [own, update] : llvm::zip(ArrayRef(input).drop_front(count),
                                      ArrayRef(updates).drop_front(places)))
    if (failed(graph.meet(op, own, update)))
      return failure();
  bool isCounted = llvm::all_of(ArrayRef(tuples).drop_front(),
                                std::mem_fn(&BoundedDim::isStatic)) &&
                   tuples[0].isPrefix() && places > 0;
  auto indices = indicesOfBounds(op, graph, op.getIndices(),
                                 ArrayRef(input).take_front(count), !isCounted);
  if (failed(indices))
    return failure();
  if (!isCounted)
    return scatterBounded(op, graph, *indices);
  stopAtExtent(op, graph, tuples[0]);
  op.getIndicesMutable().set(*indices);
  graph.set(op.getResult(), input);
  return success();
}

/// Sequences are reversed up to their lengths, which are valid.
LogicalResult glow::boundThis(ReverseSequenceOp op, BoundedGraph &graph) {
  BoundedDims dims = graph.dims(op.getInput());
  if (!dims[op.getTimeAxis()].isPrefix())
    return graph.fail(op, "it counts places along merged axes");
  if (failed(graph.meet(op, dims[op.getBatchAxis()],
                        graph.dims(op.getLengths()).front())))
    return failure();
  op.getLengthsMutable().set(graph.maskZero(op, op.getLengths(), 0));
  graph.set(op.getResult(), dims);
  return success();
}

LogicalResult glow::boundThis(OneHotOp op, BoundedGraph &graph) {
  BoundedDims result = graph.dims(op.getIndices());
  AffineExpr depth = graph.element(op.getDepth());
  if (!depth)
    return graph.fail(op, "its depth has to be known");
  auto range = graph.range(depth);
  if (!range || range->lower < 0)
    return graph.fail(op, "its depth may be negative");
  // The values off and on.
  if (failed(graph.meet(op, graph.dims(op.getValues()).front(),
                        BoundedDim(graph.number(2)))))
    return failure();
  BoundedDim dim(depth);
  if (!dim.isStatic()) {
    // Indices count from the end of what is valid; those before the start go
    // behind the bound, where nothing is.
    GraphBuilder b = graph.before(op);
    Value indices = op.getIndices();
    Type type = elementType(indices);
    Value zero = b.scalar(0, type), end = b.castTo(graph.scalar(depth), type);
    Value bound = b.scalar(static_cast<double>(graph.bound(dim)), type);
    Value fromEnd = b.add(indices, end);
    fromEnd =
        b.create<WhereOp>(b.create<LessOp>(fromEnd, zero), bound, fromEnd);
    op.getIndicesMutable().set(
        b.create<WhereOp>(b.create<LessOp>(indices, zero), fromEnd, indices));
    op.getDepthMutable().set(b.ints(graph.bound(dim)));
    graph.set(op.getIndices(), graph.dims(indices));
  }
  result.insert(result.begin() + op.getAxis(), dim);
  graph.set(op.getResult(), result);
  return success();
}

Value glow::gatherValid(GraphBuilder &b, BoundedGraph &graph, Value input,
                        Value places, const BoundedDims &dims, int64_t axis) {
  graph.set(places, dims);
  Value result =
      b.create<GatherOp>(input, places, b.builder.getI64IntegerAttr(axis),
                         graph.givenExtents(dims));
  BoundedDims all = graph.dims(input);
  all.erase(all.begin() + axis);
  all.insert(all.begin() + axis, dims.begin(), dims.end());
  graph.set(result, all);
  return result;
}

Value glow::makePrefix(GraphBuilder &b, BoundedGraph &graph, Value value,
                       int64_t axis) {
  BoundedDim dim = graph.dims(value)[axis];
  if (dim.isPrefix())
    return value;
  BoundedDim merged(dim.extent(graph.context()));
  Value numbers =
      b.ints(llvm::to_vector(llvm::seq<int64_t>(0, graph.bound(merged))));
  return gatherValid(b, graph, value, placesOf(b, graph, numbers, dim),
                     {merged}, axis);
}

Value glow::makePrefixes(GraphBuilder &b, BoundedGraph &graph, Value value) {
  for (size_t axis = 0; axis < dimsOf(value).size(); ++axis)
    value = makePrefix(b, graph, value, axis);
  return value;
}
