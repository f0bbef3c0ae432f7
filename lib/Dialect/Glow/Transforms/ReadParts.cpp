//===- ReadParts.cpp - parts of tensors that are read ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ReadParts.h"
#include "AxisGroups.h"
#include "glow/Dialect/Glow/IR/SliceRanges.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::glow;

using Parts = std::optional<SmallVector<Part>>;

Part glow::wholeOf(Value tensor) {
  Part part;
  for (int64_t extent : dimsOf(tensor))
    part.push_back({0, extent});
  return part;
}

bool glow::isWhole(const Part &part, Value tensor) {
  return part == wholeOf(tensor);
}

Dims glow::sizesOf(const Part &part) {
  return llvm::map_to_vector(part, [](Interval i) { return i.size(); });
}

Part glow::hullOf(const Part &a, const Part &b) {
  Part hull;
  for (auto [x, y] : llvm::zip_equal(a, b))
    hull.push_back({std::min(x.begin, y.begin), std::max(x.end, y.end)});
  return hull;
}

static bool isReshape(Operation *op) {
  return isa<ReshapeOp, SqueezeOp, UnsqueezeOp, FlattenOp>(op);
}

bool glow::isMovement(Operation *op) {
  return isReshape(op) ||
         isa<TransposeOp, ConcatOp, SliceOp, ExpandOp, GatherOp>(op);
}

/// What is read of an operand that broadcasts to the result.
static Part broadcastPart(const Part &result, Value operand) {
  ArrayRef<int64_t> dims = dimsOf(operand);
  Part part;
  for (auto [i, extent] : llvm::enumerate(dims))
    part.push_back(extent == 1 ? Interval{0, 1}
                               : result[result.size() - dims.size() + i]);
  return part;
}

static Parts elementwiseParts(Operation *op, const Part &result) {
  SmallVector<Part> parts;
  for (Value operand : op->getOperands())
    parts.push_back(broadcastPart(result, operand));
  return parts;
}

static Parts partsOf(MatMulOp op, Part &result) {
  ArrayRef<int64_t> lhs = dimsOf(op.getLhs()), rhs = dimsOf(op.getRhs());
  if (lhs.size() < 2 || rhs.size() < 2 || !op.getEpilogueInputs().empty() ||
      op.getPacked() || !op.getEpilogue().empty())
    return std::nullopt;
  Part left = result, right = result;
  left.back() = {0, lhs.back()};
  right[right.size() - 2] = {0, rhs[rhs.size() - 2]};
  return SmallVector<Part>{broadcastPart(left, op.getLhs()),
                           broadcastPart(right, op.getRhs())};
}

static Parts partsOf(ReduceOp op, Part &result) {
  Part part;
  size_t next = 0;
  for (auto [axis, extent] : llvm::enumerate(dimsOf(op.getInput()))) {
    bool isReduced =
        llvm::is_contained(op.getAxes(), static_cast<int64_t>(axis));
    part.push_back(isReduced ? Interval{0, extent} : result[next]);
    next += !isReduced || op.getKeepDims();
  }
  return SmallVector<Part>{part};
}

/// Of an op along one axis, all of which it needs.
template <typename Op> static Parts alongAxis(Op op, Part &result) {
  result[op.getAxis()] = {0, dimsOf(op.getInput())[op.getAxis()]};
  SmallVector<Part> parts{result};
  for (Value other : op->getOperands().drop_front())
    parts.push_back(wholeOf(other));
  return parts;
}
static Parts partsOf(SoftmaxOp op, Part &result) {
  return alongAxis(op, result);
}
static Parts partsOf(ScanOp op, Part &result) { return alongAxis(op, result); }

static Parts partsOf(TransposeOp op, Part &result) {
  Part part(result.size());
  for (auto [i, axis] : llvm::enumerate(op.getPermutation()))
    part[axis] = result[i];
  return SmallVector<Part>{part};
}

static Parts partsOf(ConcatOp op, Part &result) {
  SmallVector<Part> parts;
  Interval along = result[op.getAxis()];
  int64_t before = 0;
  for (Value input : op.getInputs()) {
    int64_t extent = dimsOf(input)[op.getAxis()];
    Part part = result;
    Interval &own = part[op.getAxis()];
    own.begin = std::clamp<int64_t>(along.begin - before, 0, extent);
    own.end = std::clamp<int64_t>(along.end - before, own.begin, extent);
    parts.push_back(part);
    before += extent;
  }
  return parts;
}

static Parts partsOf(SliceOp op, Part &result) {
  auto ranges = knownRanges(op);
  if (!ranges)
    return std::nullopt;
  Part part = result;
  for (auto [axis, range] : llvm::zip_equal(op.getAxes(), *ranges)) {
    if (range.step < 1 || range.size < 1)
      return std::nullopt;
    int64_t begin = range.start + result[axis].begin * range.step;
    part[axis] = {begin, begin + (result[axis].size() - 1) * range.step + 1};
  }
  return SmallVector<Part>{part, wholeOf(op.getStarts()), wholeOf(op.getEnds()),
                           wholeOf(op.getSteps())};
}

static Parts partsOf(ExpandOp op, Part &result) {
  return SmallVector<Part>{broadcastPart(result, op.getInput()),
                           wholeOf(op.getShape())};
}

static Parts partsOf(GatherOp op, Part &result) {
  if (op.getIndexExtents())
    return std::nullopt;
  size_t axis = op.getAxis(), added = dimsOf(op.getIndices()).size();
  Part input(result), indices(result);
  input.erase(input.begin() + axis, input.begin() + axis + added);
  input.insert(input.begin() + axis, {0, dimsOf(op.getInput())[axis]});
  indices.assign(result.begin() + axis, result.begin() + axis + added);
  return SmallVector<Part>{input, indices};
}

/// Enlarges a box until its elements follow each other in row-major order, and
/// returns their positions in it.
static Interval makeContiguous(MutableArrayRef<Interval> box,
                               ArrayRef<int64_t> dims) {
  size_t first = 0;
  while (first < box.size() && box[first].size() == 1)
    ++first;
  for (size_t i = first + 1; i < box.size(); ++i)
    box[i] = {0, dims[i]};
  Interval positions{0, 1};
  for (auto [interval, extent] : llvm::zip_equal(box, dims))
    positions = {positions.begin * extent + interval.begin,
                 (positions.end - 1) * extent + interval.end};
  return positions;
}

/// The least box, once it is contiguous, that has all of the positions.
static SmallVector<Interval> boxOf(Interval positions, ArrayRef<int64_t> dims) {
  SmallVector<Interval> box(dims.size());
  int64_t first = positions.begin, last = positions.end - 1;
  for (size_t i = dims.size(); i-- > 0;) {
    box[i] = {first % dims[i], last % dims[i] + 1};
    first /= dims[i];
    last /= dims[i];
  }
  return box;
}

/// Groups of axes become each other: the elements of a part have to follow each
/// other in both shapes.
static Parts reshapeParts(Operation *op, Part &result) {
  ArrayRef<int64_t> from = dimsOf(op->getOperand(0)),
                    to = dimsOf(op->getResult(0));
  SmallVector<AxisGroup> groups = matchGroups(from, to);
  if (groups.empty())
    return std::nullopt;
  Part part(from.size());
  for (const AxisGroup &group : groups) {
    int64_t fromCount = group.fromEnd - group.fromBegin;
    int64_t toCount = group.toEnd - group.toBegin;
    ArrayRef<int64_t> fromDims = from.slice(group.fromBegin, fromCount);
    ArrayRef<int64_t> toDims = to.slice(group.toBegin, toCount);
    auto box = MutableArrayRef(result).slice(group.toBegin, toCount);
    Interval wanted = makeContiguous(box, toDims);
    SmallVector<Interval> source = boxOf(wanted, fromDims);
    Interval held = makeContiguous(source, fromDims);
    if (!(held == wanted)) {
      SmallVector<Interval> larger = boxOf(held, toDims);
      llvm::copy(larger, box.begin());
      if (!(makeContiguous(box, toDims) == held))
        return std::nullopt;
    }
    llvm::copy(source, part.begin() + group.fromBegin);
  }
  SmallVector<Part> parts{part};
  for (Value shape : op->getOperands().drop_front())
    parts.push_back(wholeOf(shape));
  return parts;
}

Parts glow::partsRead(Operation *op, Part &result) {
  if (isElementwise(op))
    return elementwiseParts(op, result);
  if (isReshape(op))
    return reshapeParts(op, result);
  return llvm::TypeSwitch<Operation *, Parts>(op)
      .Case<MatMulOp, ReduceOp, SoftmaxOp, ScanOp, TransposeOp, ConcatOp,
            SliceOp, ExpandOp, GatherOp>(
          [&](auto op) { return partsOf(op, result); })
      .Default(Parts());
}

Value glow::takePart(GraphBuilder &b, Value tensor, const Part &held,
                     const Part &part) {
  for (auto [axis, intervals] : llvm::enumerate(llvm::zip_equal(held, part))) {
    auto [from, own] = intervals;
    if (!(own == from))
      tensor =
          b.slice(tensor, axis, own.begin - from.begin, own.end - from.begin);
  }
  return tensor;
}

/// What is left of a slice when the elements between its first and its last one
/// are taken: its steps.
static Value takeSteps(GraphBuilder &b, SliceOp op, Value input) {
  SmallVector<int64_t> steps = *constantInts(op.getSteps());
  if (llvm::all_of(steps, [](int64_t step) { return step == 1; }))
    return input;
  SmallVector<int64_t> starts(steps.size(), 0), ends;
  for (int64_t axis : op.getAxes())
    ends.push_back(dimsOf(input)[axis]);
  return b.create<SliceOp>(input, b.ints(starts), b.ints(ends), b.ints(steps),
                           op.getAxes());
}

static Value joinParts(GraphBuilder &b, ConcatOp op, ValueRange operands) {
  SmallVector<Value> inputs;
  for (Value operand : operands)
    if (operand)
      inputs.push_back(operand);
  return b.concat(inputs, op.getAxis());
}

Value glow::computePart(GraphBuilder &b, Operation *op, const Part &result,
                        ValueRange operands) {
  if (isReshape(op))
    return b.reshape(operands[0], sizesOf(result));
  if (isa<ExpandOp>(op))
    return b.create<ExpandOp>(operands[0], b.ints(sizesOf(result)));
  if (auto slice = dyn_cast<SliceOp>(op))
    return takeSteps(b, slice, operands[0]);
  if (auto concat = dyn_cast<ConcatOp>(op))
    return joinParts(b, concat, operands);
  Operation *part = b.builder.clone(*op);
  part->setOperands(operands);
  part->getResult(0).setType(
      RankedTensorType::get(sizesOf(result), elementType(op->getResult(0))));
  return part->getResult(0);
}
