//===- BoundReductions.cpp - what combines elements of bounded axes -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Rules.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

static bool isAnyOpen(ArrayRef<BoundedDim> dims, ArrayRef<int64_t> axes) {
  return llvm::any_of(axes,
                      [&](int64_t axis) { return !dims[axis].isStatic(); });
}

Value glow::lowestOrHighest(GraphBuilder b, Type type, bool highest) {
  DenseElementsAttr value;
  auto scalarType = RankedTensorType::get({}, type);
  if (auto floatType = dyn_cast<FloatType>(type)) {
    const llvm::fltSemantics &semantics = floatType.getFloatSemantics();
    bool hasInfinity = APFloat::semanticsHasInf(semantics);
    value = DenseElementsAttr::get(
        scalarType, hasInfinity ? APFloat::getInf(semantics, !highest)
                                : APFloat::getLargest(semantics, !highest));
  } else {
    unsigned width = type.getIntOrFloatBitWidth();
    bool isUnsigned = type.isUnsignedInteger() || width == 1;
    value = DenseElementsAttr::get(
        scalarType, highest      ? isUnsigned ? APInt::getMaxValue(width)
                                              : APInt::getSignedMaxValue(width)
                    : isUnsigned ? APInt::getMinValue(width)
                                 : APInt::getSignedMinValue(width));
  }
  return b.create<ConstantOp>(scalarType, cast<ElementsAttr>(value));
}

/// What does not change a reduction.
static Value neutral(GraphBuilder b, ReduceKind kind, Type type) {
  switch (kind) {
  case ReduceKind::Sum:
  case ReduceKind::Mean:
    return b.scalar(0.0, type);
  case ReduceKind::Prod:
    return b.scalar(1.0, type);
  case ReduceKind::Max:
    return lowestOrHighest(b, type, false);
  case ReduceKind::Min:
    return lowestOrHighest(b, type, true);
  }
  llvm_unreachable("every kind is listed");
}

/// The extents that are left when `axes` are reduced.
static BoundedDims reducedDims(ArrayRef<BoundedDim> dims,
                               ArrayRef<int64_t> axes, bool keep) {
  BoundedDims result;
  for (auto [axis, dim] : llvm::enumerate(dims))
    if (!llvm::is_contained(axes, static_cast<int64_t>(axis)))
      result.push_back(dim);
    else if (keep)
      result.push_back(BoundedDim());
  return result;
}

/// sum / number of valid elements. Of half precision, the sum alone might be
/// too large.
static LogicalResult boundMean(ReduceOp op, BoundedGraph &graph, Value input,
                               const BoundedDims &result) {
  AffineExpr count = graph.number(1);
  for (int64_t axis : op.getAxes())
    count = count * graph.extent(op.getInput(), axis);
  Value divisor = graph.scalar(count);
  GraphBuilder b = graph.before(op);
  Type type = elementType(input), wide = b.accumulatorType(type);
  Value sum = b.create<ReduceOp>(ReduceKind::Sum, b.castTo(input, wide),
                                 op.getAxes(), op.getKeepDims());
  Value mean = b.create<DivOp>(sum, b.castTo(divisor, wide));
  return graph.replace(op, b.castTo(mean, type), result);
}

/// Reduces the axes that were merged one by one: what is behind the extent of
/// each can be left out.
static LogicalResult reduceSplit(ReduceOp op, BoundedGraph &graph,
                                 const BoundedDims &result) {
  BoundedDims split;
  SmallVector<int64_t> axes;
  for (auto [axis, dim] : llvm::enumerate(graph.dims(op.getInput()))) {
    size_t first = split.size();
    bool isReduced =
        llvm::is_contained(op.getAxes(), static_cast<int64_t>(axis));
    if (isReduced && !dim.isPrefix())
      split.append(dim.factors().begin(), dim.factors().end());
    else
      split.push_back(dim);
    if (isReduced)
      llvm::append_range(axes, llvm::seq<int64_t>(first, split.size()));
  }
  GraphBuilder b = graph.before(op);
  Value whole = reshapeTo(b, graph, op.getInput(), split);
  Value reduced = b.create<ReduceOp>(op.getKind(), whole, axes,
                                     /*keep_dims=*/false);
  Operation *inside = reduced.getDefiningOp();
  Value value = b.create<ReshapeOp>(reduced, b.ints(graph.bounds(result)),
                                    /*allow_zero=*/true);
  if (failed(graph.bound(inside)))
    return failure();
  return graph.replace(op, value, result);
}

LogicalResult glow::boundThis(ReduceOp op, BoundedGraph &graph) {
  BoundedDims dims = graph.dims(op.getInput());
  ArrayRef<int64_t> axes = op.getAxes();
  BoundedDims result = reducedDims(dims, axes, op.getKeepDims());
  if (llvm::any_of(axes, [&](int64_t axis) { return !dims[axis].isPrefix(); }))
    return reduceSplit(op, graph, result);
  if (isAnyOpen(dims, axes)) {
    Type type = elementType(op.getInput());
    Value input = graph.mask(op, op.getInput(), axes,
                             neutral(graph.before(op), op.getKind(), type));
    if (op.getKind() == ReduceKind::Mean)
      return boundMean(op, graph, input, result);
    op.getInputMutable().set(input);
  }
  graph.set(op.getResult(), result);
  return success();
}

LogicalResult glow::boundThis(SoftmaxOp op, BoundedGraph &graph) {
  BoundedDims dims = graph.dims(op.getInput());
  int64_t axis = op.getAxis();
  if (!dims[axis].isStatic()) {
    Value lowest =
        lowestOrHighest(graph.before(op), elementType(op.getInput()), false);
    op.getInputMutable().set(graph.mask(op, op.getInput(), axis, lowest));
    // Of nothing but padding there is no sum to divide by.
    auto range = graph.range(graph.extent(op.getInput(), axis));
    if (!op.getLog() && range && range->lower >= 1)
      graph.setZero(op.getResult(), axis);
  }
  graph.set(op.getResult(), dims);
  return success();
}

/// Scale and bias, which broadcast to the input, are parallel too.
LogicalResult glow::boundThis(LayerNormOp op, BoundedGraph &graph) {
  BoundedDims dims = graph.dims(op.getInput());
  for (Value parameter : {Value(op.getScale()), Value(op.getBias())}) {
    if (!parameter)
      continue;
    auto common = graph.broadcast(op, dims, graph.dims(parameter));
    if (failed(common))
      return failure();
    if (graph.bounds(*common) != graph.bounds(dims))
      return graph.fail(op, "its scale and bias must not widen its input");
  }
  auto axes = llvm::to_vector(
      llvm::seq<int64_t>(op.getAxis(), static_cast<int64_t>(dims.size())));
  if (isAnyOpen(dims, axes))
    return graph.boundParts(cast<DecomposeOpInterface>(op.getOperation()));
  graph.set(op.getResult(), dims);
  return success();
}

/// All operands but the first have one element per channel of the first.
static LogicalResult meetChannels(Operation *op, BoundedGraph &graph) {
  BoundedDims dims = graph.dims(op->getOperand(0));
  for (Value parameter : op->getOperands().drop_front())
    if (failed(graph.meet(op, dims[1], graph.dims(parameter).front())))
      return failure();
  return success();
}

/// Spells a reshape of images with the batch that it keeps as 0. A bound is a
/// number there, which tells the decomposition less.
static void keepBatch(GroupNormOp op, BoundedGraph &graph) {
  auto reshape = op.getInput().getDefiningOp<ReshapeOp>();
  BoundedDims dims = graph.dims(op.getInput());
  if (!reshape || dims.size() != 3 ||
      graph.dims(reshape.getInput()).front() != dims.front() ||
      dimsOf(reshape.getInput()).front() != dimsOf(op.getInput()).front())
    return;
  GraphBuilder b = graph.before(op);
  int64_t channels = dimsOf(op.getInput())[1];
  Value kept = b.reshape(reshape.getInput(), {0, channels, -1});
  if (kept.getType() != op.getInput().getType())
    return;
  graph.set(kept, dims);
  op.getInputMutable().assign(kept);
}

LogicalResult glow::boundThis(GroupNormOp op, BoundedGraph &graph) {
  if (failed(meetChannels(op, graph)))
    return failure();
  keepBatch(op, graph);
  return graph.boundParts(cast<DecomposeOpInterface>(op.getOperation()));
}

LogicalResult glow::boundThis(BatchNormOp op, BoundedGraph &graph) {
  if (failed(meetChannels(op, graph)))
    return failure();
  BoundedDims dims = graph.dims(op.getInput());
  if (isAnyOpen(dims, 1))
    return graph.fail(op, "its channels have to be known");
  graph.set(op.getResult(), dims);
  return success();
}

/// Scales and zero points are scalars or one per channel.
template <typename Op>
static LogicalResult boundScaled(Op op, BoundedGraph &graph) {
  BoundedDims input = graph.dims(op.getInput());
  for (Value parameter : {Value(op.getScale()), Value(op.getZeroPoint())}) {
    if (!parameter)
      continue;
    BoundedDims own = graph.dims(parameter);
    if (own.size() == 1 && own.size() < input.size())
      own.resize(input.size() - op.getAxis());
    if (failed(graph.broadcast(op, input, own)))
      return failure();
  }
  if (graph.isBounded(op.getScale()) || graph.isBounded(op.getZeroPoint()))
    return graph.fail(op, "the number of its scales has to be known");
  graph.set(op.getResult(), input);
  return success();
}
LogicalResult glow::boundThis(QuantizeOp op, BoundedGraph &graph) {
  return boundScaled(op, graph);
}
LogicalResult glow::boundThis(DequantizeOp op, BoundedGraph &graph) {
  return boundScaled(op, graph);
}

LogicalResult glow::boundThis(ArgReduceOp op, BoundedGraph &graph) {
  GraphBuilder b = graph.before(op);
  op.getInputMutable().set(makePrefixes(b, graph, op.getInput()));
  BoundedDims dims = graph.dims(op.getInput());
  int64_t axis = op.getAxis();
  stopAtExtent(op, graph, dims[axis]);
  graph.set(op.getResult(), reducedDims(dims, axis, op.getKeepDims()));
  return success();
}

LogicalResult glow::boundThis(ScanOp op, BoundedGraph &graph) {
  BoundedDims dims = graph.dims(op.getInput());
  int64_t axis = op.getAxis();
  // Running forward over a prefix, padding comes last.
  if (dims[axis].isPrefix() && op.getReverse())
    stopAtExtent(op, graph, dims[axis]);
  else if (!dims[axis].isPrefix())
    op.getInputMutable().set(graph.mask(
        op, op.getInput(), axis,
        neutral(graph.before(op), op.getKind(), elementType(op.getInput()))));
  graph.set(op.getResult(), dims);
  return success();
}

/// The most that the integers of a tensor can be, as far as the graph tells: a
/// count of candidates is often the less of a constant and a computed one.
static int64_t mostOf(Value value, BoundedGraph &graph) {
  constexpr int64_t kUnknown = std::numeric_limits<int64_t>::max();
  auto mostOfElements = [&](Value list, int64_t start, auto combine) {
    ShapeInts elements = graph.elements(list);
    if (!elements || elements->empty())
      return kUnknown;
    for (AffineExpr element : *elements) {
      auto range = element ? graph.range(element) : std::nullopt;
      start = combine(start, range ? range->upper : kUnknown);
    }
    return start;
  };
  auto least = [](int64_t a, int64_t b) { return std::min(a, b); };
  auto greatest = [](int64_t a, int64_t b) { return std::max(a, b); };
  if (int64_t known =
          mostOfElements(value, std::numeric_limits<int64_t>::min(), greatest);
      known != kUnknown)
    return known;
  Operation *op = value.getDefiningOp();
  if (auto reduce = dyn_cast_or_null<ReduceOp>(op);
      reduce && reduce.getKind() == ReduceKind::Min &&
      !reduce.getAxes().empty())
    return mostOfElements(reduce.getInput(), kUnknown, least);
  if (auto minimum = dyn_cast_or_null<MinimumOp>(op))
    return std::min(mostOf(minimum.getLhs(), graph),
                    mostOf(minimum.getRhs(), graph));
  if (isa_and_nonnull<ReshapeOp, SqueezeOp, UnsqueezeOp, ExpandOp>(op))
    return mostOf(op->getOperand(0), graph);
  return kUnknown;
}

/// The number of results as an extent. If it is data, there are at most as many
/// as the axis has.
static AffineExpr numberOfResults(TopKOp op, BoundedGraph &graph,
                                  const BoundedDim &dim) {
  AffineExpr count = graph.element(op.getK());
  if (!count) {
    Value extent = graph.scalar(dim.extent(graph.context()));
    GraphBuilder b = graph.before(op);
    Type type = b.builder.getI64Type();
    // The only element, or, where the extent of `k` is open, the first.
    Value k = b.create<GatherOp>(op.getK(), b.scalar(0, type), /*axis=*/0);
    k = b.create<ClampOp>(k, b.scalar(0, type), extent);
    int64_t most = std::max<int64_t>(0, mostOf(op.getK(), graph));
    return graph.addSymbol(k, std::min(graph.bound(dim), most));
  }
  AffineExpr left = simplifySum(dim.extent(graph.context()) - count);
  auto range = graph.range(left);
  return range && range->lower >= 0 ? count : AffineExpr();
}

LogicalResult glow::boundThis(TopKOp op, BoundedGraph &graph) {
  GraphBuilder b = graph.before(op);
  op.getInputMutable().set(makePrefixes(b, graph, op.getInput()));
  BoundedDims dims = graph.dims(op.getInput());
  int64_t axis = op.getAxis();
  AffineExpr count = numberOfResults(op, graph, dims[axis]);
  if (!count)
    return graph.fail(op, "it may want more elements than there are");
  stopAtExtent(op, graph, dims[axis]);
  dims[axis] = BoundedDim(count);
  op.getKMutable().set(b.ints(graph.bound(dims[axis])));
  graph.set(op.getValues(), dims);
  graph.set(op.getIndices(), dims);
  return success();
}

/// Each operand but the input has extents that follow from the others.
static LogicalResult meetStates(RecurrentOp op, BoundedGraph &graph,
                                const BoundedDim &batch) {
  auto number = [&](int64_t value) { return BoundedDim(graph.number(value)); };
  ArrayRef<int64_t> weights = dimsOf(op.getWeights());
  int64_t size = op.getHiddenSize();
  BoundedDims state{number(weights[0]), batch, number(size)};
  std::pair<Value, BoundedDims> wanted[] = {
      {op.getBias(), {state[0], number(2 * weights[1])}},
      {op.getSequenceLengths(), {batch}},
      {op.getInitialH(), state},
      {op.getInitialC(), state},
      {op.getPeepholes(), {state[0], number(3 * size)}}};
  for (auto &[operand, dims] : wanted)
    if (operand)
      for (auto [own, dim] : llvm::zip_equal(graph.dims(operand), dims))
        if (failed(graph.meet(op, own, dim)))
          return failure();
  return success();
}

/// Sequences are as long as the run-time extent says; batches are parallel.
LogicalResult glow::boundThis(RecurrentOp op, BoundedGraph &graph) {
  BoundedDims input = graph.dims(op.getInput());
  if (!input[2].isStatic() || graph.isBounded(op.getWeights()) ||
      graph.isBounded(op.getRecurrence()) || !input[0].isPrefix())
    return graph.fail(op, "its input size and weights have to be known");
  if (failed(meetStates(op, graph, input[1])))
    return failure();
  if (!input[0].isStatic())
    op.getStepsMutable().assign(graph.scalar(input[0].extent(graph.context())));
  if (!input[0].isStatic() || !input[1].isStatic())
    op.setExtents(AffineMap::get(
        0, graph.symbols().size(),
        {input[0].extent(graph.context()), input[1].extent(graph.context())},
        graph.context()));
  BoundedDim directions(graph.number(dimsOf(op.getWeights())[0]));
  BoundedDim size(graph.number(op.getHiddenSize()));
  graph.set(op.getHidden(), {input[0], directions, input[1], size});
  graph.set(op.getLastHidden(), {directions, input[1], size});
  graph.set(op.getLastCell(), {directions, input[1], size});
  return success();
}
