//===- OperandAxes.cpp - which axes of operands an output follows ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OperandAxes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

static int64_t rankOf(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getRank();
}

/// The operand's axis under `axis` of a shape of `rank` axes, to which it is
/// broadcast by NumPy's rules but for its last `own` axes.
static int64_t broadcastAxis(Value operand, int64_t axis, int64_t rank,
                             int64_t own = 0) {
  int64_t at = axis - rank + rankOf(operand) - own;
  if (at < 0 || cast<MemRefType>(operand.getType()).getDimSize(at) == 1)
    return OperandAxes::kNone;
  return at;
}

static Block *bodyOf(Region &region) {
  return region.empty() ? nullptr : &region.front();
}

static OperandAxes elementwise(ValueRange inputs, ValueRange outputs,
                               Block *body) {
  OperandAxes result;
  result.inputs = llvm::to_vector(inputs);
  result.outputs = llvm::to_vector(outputs);
  result.body = body;
  int64_t rank = rankOf(outputs.front());
  for (int64_t axis = 0; axis < rank; ++axis) {
    auto &row = result.axes.emplace_back();
    for (Value input : inputs)
      row.push_back(broadcastAxis(input, axis, rank));
  }
  return result;
}

static OperandAxes reduction(ReduceOp op) {
  OperandAxes result;
  result.inputs = llvm::to_vector(op.getInputs());
  result.outputs = {op.getOutput()};
  result.combined = result.inputs.size();
  int64_t rank = op.getSpace().size();
  auto axesUnder = [&](int64_t axis) {
    return llvm::map_to_vector(result.inputs, [&](Value input) {
      return broadcastAxis(input, axis, rank);
    });
  };
  for (int64_t axis = 0; axis < rank; ++axis)
    if (!llvm::is_contained(op.getAxes(), axis))
      result.axes.push_back(axesUnder(axis));
  for (int64_t axis : op.getAxes()) {
    result.reducedAxes.push_back(axesUnder(axis));
    result.reducedSizes.push_back(op.getSpace()[axis]);
  }
  return result;
}

static OperandAxes product(MatMulOp op) {
  OperandAxes result;
  result.inputs = {op.getLhs(), op.getRhs()};
  llvm::append_range(result.inputs, op.getEpilogueInputs());
  result.outputs = {op.getOutput()};
  result.combined = 2;
  result.body = bodyOf(op.getEpilogue());
  int64_t rank = rankOf(op.getOutput()), matrix = op.getPacked() ? 3 : 2;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t lhs = OperandAxes::kNone, rhs = OperandAxes::kNone;
    if (axis < rank - 2) {
      lhs = broadcastAxis(op.getLhs(), axis, rank - 2, 2);
      rhs = broadcastAxis(op.getRhs(), axis, rank - 2, matrix);
    } else if (axis == rank - 2) {
      lhs = rankOf(op.getLhs()) - 2;
    } else if (!op.getPacked()) {
      rhs = rankOf(op.getRhs()) - 1;
    }
    auto &row = result.axes.emplace_back(SmallVector<int64_t>{lhs, rhs});
    for (Value input : op.getEpilogueInputs())
      row.push_back(broadcastAxis(input, axis, rank));
  }
  if (op.getPacked() || op.getPieces().value_or(1) > 1)
    return result;
  auto &row =
      result.reducedAxes.emplace_back(result.inputs.size(), OperandAxes::kNone);
  row[0] = rankOf(op.getLhs()) - 1;
  row[1] = rankOf(op.getRhs()) - 2;
  result.reducedSizes.push_back(
      cast<MemRefType>(op.getLhs().getType()).getDimSize(row[0]));
  return result;
}

/// Of windows only the images are told apart.
template <typename Op>
static OperandAxes images(Op op, ValueRange inputs, size_t combined,
                          Block *body) {
  OperandAxes result;
  result.inputs = llvm::to_vector(inputs);
  result.outputs = {op.getOutput()};
  result.combined = combined;
  result.body = body;
  int64_t rank = rankOf(op.getOutput());
  for (int64_t axis = 0; axis < rank; ++axis) {
    auto &row = result.axes.emplace_back(inputs.size(), OperandAxes::kNone);
    if (axis == 0)
      row[0] = 0;
    for (size_t i = combined; i < inputs.size(); ++i)
      row[i] = broadcastAxis(inputs[i], axis, rank);
  }
  return result;
}

/// Of an instruction whose results depend on all of its inputs alike, all but
/// the axes.
static OperandAxes combined(ValueRange inputs, ValueRange outputs) {
  OperandAxes result;
  result.inputs = llvm::to_vector(inputs);
  result.outputs = llvm::to_vector(outputs);
  result.combined = inputs.size();
  return result;
}

template <typename Op> static OperandAxes gatheredFrom(Op op) {
  OperandAxes result =
      combined({op.getInput(), op.getIndices()}, op.getOutput());
  result.indices = 1;
  return result;
}

static OperandAxes gathered(GatherOp op) {
  OperandAxes result = gatheredFrom(op);
  int64_t from = op.getAxis(), to = from + rankOf(op.getIndices());
  for (int64_t axis = 0; axis < rankOf(op.getOutput()); ++axis) {
    if (axis >= from && axis < to)
      result.axes.push_back({OperandAxes::kNone, axis - from});
    else
      result.axes.push_back(
          {axis < from ? axis : axis - to + from + 1, OperandAxes::kNone});
  }
  return result;
}

static OperandAxes gatheredElements(GatherElementsOp op) {
  OperandAxes result = gatheredFrom(op);
  int64_t gathered = op.getAxis();
  for (int64_t axis = 0; axis < rankOf(op.getOutput()); ++axis)
    result.axes.push_back({axis == gathered ? OperandAxes::kNone : axis, axis});
  return result;
}

static OperandAxes gatheredTuples(GatherNDOp op) {
  OperandAxes result = gatheredFrom(op);
  int64_t batch = op.getBatchDims(), places = rankOf(op.getIndices()) - 1;
  int64_t shift = rankOf(op.getInput()) - rankOf(op.getOutput());
  for (int64_t axis = 0; axis < rankOf(op.getOutput()); ++axis)
    result.axes.push_back({axis < batch    ? axis
                           : axis < places ? OperandAxes::kNone
                                           : axis + shift,
                           axis < places ? axis : OperandAxes::kNone});
  return result;
}

/// Takes note of the axis of every input that goes on to a count, if there is
/// one.
static void endAtCount(OperandAxes &result, Value count,
                       SmallVector<int64_t> axes) {
  if (!count)
    return;
  result.count = count;
  auto input = cast<MemRefType>(result.inputs.front().getType());
  result.reducedSizes.push_back(input.getDimSize(axes.front()));
  result.reducedAxes.push_back(std::move(axes));
}

/// Indices, updates, and what is updated. The former two may have a count.
template <typename Op> static OperandAxes scattered(Op op, int64_t axis) {
  OperandAxes result = combined(
      {op.getIndices(), op.getUpdates(), op.getOutput()}, op.getOutput());
  endAtCount(result, op.getCount(), {axis, axis, OperandAxes::kNone});
  return result;
}

/// Whole slices, of which updates have as much as what they are written to.
/// That is read, too.
static OperandAxes scatteredSlices(ScatterNDOp op) {
  OperandAxes result = scattered(op, /*axis=*/0);
  constexpr int64_t kNone = OperandAxes::kNone;
  int64_t rank = rankOf(op.getOutput());
  int64_t shift = rankOf(op.getUpdates()) - rank;
  // As many places as the updates have more axes replace those.
  int64_t addressed = rankOf(op.getIndices()) - 1 - shift;
  for (int64_t axis = 0; axis < rank; ++axis)
    result.axes.push_back(
        {kNone, axis < addressed ? kNone : axis + shift, axis});
  return result;
}

/// Elements, of which updates may have fewer than what they are written to.
/// That is read, too.
static OperandAxes scatteredElements(ScatterElementsOp op) {
  OperandAxes result = scattered(op, op.getAxis());
  auto indices = cast<MemRefType>(op.getIndices().getType()),
       output = cast<MemRefType>(op.getOutput().getType());
  for (int64_t axis = 0; axis < rankOf(op.getOutput()); ++axis) {
    bool isParallel = axis != static_cast<int64_t>(op.getAxis()) &&
                      indices.getDimSize(axis) == output.getDimSize(axis);
    int64_t own = isParallel ? axis : OperandAxes::kNone;
    result.axes.push_back({own, own, axis});
  }
  return result;
}

/// Rows of features, and trees.
static OperandAxes walkedTrees(WalkTreesOp op) {
  OperandAxes result = combined(op->getOperands().drop_back(), op.getOutput());
  constexpr int64_t kNone = OperandAxes::kNone;
  result.axes = {{0, kNone, kNone, kNone}, {kNone, kNone, kNone, 0}};
  return result;
}

/// Of what is computed from all of an axis, which the outputs may not have, the
/// other axes.
static OperandAxes walk(Value input, ValueRange outputs, Value count,
                        int64_t walked) {
  OperandAxes result = combined(input, outputs);
  endAtCount(result, count, {walked});
  bool isKept = rankOf(outputs.front()) == rankOf(input);
  for (int64_t axis = 0; axis < rankOf(input); ++axis)
    if (axis != walked)
      result.axes.push_back({axis});
    else if (isKept)
      result.axes.push_back({OperandAxes::kNone});
  return result;
}

/// A running sum needs what is before its position, or behind it.
static OperandAxes running(ScanOp op) {
  OperandAxes result =
      walk(op.getInput(), op.getOutput(), op.getCount(), op.getAxis());
  if (!op.getReverse())
    result.axes[op.getAxis()].front() = op.getAxis();
  return result;
}

std::optional<OperandAxes> OperandAxes::of(Operation *op) {
  return llvm::TypeSwitch<Operation *, std::optional<OperandAxes>>(op)
      .Case([](MapOp op) {
        return elementwise(op.getInputs(), op.getOutputs(),
                           bodyOf(op.getBody()));
      })
      .Case([](CopyOp op) {
        return elementwise(op.getSource(), op.getDestination(), nullptr);
      })
      .Case([](FillOp op) {
        return elementwise({}, op.getDestination(), nullptr);
      })
      .Case([](ReduceOp op) { return reduction(op); })
      .Case([](MatMulOp op) { return product(op); })
      .Case([](ConvOp op) {
        SmallVector<Value> inputs{op.getInput(), op.getFilter()};
        llvm::append_range(inputs, op.getEpilogueInputs());
        return images(op, inputs, 2, bodyOf(op.getEpilogue()));
      })
      .Case([](PoolOp op) { return images(op, op.getInput(), 1, nullptr); })
      .Case([](GatherOp op) { return gathered(op); })
      .Case([](GatherElementsOp op) { return gatheredElements(op); })
      .Case([](GatherNDOp op) { return gatheredTuples(op); })
      .Case([](ScatterElementsOp op) { return scatteredElements(op); })
      .Case([](ScatterNDOp op) { return scatteredSlices(op); })
      .Case([](WalkTreesOp op) { return walkedTrees(op); })
      .Case([](ScanOp op) { return running(op); })
      .Case([](ArgReduceOp op) {
        return walk(op.getInput(), op.getOutput(), op.getCount(), op.getAxis());
      })
      .Case([](TopKOp op) {
        return walk(op.getInput(), {op.getValues(), op.getIndices()},
                    op.getCount(), op.getAxis());
      })
      .Default([](Operation *) { return std::nullopt; });
}

int64_t OperandAxes::stepAlong(Operation *op, ArrayRef<int64_t> axes) const {
  auto isFloat = [](Value factor) {
    return getElementTypeOrSelf(factor).isF32();
  };
  // Single precision is multiplied one by one.
  if (!isa<ReduceOp>(op))
    return llvm::all_of(ArrayRef(inputs).take_front(2), isFloat) ? 1
                                                                 : kMaskStep;
  bool isContiguous = false, isExact = false;
  for (auto [input, axis] : llvm::zip_equal(inputs, axes)) {
    Value root = rootBuffer(input);
    isExact |= axis != kNone && isa<BlockArgument>(root) &&
               root.getParentRegion() == op->getParentRegion();
    isContiguous |= axis != kNone && layoutOf(input).strides[axis] == 1;
  }
  isExact |= isa<IntegerType>(getElementTypeOrSelf(outputs.front()));
  return isContiguous && !isExact ? kReduceStep : 1;
}

/// What the body's arguments hold.
static SmallVector<AxisContents> argumentsOf(const OperandAxes &axes,
                                             ArrayRef<AxisContents> inputs) {
  SmallVector<AxisContents> arguments(inputs);
  if (axes.combined) {
    AxisContents first = combine(inputs.take_front(axes.combined));
    // Indices were made valid for this instruction alone.
    if (axes.indices && inputs[*axes.indices].extent) {
      first.along = Along::Padding;
      first.extent = inputs[*axes.indices].extent;
    }
    arguments.assign(1, first);
    llvm::append_range(arguments, inputs.drop_front(axes.combined));
  }
  return arguments;
}

SmallVector<AxisContents>
OperandAxes::contents(ArrayRef<AxisContents> inputs) const {
  SmallVector<AxisContents> arguments = argumentsOf(*this, inputs);
  if (body)
    return contentsOfYields(*body, arguments);
  return SmallVector<AxisContents>(
      outputs.size(), arguments.empty() ? AxisContents() : arguments.front());
}

SmallVector<SmallVector<AffineExpr>>
OperandAxes::dropped(ArrayRef<AxisContents> inputs) const {
  if (!body)
    return SmallVector<SmallVector<AffineExpr>>(
        outputs.size(), SmallVector<AffineExpr>(inputs.size()));
  auto ofArguments = droppedArguments(*body, argumentsOf(*this, inputs));
  return llvm::map_to_vector(ofArguments, [&](ArrayRef<AffineExpr> dropped) {
    SmallVector<AffineExpr> ofInputs;
    for (size_t i = 0; i < inputs.size(); ++i)
      ofInputs.push_back(
          dropped[i < combined ? 0 : i - combined + (combined > 0)]);
    return ofInputs;
  });
}
