//===- EvaluateGather.cpp - reads at indices ------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Evaluators.h"
#include "Indices.h"
#include "Lanes.h"
#include <cstring>

using namespace mlir;
using namespace mlir::glow;

LogicalResult glow::resolveIndex(Operation *op, int64_t &index, int64_t axis,
                                 int64_t extent) {
  if (index < -extent || index >= extent)
    return op->emitOpError("index ") << index << " is out of range for axis "
                                     << axis << " of extent " << extent;
  if (index < 0)
    index += extent;
  return success();
}

FailureOr<std::vector<int64_t>> glow::tupleOffsets(Operation *op,
                                                   const Tensor &input,
                                                   const Tensor &indices,
                                                   int64_t batchDims) {
  int64_t length = indices.getShape().back();
  SmallVector<int64_t> strides = rowMajorStrides(input.getShape());
  SmallVector<int64_t> places = indices.ints();
  std::vector<int64_t> offsets(*numElements(indices.getShape().drop_back()));
  int64_t batches = *numElements(indices.getShape().take_front(batchDims));
  int64_t perBatch = batches ? offsets.size() / batches : 1;
  int64_t batchSize = *numElements(input.getShape().drop_front(batchDims));
  for (auto [i, offset] : llvm::enumerate(offsets)) {
    offset =
        static_cast<int64_t>(i) / std::max<int64_t>(perBatch, 1) * batchSize;
    for (int64_t j = 0; j < length; ++j) {
      int64_t axis = batchDims + j, index = places[i * length + j];
      if (failed(resolveIndex(op, index, axis, input.getDim(axis))))
        return failure();
      offset += index * strides[axis];
    }
  }
  return offsets;
}

LogicalResult GatherOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput(), indices = in.getIndices();
  int64_t axis = getAxis();
  Dims dims(input.getShape().take_front(axis));
  llvm::append_range(dims, indices.getShape());
  llvm::append_range(dims, input.getShape().drop_front(axis + 1));
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  AxisView view(input.getShape(), axis);
  SmallVector<int64_t> places = indices.ints();
  for (int64_t &place : places)
    if (failed(resolveIndex(*this, place, axis, view.extent)))
      return failure();
  size_t part = view.inner * input.elementBytes();
  char *to = out[0].mutableBytes();
  for (int64_t i = 0; i < view.outer; ++i)
    for (int64_t place : places) {
      std::memcpy(to, input.bytes() + (i * view.extent + place) * part, part);
      to += part;
    }
  return success();
}

LogicalResult GatherElementsOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput(), indices = in.getIndices();
  int64_t axis = getAxis();
  for (int64_t i = 0; i < input.getRank(); ++i)
    if (i != axis && indices.getDim(i) > input.getDim(i))
      return emitOpError("indices have extent ")
             << indices.getDim(i) << " on axis " << i << ", the input only "
             << input.getDim(i);
  if (failed(allocateResult(*this, indices.getShape(), out[0])))
    return failure();
  SmallVector<int64_t> strides = rowMajorStrides(input.getShape());
  SmallVector<int64_t> places = indices.ints();
  unsigned width = input.elementBytes();
  PlaceWalker place(indices.getShape());
  for (auto [i, index] : llvm::enumerate(places)) {
    if (failed(resolveIndex(*this, index, axis, input.getDim(axis))))
      return failure();
    int64_t offset =
        place.offset(strides) + (index - place[axis]) * strides[axis];
    std::memcpy(out[0].mutableBytes() + i * width,
                input.bytes() + offset * width, width);
    place.next();
  }
  return success();
}

LogicalResult GatherNDOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput(), indices = in.getIndices();
  int64_t batchDims = getBatchDims();
  int64_t used = batchDims + indices.getShape().back();
  if (input.getShape().take_front(batchDims) !=
      indices.getShape().take_front(batchDims))
    return emitOpError("input and indices differ in the first ")
           << batchDims << " axes";
  Dims dims(indices.getShape().drop_back());
  llvm::append_range(dims, input.getShape().drop_front(used));
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  FailureOr<std::vector<int64_t>> offsets =
      tupleOffsets(*this, input, indices, batchDims);
  if (failed(offsets))
    return failure();
  unsigned width = input.elementBytes();
  size_t part = *numElements(input.getShape().drop_front(used)) * width;
  char *to = out[0].mutableBytes();
  for (int64_t offset : *offsets) {
    std::memcpy(to, input.bytes() + offset * width, part);
    to += part;
  }
  return success();
}

LogicalResult ReverseSequenceOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  SmallVector<int64_t> lengths = in.getLengths().ints();
  int64_t time = getTimeAxis(), extent = input.getDim(time);
  for (int64_t length : lengths)
    if (length < 0 || length > extent)
      return emitOpError("has a length of ")
             << length << ", outside 0 to " << extent;
  if (failed(allocateResult(*this, input.getShape(), out[0])))
    return failure();
  int64_t stride = rowMajorStrides(input.getShape())[time];
  unsigned width = input.elementBytes();
  PlaceWalker place(input.getShape());
  for (int64_t i = 0; i < input.size(); ++i, place.next()) {
    int64_t at = place[time], length = lengths[place[getBatchAxis()]];
    int64_t from = at < length ? length - 1 - at : at;
    std::memcpy(out[0].mutableBytes() + i * width,
                input.bytes() + (i + (from - at) * stride) * width, width);
  }
  return success();
}

LogicalResult OneHotOp::evaluate(Inputs in, Outputs out) {
  SmallVector<int64_t> depth = in.getDepth().ints();
  Tensor indices = in.getIndices(), values = in.getValues();
  if (depth.size() != 1 || depth[0] < 1 || values.size() != 2)
    return emitOpError("needs one positive depth and two values");
  Dims dims(indices.getShape());
  dims.insert(dims.begin() + getAxis(), depth[0]);
  if (failed(allocateResult(*this, dims, out[0])))
    return failure();
  AxisView view(dims, getAxis());
  SmallVector<int64_t> places = indices.ints();
  unsigned width = values.elementBytes();
  char *to = out[0].mutableBytes();
  for (int64_t i = 0; i < out[0].size(); ++i) {
    int64_t row = i / view.inner % view.extent;
    int64_t index =
        places[i / view.inner / view.extent * view.inner + i % view.inner];
    bool on = index == row || index == row - depth[0];
    std::memcpy(to + i * width, values.bytes() + (on ? width : 0), width);
  }
  return success();
}

LogicalResult NonZeroOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  std::vector<double> lanes = input.readAll<double>();
  int64_t count = llvm::count_if(lanes, [](double lane) { return lane != 0; });
  if (failed(allocateResult(*this, {input.getRank(), count}, out[0])))
    return failure();
  PlaceWalker place(input.getShape());
  int64_t column = 0;
  for (double lane : lanes) {
    if (lane != 0) {
      for (int64_t axis = 0; axis < input.getRank(); ++axis)
        out[0].write(axis * count + column, 1, &(*place)[axis]);
      ++column;
    }
    place.next();
  }
  return success();
}

namespace {
/// A box by its edges.
struct Box {
  float top, left, bottom, right;
  float area() const { return (bottom - top) * (right - left); }
  /// Whether more than a part of what two boxes cover is in both.
  bool overlaps(const Box &other, float part) const {
    float height = std::min(bottom, other.bottom) - std::max(top, other.top);
    float width = std::min(right, other.right) - std::max(left, other.left);
    float shared = std::max(height, 0.0f) * std::max(width, 0.0f);
    return shared > 0 && shared / (area() + other.area() - shared) > part;
  }
};
} // namespace

/// The places of the boxes that are chosen, the best first.
static std::vector<int64_t> chooseBoxes(ArrayRef<float> edges,
                                        ArrayRef<float> scores, float part,
                                        int64_t most) {
  int64_t count = scores.size();
  auto box = [&](int64_t i) {
    return Box{edges[i], edges[count + i], edges[2 * count + i],
               edges[3 * count + i]};
  };
  std::vector<int64_t> order, chosen;
  for (int64_t i = 0; i < count; ++i)
    if (!std::isnan(scores[i]))
      order.push_back(i);
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return scores[a] > scores[b] || (scores[a] == scores[b] && a < b);
  });
  for (int64_t i : order) {
    if (static_cast<int64_t>(chosen.size()) >= most)
      break;
    if (llvm::none_of(chosen, [&](int64_t other) {
          return box(i).overlaps(box(other), part);
        }))
      chosen.push_back(i);
  }
  return chosen;
}

LogicalResult NonMaxSuppressionOp::evaluate(Inputs in, Outputs out) {
  Tensor scores = in.getScores(), boxes = in.getBoxes();
  int64_t batch = scores.getShape()[0], classes = scores.getShape()[1],
          count = scores.getShape()[2], room = getLimit().value_or(count);
  if (boxes.getShape() != ArrayRef<int64_t>{batch, 4, count})
    return emitOpError("has [") << boxes.getShape() << "] edges of boxes for ["
                                << scores.getShape() << "] scores";
  if (failed(allocateResult(*this, {batch, classes, room}, out[0], 0)) ||
      failed(allocateResult(*this, {batch, classes}, out[1], 1)))
    return failure();
  auto floats = [](const Tensor &tensor) {
    return llvm::to_vector_of<float>(tensor.readAll<double>());
  };
  SmallVector<float> edges = floats(boxes), numbers = floats(scores);
  int64_t most = std::min(in.getMost().ints().front(), room);
  float part = floats(in.getThreshold()).front();
  for (int64_t row = 0; row < batch * classes; ++row) {
    std::vector<int64_t> chosen =
        chooseBoxes(ArrayRef(edges).slice(row / classes * 4 * count, 4 * count),
                    ArrayRef(numbers).slice(row * count, count), part, most);
    int64_t size = chosen.size();
    out[1].write(row, 1, &size);
    chosen.resize(room, 0);
    out[0].write(row * room, room, chosen.data());
  }
  return success();
}
