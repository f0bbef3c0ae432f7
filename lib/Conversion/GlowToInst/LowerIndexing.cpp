//===- LowerIndexing.cpp - ops that address elements or consist of indices
//-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"

using namespace mlir;
using namespace mlir::glow;
using Predicate = ScalarBuilder::Predicate;

static Type elementOf(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getElementType();
}

LogicalResult GatherOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  Value indices = lowering.buffer(getIndices());
  inst::GatherOp::create(lowering.builder, getLoc(), input, indices,
                         lowering.allocate(getResult()), getAxisAttr(),
                         getIndexExtentsAttr());
  return success();
}

LogicalResult GatherElementsOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  Value indices = lowering.buffer(getIndices());
  inst::GatherElementsOp::create(lowering.builder, getLoc(), input, indices,
                                 lowering.allocate(getResult()), getAxis());
  return success();
}

LogicalResult WalkTreesOp::lower(InstLowering &lowering) {
  SmallVector<Value> tables;
  for (Value table : getOperands())
    tables.push_back(lowering.buffer(table));
  inst::WalkTreesOp::create(lowering.builder, getLoc(), tables[0], tables[1],
                            tables[2], tables[3],
                            lowering.allocate(getResult()), getMissing());
  return success();
}

LogicalResult GatherNDOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  Value indices = lowering.buffer(getIndices());
  inst::GatherNDOp::create(lowering.builder, getLoc(), input, indices,
                           lowering.allocate(getResult()), getBatchDims());
  return success();
}

/// The instruction for a scatter, which updates a copy of the input in place.
template <typename Instruction, typename Op, typename... Args>
static LogicalResult lowerScatter(Op op, InstLowering &lowering,
                                  Args... attributes) {
  Value output = lowering.allocate(op.getResult());
  lowering.copy(lowering.buffer(op.getInput()), output);
  Value updates = lowering.buffer(op.getUpdates());
  if (cast<ShapedType>(updates.getType()).getNumElements() > 0)
    Instruction::create(lowering.builder, op.getLoc(), op.getKind(),
                        lowering.buffer(op.getIndices()), updates, output,
                        lowering.bufferOrNone(op.getCount()), attributes...);
  return success();
}

LogicalResult ScatterElementsOp::lower(InstLowering &lowering) {
  return lowerScatter<inst::ScatterElementsOp>(*this, lowering, getAxis());
}

LogicalResult ScatterNDOp::lower(InstLowering &lowering) {
  return lowerScatter<inst::ScatterNDOp>(*this, lowering);
}

/// 0, 1, 2 … along `axis` of a buffer with that many axes, 1 along all others.
/// They are a constant, so an error for an axis that is too long for one.
static FailureOr<Value> positions(InstLowering &lowering, int64_t count,
                                  int64_t axis, int64_t rank) {
  if (count > 1 << 28)
    return emitError(lowering.loc)
           << "needs the positions along an axis of " << count
           << " elements; that are at most 2^28";
  SmallVector<int64_t> shape(rank, 1);
  shape[axis] = count;
  return lowering.reshape(
      lowering.constantInts(llvm::to_vector(llvm::seq<int64_t>(0, count))),
      shape);
}

/// Computes for every sequence where its elements come from.
LogicalResult ReverseSequenceOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  Value output = lowering.allocate(getResult());
  ArrayRef<int64_t> shape = inst::shapeOf(output);
  int64_t rank = shape.size(), time = getTimeAxis(), batch = getBatchAxis();
  SmallVector<int64_t> perSequence(rank, 1);
  perSequence[batch] = shape[batch];
  SmallVector<int64_t> perElement = perSequence;
  perElement[time] = shape[time];
  FailureOr<Value> places = positions(lowering, shape[time], time, rank);
  if (failed(places))
    return failure();
  Value inputs[] = {
      *places, lowering.reshape(lowering.buffer(getLengths()), perSequence)};
  Type i64 = lowering.builder.getI64Type();
  Value indices = lowering.scratch(perElement, i64);
  ScalarBuilder ints(lowering.builder, getLoc(), i64, i64);
  lowering.map(inputs, indices, [&](ValueRange args) {
    Value last = ints.sub(args[1], ints.one(args[1]));
    return ints.select(ints.compare(Predicate::lt, args[0], args[1]),
                       ints.sub(last, args[0]), args[0]);
  });
  inst::GatherElementsOp::create(lowering.builder, getLoc(), input,
                                 lowering.broadcast(indices, shape), output,
                                 time);
  return success();
}

/// Compares every index with the positions along the new axis.
LogicalResult OneHotOp::lower(InstLowering &lowering) {
  Value output = lowering.allocate(getResult());
  Value indices = lowering.buffer(getIndices());
  Value values = lowering.buffer(getValues());
  int64_t rank = inst::shapeOf(output).size(), axis = getAxis();
  int64_t depth = inst::shapeOf(output)[axis];
  SmallVector<int64_t> shape(inst::shapeOf(indices));
  shape.insert(shape.begin() + axis, 1);
  FailureOr<Value> places = positions(lowering, depth, axis, rank);
  if (failed(places))
    return failure();
  Value inputs[] = {lowering.reshape(indices, shape), *places,
                    lowering.view(values, {}, {}, 0),
                    lowering.view(values, {}, {}, 1)};
  Type i64 = lowering.builder.getI64Type();
  ScalarBuilder toIndex(lowering.builder, getLoc(), elementOf(indices), i64);
  ScalarBuilder ints(lowering.builder, getLoc(), i64, i64);
  lowering.map(inputs, output, [&](ValueRange args) {
    Value index = elementOf(indices) == i64 ? args[0] : toIndex.cast(args[0]);
    Value isNegative = ints.compare(Predicate::lt, index, ints.zero(index));
    index = ints.select(isNegative,
                        ints.add(index, ints.constant(index, depth)), index);
    return ints.select(ints.compare(Predicate::eq, index, args[1]), args[3],
                       args[2]);
  });
  return success();
}

/// Keeps an element by the distance of its column from its row.
LogicalResult TriluOp::lower(InstLowering &lowering) {
  Value input = lowering.buffer(getInput());
  Value output = lowering.allocate(getResult());
  ArrayRef<int64_t> shape = inst::shapeOf(output);
  if (shape.size() < 2)
    return emitOpError("needs a matrix, not ") << getInput().getType();
  int64_t rows = shape[shape.size() - 2], columns = shape.back();
  Value diagonal = getK() ? lowering.buffer(getK())
                          : lowering.reshape(lowering.constantInts({0}), {});
  FailureOr<Value> row = positions(lowering, rows, 0, 2);
  FailureOr<Value> column = positions(lowering, columns, 1, 2);
  if (failed(row) || failed(column))
    return failure();
  Value inputs[] = {input, *row, *column, diagonal};
  Type i64 = lowering.builder.getI64Type(), element = elementOf(input);
  ScalarBuilder ints(lowering.builder, getLoc(), i64, i64);
  ScalarBuilder scalars(lowering.builder, getLoc(), element, element);
  lowering.map(inputs, output, [&](ValueRange args) {
    Value distance = ints.sub(args[2], args[1]);
    Value keep = ints.compare(getUpper() ? Predicate::ge : Predicate::le,
                              distance, args[3]);
    return scalars.select(keep, args[0], scalars.zero(args[0]));
  });
  return success();
}

/// start + i delta, with i converted to the result's type.
LogicalResult RangeOp::lower(InstLowering &lowering) {
  Value output = lowering.allocate(getResult());
  FailureOr<Value> places = positions(lowering, inst::shapeOf(output)[0], 0, 1);
  if (failed(places))
    return failure();
  Value inputs[] = {*places, lowering.buffer(getStart()),
                    lowering.buffer(getDelta())};
  Type i64 = lowering.builder.getI64Type(), element = elementOf(output);
  ScalarBuilder fromIndex(lowering.builder, getLoc(), i64, element);
  ScalarBuilder scalars(lowering.builder, getLoc(), element, element);
  lowering.map(inputs, output, [&](ValueRange args) {
    Value i = element == i64 ? args[0] : fromIndex.cast(args[0]);
    return scalars.add(args[1], scalars.mul(i, args[2]));
  });
  return success();
}

LogicalResult NonZeroOp::lower(InstLowering &) {
  return emitOpError("has a result whose size depends on the data: run "
                     "glow-bound-shapes first");
}

LogicalResult NonMaxSuppressionOp::lower(InstLowering &lowering) {
  Builder &types = lowering.builder;
  Value boxes = lowering.buffer(getBoxes()), most = lowering.buffer(getMost()),
        threshold = lowering.buffer(getThreshold()),
        scores = lowering.buffer(getScores()),
        indices = lowering.allocate(getIndices()),
        counts = lowering.allocate(getCounts());
  // Ordered in place.
  Value ordered = lowering.scratch(inst::shapeOf(scores), types.getF32Type());
  lowering.copy(scores, ordered);
  Value order = lowering.scratch(inst::shapeOf(scores), types.getI32Type());
  SmallVector<int64_t> room(inst::shapeOf(indices));
  room.insert(room.begin() + 2, 4);
  room.back() =
      llvm::alignTo(room.back(), inst::NonMaxSuppressionOp::kRoomStep);
  inst::NonMaxSuppressionOp::create(lowering.builder, getLoc(), boxes, most,
                                    threshold, ordered, indices, counts, order,
                                    lowering.scratch(room, types.getF32Type()));
  return success();
}
