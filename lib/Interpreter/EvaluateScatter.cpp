//===- EvaluateScatter.cpp - writes at indices ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include "Indices.h"
#include "Lanes.h"
#include <cstring>

using namespace mlir;
using namespace mlir::glow;

/// Combines `count` elements of `updates` from `from` on with those of `out`
/// from `to` on.
template <typename Lane>
static void update(ScatterKind kind, const Tensor &updates, int64_t from,
                   Tensor &out, int64_t to, int64_t count) {
  std::vector<Lane> old(count), update(count);
  readLanes(out, to, count, old.data());
  readLanes(updates, from, count, update.data());
  auto run = [&](auto combine) {
    for (int64_t i = 0; i < count; ++i)
      old[i] = combine(old[i], update[i]);
  };
  switch (kind) {
  case ScatterKind::None:
    old = update;
    break;
  case ScatterKind::Add:
    run(addLanes<Lane>);
    break;
  case ScatterKind::Mul:
    run(mulLanes<Lane>);
    break;
  case ScatterKind::Max:
    run(maxLanes<Lane>);
    break;
  case ScatterKind::Min:
    run(minLanes<Lane>);
    break;
  }
  writeLanes(out, to, count, old.data());
}

/// No update.
static constexpr int64_t kNowhere = -1;

/// Writes runs of `count` updates, one after another, at `offsets`.
static void scatter(ScatterKind kind, const Tensor &updates,
                    ArrayRef<int64_t> offsets, int64_t count, Tensor &out) {
  if (out.format().isOnlyMoved()) {
    unsigned width = out.elementBytes();
    for (auto [i, offset] : llvm::enumerate(offsets))
      if (offset != kNowhere)
        std::memcpy(out.mutableBytes() + offset * width,
                    updates.bytes() + i * count * width, count * width);
    return;
  }
  withLane(out.format(), [&](auto zero) {
    for (auto [i, offset] : llvm::enumerate(offsets))
      if (offset != kNowhere)
        update<decltype(zero)>(kind, updates, i * count, out, offset, count);
  });
}

/// Sets `out` to a copy of the input.
static LogicalResult copyInput(Operation *op, const Tensor &input,
                               Tensor &out) {
  if (failed(allocateResult(op, input.getShape(), out)))
    return failure();
  std::memcpy(out.mutableBytes(), input.bytes(), input.sizeInBytes());
  return success();
}

LogicalResult ScatterElementsOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput(), indices = in.getIndices();
  Tensor updates = in.getUpdates();
  int64_t axis = getAxis();
  if (indices.getShape() != updates.getShape())
    return emitOpError("indices of shape [")
           << indices.getShape() << "] and updates of shape ["
           << updates.getShape() << "] differ";
  for (int64_t i = 0; i < input.getRank(); ++i)
    if (i != axis && indices.getDim(i) > input.getDim(i))
      return emitOpError("indices have extent ")
             << indices.getDim(i) << " on axis " << i << ", the input only "
             << input.getDim(i);
  if (failed(copyInput(*this, input, out[0])))
    return failure();
  SmallVector<int64_t> strides = rowMajorStrides(input.getShape());
  SmallVector<int64_t> places = indices.ints();
  PlaceWalker place(indices.getShape());
  int64_t end = in.getCount() ? in.getCount().ints().front() : places.size();
  for (int64_t &index : places) {
    if (place[axis] >= end) {
      index = kNowhere;
      place.next();
      continue;
    }
    if (failed(resolveIndex(*this, index, axis, input.getDim(axis))))
      return failure();
    index = place.offset(strides) + (index - place[axis]) * strides[axis];
    place.next();
  }
  scatter(getKind(), updates, places, /*count=*/1, out[0]);
  return success();
}

LogicalResult ScatterNDOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput(), indices = in.getIndices();
  Tensor updates = in.getUpdates();
  ArrayRef<int64_t> part =
      input.getShape().drop_front(indices.getShape().back());
  Dims wanted(indices.getShape().drop_back());
  llvm::append_range(wanted, part);
  if (updates.getShape() != ArrayRef(wanted))
    return emitOpError("updates have shape [")
           << updates.getShape() << "] where [" << wanted << "] is needed";
  if (failed(copyInput(*this, input, out[0])))
    return failure();
  // What is behind the count need not be an index.
  size_t places = *numElements(indices.getShape().drop_back()), used = places;
  Dims valid(indices.getShape());
  if (Tensor count = in.getCount()) {
    int64_t end = std::clamp<int64_t>(count.ints().front(), 0, valid[0]);
    used = valid[0] ? places / valid[0] * end : 0;
    valid[0] = end;
  }
  FailureOr<std::vector<int64_t>> offsets = tupleOffsets(
      *this, input,
      Tensor::view(indices.getElementType(), valid, indices.bytes()),
      /*batchDims=*/0);
  if (failed(offsets))
    return failure();
  offsets->resize(used);
  scatter(getKind(), updates, *offsets, *numElements(part), out[0]);
  return success();
}
