//===- BoundJoins.cpp - tensors one after another, and padding ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What follows a bounded part starts where its valid elements end, which is
// known at run time only. Padding of the former is overwritten by the latter.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace mlir::glow;

/// Room behind a value along an axis. What stands there does not matter.
static Value extend(GraphBuilder &b, Value value, int64_t axis, int64_t count) {
  if (count == 0)
    return value;
  SmallVector<int64_t> pads(2 * dimsOf(value).size(), 0);
  pads[dimsOf(value).size() + axis] = count;
  return b.create<PadOp>(PadMode::Constant, value, b.ints(pads), Value());
}

/// Writes `next` into `whole` from place `offset` of an axis on.
static Value insertAt(GraphBuilder &b, BoundedGraph &graph, Value whole,
                      Value next, int64_t axis, AffineExpr offset) {
  ArrayRef<int64_t> shape = dimsOf(next);
  Value first = graph.scalar(offset);
  Value places =
      b.add(graph.positions(b, shape[axis], axis, shape.size()), first);
  places = b.create<ExpandOp>(places, b.ints(shape));
  return b.create<ScatterElementsOp>(ScatterKind::None, whole, places, next,
                                     /*count=*/Value(), axis);
}

/// Joins at most one slice: what each place holds follows from comparing it
/// with `offset`, which is element-wise. Places behind the new one become
/// zeros, so that a product along the axis needs no mask.
static Value appendSingle(GraphBuilder &b, BoundedGraph &graph, Value former,
                          Value next, int64_t axis, AffineExpr offset) {
  int64_t count = dimsOf(former)[axis], rank = dimsOf(former).size();
  Value zero = b.scalar(0.0, elementType(next));
  Value end = graph.scalar(simplifySum(offset + graph.extent(next, axis)));
  auto valid = [&](Value places, Value values) {
    return b.create<WhereOp>(b.create<LessOp>(places, end), values, zero);
  };
  Value places = graph.positions(b, count, axis, rank);
  Value isFormer = b.create<LessOp>(places, graph.scalar(offset));
  Value head = valid(places, b.create<WhereOp>(isFormer, former, next));
  Value tail = valid(b.scalar(count, b.builder.getI64Type()), next);
  return b.concat({head, tail}, axis);
}

/// Joins slices: both values are joined with the padding in between, over which
/// the later ones are then moved.
static Value appendMoved(GraphBuilder &b, BoundedGraph &graph, Value former,
                         Value next, int64_t axis, AffineExpr offset) {
  int64_t bound = dimsOf(former)[axis], count = dimsOf(next)[axis];
  Type type = b.builder.getI64Type();
  Value place = graph.positions(b, bound + count, 0, 1);
  Value isFormer = b.create<LessOp>(place, graph.scalar(offset));
  Value over = graph.scalar(simplifySum(graph.number(bound) - offset));
  Value moved = b.create<MinimumOp>(b.add(place, over),
                                    b.scalar(bound + count - 1, type));
  BoundedDim joined(simplifySum(offset + graph.extent(next, axis)));
  return gatherValid(b, graph, b.concat({former, next}, axis),
                     b.create<WhereOp>(isFormer, place, moved), {joined}, axis);
}

/// Joins two values along an axis; the former is a bounded prefix.
static Value append(GraphBuilder &b, BoundedGraph &graph, Value former,
                    AffineExpr formerExtent, Value next, int64_t axis) {
  int64_t count = dimsOf(next)[axis];
  if (count == 0)
    return former;
  if (isa<AffineConstantExpr>(formerExtent))
    return b.concat({former, next}, axis);
  // What is only moved is not chosen.
  if (count == 1 && !isOnlyMoved(elementType(next)))
    return appendSingle(b, graph, former, next, axis, formerExtent);
  // In a cache that is much longer than what is added only that is written.
  constexpr int64_t kLong = 16;
  if (graph.dims(next)[axis].isStatic() || dimsOf(former)[axis] < kLong * count)
    return appendMoved(b, graph, former, next, axis, formerExtent);
  Value whole = extend(b, former, axis, count);
  return insertAt(b, graph, whole, next, axis, formerExtent);
}

/// The common extents of the inputs along all other axes.
static FailureOr<BoundedDims> commonDims(ConcatOp op, BoundedGraph &graph) {
  BoundedDims result = graph.dims(op.getInputs().front());
  for (Value input : op.getInputs().drop_front())
    for (auto [axis, dim] : llvm::enumerate(graph.dims(input)))
      if (axis != op.getAxis() && failed(graph.meet(op, result[axis], dim)))
        return failure();
  return result;
}

LogicalResult glow::boundThis(ConcatOp op, BoundedGraph &graph) {
  int64_t axis = op.getAxis();
  GraphBuilder b = graph.before(op);
  if (llvm::any_of(op.getInputs(), [&](Value input) {
        return !graph.dims(input)[axis].isPrefix();
      }))
    for (OpOperand &input : op->getOpOperands())
      input.set(makePrefixes(b, graph, input.get()));
  auto result = commonDims(op, graph);
  if (failed(result))
    return failure();
  AffineExpr total = graph.number(0);
  bool isPlain = true; // no valid element stands behind padding
  for (Value input : op.getInputs()) {
    BoundedDim dim = graph.dims(input)[axis];
    isPlain &= isa<AffineConstantExpr>(total);
    total = simplifySum(total + dim.extent(graph.context()));
  }
  (*result)[axis] = BoundedDim(total);
  if (isPlain) {
    graph.set(op.getResult(), *result);
    return success();
  }
  Value whole = op.getInputs().front();
  AffineExpr extent = graph.extent(whole, axis);
  for (Value input : op.getInputs().drop_front()) {
    whole = append(b, graph, whole, extent, input, axis);
    extent = simplifySum(extent + graph.extent(input, axis));
  }
  // Extents that depend on each other may have a sum with a smaller bound.
  int64_t bound = graph.bound((*result)[axis]);
  if (bound < dimsOf(whole)[axis])
    whole = b.slice(whole, axis, 0, bound);
  if (dimsOf(op.getInputs().back())[axis] == 1)
    graph.setZero(whole, axis);
  return graph.replace(op, whole, *result);
}

// -- Pads ---------------------------------------------------------------------

/// The index in the input for places of the padded axis, counted from where
/// the input begins.
static Value padIndices(GraphBuilder &b, BoundedGraph &graph, PadMode mode,
                        Value at, AffineExpr extent) {
  Type type = b.builder.getI64Type();
  Value size = graph.scalar(extent);
  Value last = graph.scalar(simplifySum(extent - 1));
  if (mode == PadMode::Wrap) {
    at = b.create<ModOp>(at, size);
  } else if (mode == PadMode::Reflect) {
    at = b.create<AbsOp>(at);
    at = b.sub(last, b.create<AbsOp>(b.sub(last, at)));
  }
  return b.create<ClampOp>(at, b.scalar(0, type), last);
}

static Value padValue(GraphBuilder &b, PadOp op) {
  return op.getValue() ? op.getValue()
                       : b.scalar(0.0, elementType(op.getInput()));
}

/// `value` with the pad where its places along an axis are not inner ones. For
/// what is only moved: it is not chosen but fetched from behind the elements.
static Value fetchPad(GraphBuilder &b, PadOp op, Value value, Value isInner,
                      int64_t axis) {
  int64_t rank = dimsOf(value).size(), count = dimsOf(value)[axis];
  SmallVector<int64_t> pads(2 * rank, 0);
  pads[rank + axis] = 1;
  Value longer =
      b.create<PadOp>(PadMode::Constant, value, b.ints(pads), op.getValue());
  Value own = b.ints(llvm::to_vector(llvm::seq<int64_t>(0, count)));
  Value last = b.scalar(static_cast<double>(count), b.builder.getI64Type());
  return b.create<GatherOp>(longer, b.create<WhereOp>(isInner, own, last),
                            axis);
}

/// Pads one axis by a number of elements before it and by what may depend on
/// the extents behind it.
static FailureOr<Value> padAxis(PadOp op, BoundedGraph &graph, Value value,
                                int64_t axis, int64_t before,
                                AffineExpr after) {
  BoundedDims dims = graph.dims(value);
  if (!dims[axis].isPrefix())
    return graph.fail(op, "it pads merged axes");
  AffineExpr extent = dims[axis].extent(graph.context());
  AffineExpr padded = simplifySum(extent + before + after);
  auto range = graph.range(padded), room = graph.range(extent),
       added = graph.range(after);
  bool reflects = op.getMode() == PadMode::Reflect;
  if (!range || range->lower < 0 || !added)
    return graph.fail(op, "it removes more than the smallest extent");
  if (op.getMode() != PadMode::Constant &&
      (room->lower < 1 ||
       (reflects && room->lower <= std::max(before, added->upper))))
    return graph.fail(op, "it repeats more than the smallest extent has");
  dims[axis] = BoundedDim(padded);
  int64_t bound = graph.bound(dims[axis]);
  GraphBuilder b = graph.before(op);
  Value result;
  if (op.getMode() == PadMode::Constant) {
    SmallVector<int64_t> pads(2 * dims.size(), 0);
    pads[axis] = before;
    pads[dims.size() + axis] = bound - dimsOf(value)[axis] - before;
    result =
        b.create<PadOp>(PadMode::Constant, value, b.ints(pads), op.getValue());
    if (added->upper > 0) {
      // The pad begins where valid elements end.
      Value end = graph.scalar(simplifySum(extent + before));
      auto isInner = [&](int64_t along, int64_t rank) -> Value {
        return b.create<LessOp>(graph.positions(b, bound, along, rank), end);
      };
      if (isOnlyMoved(elementType(value)))
        result = fetchPad(b, op, result, isInner(0, 1), axis);
      else
        result = b.create<WhereOp>(isInner(axis, dims.size()), result,
                                   padValue(b, op));
    }
  } else {
    SmallVector<int64_t> places;
    for (int64_t i = 0; i < bound; ++i)
      places.push_back(i - before);
    Value indices = padIndices(b, graph, op.getMode(), b.ints(places), extent);
    result = b.create<GatherOp>(value, indices, axis);
  }
  graph.set(result, dims);
  return result;
}

/// Pads one axis by numbers that are known at run time only: all is gathered.
static FailureOr<Value> padByData(PadOp op, BoundedGraph &graph, Value value,
                                  int64_t axis, AffineExpr before,
                                  AffineExpr after) {
  BoundedDims dims = graph.dims(value);
  AffineExpr extent = dims[axis].extent(graph.context());
  AffineExpr padded = simplifySum(extent + before + after);
  auto range = graph.range(padded), room = graph.range(extent);
  if (!dims[axis].isPrefix() || !range || range->lower < 0 || !room ||
      room->lower < 1)
    return graph.fail(op, "whether it leaves anything of axis " + Twine(axis) +
                              " is computed from data");
  int64_t rank = dims.size();
  dims[axis] = BoundedDim(padded);
  GraphBuilder b = graph.before(op);
  Value at = b.sub(graph.positions(b, graph.bound(dims[axis]), 0, 1),
                   graph.scalar(before));
  PadMode mode = op.getMode();
  Value result =
      b.create<GatherOp>(value, padIndices(b, graph, mode, at, extent), axis);
  if (mode == PadMode::Constant) {
    Value isInner = b.create<AndOp>(
        b.create<GreaterEqualOp>(at, b.scalar(0, b.builder.getI64Type())),
        b.create<LessOp>(at, graph.scalar(extent)));
    if (isOnlyMoved(elementType(value)))
      result = fetchPad(b, op, result, isInner, axis);
    else
      result = b.create<WhereOp>(b.alongAxis(isInner, axis, rank), result,
                                 padValue(b, op));
  }
  graph.set(result, dims);
  return result;
}

/// Pads one axis by one way or the other.
static FailureOr<Value> padOpenAxis(PadOp op, BoundedGraph &graph, Value value,
                                    int64_t axis, AffineExpr before,
                                    AffineExpr after) {
  auto first = dyn_cast<AffineConstantExpr>(before);
  // What is behind a prefix may be of any number.
  bool isPlain =
      isa<AffineConstantExpr>(after) ||
      (op.getMode() == PadMode::Constant && !graph.isComputed(after));
  return first && isPlain
             ? padAxis(op, graph, value, axis, first.getValue(), after)
             : padByData(op, graph, value, axis, before, after);
}

LogicalResult glow::boundThis(PadOp op, BoundedGraph &graph) {
  ShapeInts pads = graph.elements(op.getPads());
  BoundedDims dims = graph.dims(op.getInput());
  int64_t rank = dims.size();
  if (!pads || llvm::is_contained(*pads, AffineExpr()))
    return graph.fail(op, "the numbers of elements that it adds have to be "
                          "known");
  SmallVector<int64_t> fixed(2 * rank, 0);
  SmallVector<int64_t> open;
  for (int64_t axis = 0; axis < rank; ++axis) {
    auto before = dyn_cast<AffineConstantExpr>((*pads)[axis]),
         after = dyn_cast<AffineConstantExpr>((*pads)[rank + axis]);
    if (!before || !after) {
      open.push_back(axis);
    } else if (dims[axis].isStatic()) {
      fixed[axis] = before.getValue();
      fixed[rank + axis] = after.getValue();
    } else if (before.getValue() != 0 || after.getValue() != 0) {
      open.push_back(axis);
    }
  }
  Value value = op.getInput();
  if (llvm::any_of(fixed, [](int64_t pad) { return pad != 0; })) {
    GraphBuilder b = graph.before(op);
    value = b.create<PadOp>(op.getMode(), value, b.ints(fixed), op.getValue());
    for (int64_t axis = 0; axis < rank; ++axis)
      if (dims[axis].isStatic())
        dims[axis] = BoundedDim(graph.number(dimsOf(value)[axis]));
    graph.set(value, dims);
  }
  for (int64_t axis : open) {
    auto padded = padOpenAxis(op, graph, value, axis, (*pads)[axis],
                              (*pads)[rank + axis]);
    if (failed(padded))
      return failure();
    value = *padded;
  }
  return graph.replace(op, value, graph.dims(value));
}
