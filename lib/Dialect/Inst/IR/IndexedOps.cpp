//===- IndexedOps.cpp - instructions whose data say what is read ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OperandChecks.h"
#include "glow/Dialect/Glow/IR/BoundedShapes.h"

using namespace mlir;
using namespace mlir::glow::inst;

LogicalResult GatherOp::verify() {
  if (failed(verifyAxis(*this, getAxis(), getInput())) ||
      failed(verifyIndices(*this, getIndices())) ||
      failed(verifySameElement(*this, getInput(), getOutput())) ||
      failed(verifyIndexExtents(*this, getIndexExtents(),
                                shapeOf(getIndices()).size())))
    return failure();
  ArrayRef<int64_t> input = shapeOf(getInput());
  SmallVector<int64_t> wanted(input.take_front(getAxis()));
  llvm::append_range(wanted, shapeOf(getIndices()));
  llvm::append_range(wanted, input.drop_front(getAxis() + 1));
  return verifyShape(*this, "output", getOutput(), wanted);
}

/// Indices of single elements of `data`; see glow.scatter_elements.
static LogicalResult verifyPlaces(Operation *op, Value data, Value indices,
                                  int64_t axis) {
  ArrayRef<int64_t> whole = shapeOf(data), own = shapeOf(indices);
  if (own.size() != whole.size())
    return op->emitOpError("indices need the rank ") << whole.size();
  for (auto [i, extent, count] : llvm::enumerate(whole, own))
    if (static_cast<int64_t>(i) != axis && count > extent)
      return op->emitOpError("has indices for ")
             << count << " elements on axis " << i << ", which has " << extent;
  return success();
}

LogicalResult GatherElementsOp::verify() {
  if (failed(verifyAxis(*this, getAxis(), getInput())) ||
      failed(verifyIndices(*this, getIndices())) ||
      failed(verifySameElement(*this, getInput(), getOutput())))
    return failure();
  if (failed(verifyPlaces(*this, getInput(), getIndices(), getAxis())))
    return failure();
  return verifyShape(*this, "output", getOutput(), shapeOf(getIndices()));
}

LogicalResult WalkTreesOp::verify() {
  if (failed(verifySameElement(*this, getInput(), getThresholds())) ||
      failed(verifyIndices(*this, getLinks())) ||
      failed(verifyIndices(*this, getRoots())) ||
      failed(verifySameElement(*this, getRoots(), getOutput())))
    return failure();
  ArrayRef<int64_t> input = shapeOf(getInput()), roots = shapeOf(getRoots()),
                    nodes = shapeOf(getThresholds());
  if (!isa<FloatType>(elementOf(getInput())) || input.size() != 2 ||
      input[1] == 0 || roots.size() != 2 || nodes.size() != 1 || nodes[0] == 0)
    return emitOpError("needs rows of at least one feature, which are floats, "
                       "and tables of nodes and roots");
  if (failed(verifyShape(*this, "table of links", getLinks(), {nodes[0], 3})) ||
      failed(verifyShape(*this, "table of roots", getRoots(), {roots[0], 2})))
    return failure();
  return verifyShape(*this, "output", getOutput(), {input[0], roots[0]});
}

LogicalResult GatherNDOp::verify() {
  if (failed(verifyIndices(*this, getIndices())) ||
      failed(verifySameElement(*this, getInput(), getOutput())))
    return failure();
  ArrayRef<int64_t> input = shapeOf(getInput()),
                    indices = shapeOf(getIndices());
  int64_t batch = getBatchDims();
  if (batch < 0 || indices.empty() || indices.back() < 1 ||
      batch + indices.back() > static_cast<int64_t>(input.size()))
    return emitOpError("indices address no axis, or more than the input has");
  if (batch >= static_cast<int64_t>(indices.size()) ||
      input.take_front(batch) != indices.take_front(batch))
    return emitOpError("the first ")
           << batch << " axes of the input and the indices must agree";
  SmallVector<int64_t> wanted(indices.drop_back());
  llvm::append_range(wanted, input.drop_front(batch + indices.back()));
  return verifyShape(*this, "output", getOutput(), wanted);
}

LogicalResult ScatterElementsOp::verify() {
  if (failed(verifyAxis(*this, getAxis(), getOutput())) ||
      failed(verifyIndices(*this, getIndices())) ||
      failed(verifySameElement(*this, getUpdates(), getOutput())))
    return failure();
  if (failed(verifyPlaces(*this, getOutput(), getIndices(), getAxis())))
    return failure();
  return verifyShape(*this, "updates", getUpdates(), shapeOf(getIndices()));
}

LogicalResult ScatterNDOp::verify() {
  if (failed(verifyIndices(*this, getIndices())) ||
      failed(verifySameElement(*this, getUpdates(), getOutput())))
    return failure();
  ArrayRef<int64_t> output = shapeOf(getOutput()),
                    indices = shapeOf(getIndices());
  if (indices.empty() || indices.back() < 1 ||
      indices.back() > static_cast<int64_t>(output.size()))
    return emitOpError("indices address no axis, or more than the output has");
  if (getCount() && indices.size() < 2)
    return emitOpError("a count needs an axis of places, not one tuple");
  SmallVector<int64_t> wanted(indices.drop_back());
  llvm::append_range(wanted, output.drop_front(indices.back()));
  return verifyShape(*this, "updates", getUpdates(), wanted);
}

LogicalResult NonMaxSuppressionOp::verify() {
  ArrayRef<int64_t> scores = shapeOf(getScores()), room = shapeOf(getIndices());
  if (scores.size() != 3 || room.size() != 3)
    return emitOpError("scores and indices need 3 axes");
  for (Value numbers : {getBoxes(), getThreshold(), getScores(), getChosen()})
    if (!elementOf(numbers).isF32())
      return emitOpError("boxes, threshold and scores must be f32");
  for (Value integers : {getMost(), getIndices(), getCounts()})
    if (!elementOf(integers).isInteger(64))
      return emitOpError("most, indices and counts must be i64");
  if (!elementOf(getOrder()).isInteger(32) ||
      scores[2] > std::numeric_limits<int32_t>::max())
    return emitOpError("order must be i32, and count all boxes");
  int64_t batch = scores[0], classes = scores[1],
          aligned = llvm::alignTo(room[2], kRoomStep);
  if (failed(verifyShape(*this, "boxes", getBoxes(), {batch, 4, scores[2]})) ||
      failed(verifyShape(*this, "most", getMost(), {})) ||
      failed(verifyShape(*this, "threshold", getThreshold(), {})) ||
      failed(verifyShape(*this, "order", getOrder(), scores)) ||
      failed(verifyShape(*this, "chosen", getChosen(),
                         {batch, classes, 4, aligned})) ||
      failed(verifyShape(*this, "indices", getIndices(),
                         {batch, classes, room[2]})))
    return failure();
  return verifyShape(*this, "counts", getCounts(), {batch, classes});
}
