//===- DemandedLoops.cpp - compute the points that are read ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop stops behind the last point whose windows of the outputs are read. At
// points at which windows are read in part, instructions compute that part.
//
//===----------------------------------------------------------------------===//
#include "DemandedPlaces.h"
#include "DemandedSlides.h"
#include "DemandedWork.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// How many elements of a window lie in the places before the extent. If each
/// point along an axis of the loop has a block of them, that depends on its
/// index.
AffineExpr DemandedWork::extentOfWindow(ForallOp loop,
                                        const AddressSpace &space, size_t axis,
                                        const PaddedPlaces &places) {
  if (AffineExpr extent = extentBefore(space, axis, places))
    return extent;
  size_t rank = space.shape.size() - loop.getExtents().size();
  std::optional<size_t> &known = blockAxes[loop];
  for (size_t i = 0; i < loop.getExtents().size(); ++i) {
    int64_t step = space.strides[rank + i], stride = space.strides[axis];
    if (loop.getExtents()[i] == 1 || step <= 0 || stride <= 0 ||
        step % stride != 0 || known.value_or(i) != i)
      continue;
    // Of what holds or ends for all of the window there are points, not blocks.
    if (places.stride % (stride * space.shape[axis]) == 0)
      continue;
    // All blocks as one axis.
    AddressSpace all = space;
    all.shape[axis] += (loop.getExtents()[i] - 1) * (step / stride);
    all.shape[rank + i] = 1;
    if (AffineExpr extent = extentBefore(all, axis, places)) {
      known = i;
      return extent - getAffineDimExpr(0, context) * (step / stride);
    }
  }
  return {};
}

/// What is read of the windows of outputs.
void DemandedWork::leave(ForallOp loop) {
  for (BlockArgument window :
       loop.getBody().getArguments().take_back(loop.getOutputs().size())) {
    Value operand = loop->getOperand(window.getArgNumber());
    const Demand outer = demands[rootBuffer(operand)];
    AddressSpace space = AddressSpace::of(loop, window),
                 own = AddressSpace::of(window);
    Demand inner{outer.isRead, /*isReadHere=*/false, {}};
    for (const PaddedPlaces &places : outer.places) {
      if (auto within = carryPlaces(places, space, window, own))
        add(inner.places, *within);
      for (size_t axis = 0; axis < own.shape.size(); ++axis)
        if (own.shape[axis] > 1)
          if (AffineExpr extent = extentOfWindow(loop, space, axis, places))
            if (auto within = placesOf(window, own, axis, extent))
              add(inner.places, *within);
    }
    demands[window] = inner;
  }
}

/// How a window, and the points of a loop, run along an axis of an operand.
struct DemandedWork::AlongOperand {
  /// From the first to behind the last element that a window has.
  int64_t size = 1;
  /// The window's axis, if it is the only one, and steps by one element.
  std::optional<size_t> own;
  /// The loop's axis, if there is one, and what it steps by.
  std::optional<size_t> points;
  int64_t distance = 0;

  /// Nothing if there are more, or some run in other steps.
  static std::optional<AlongOperand> of(ForallOp loop, BlockArgument window,
                                        int64_t stride, int64_t extent);
};

std::optional<DemandedWork::AlongOperand>
DemandedWork::AlongOperand::of(ForallOp loop, BlockArgument window,
                               int64_t stride, int64_t extent) {
  AlongOperand result;
  AddressSpace space = AddressSpace::of(loop, window);
  size_t rank = space.shape.size() - loop.getExtents().size(), own = 0;
  // How far others reach from an element of the axis.
  int64_t within = 0;
  for (auto [i, size] : llvm::enumerate(space.shape)) {
    int64_t step = space.strides[i];
    if (size <= 1 || step % (stride * extent) == 0)
      continue;
    if (step > 0 && step < stride) {
      within += (size - 1) * step;
      continue;
    }
    if (step < 0 || step % stride != 0 || (i >= rank && result.points))
      return std::nullopt;
    if (i >= rank) {
      result.points = i - rank;
      result.distance = step / stride;
      continue;
    }
    result.size += (size - 1) * (step / stride);
    result.own = i;
    if (++own > 1 || step != stride)
      result.own.reset();
  }
  return within < stride ? std::optional(result) : std::nullopt;
}

/// Makes what is read of a part that slides what is read of its source.
void DemandedWork::readSlide(SlideOp slide, AddressSpace &space,
                             SmallVectorImpl<AffineExpr> &extents,
                             AffineExpr endOfSource) {
  std::optional<SlideAlong> along = SlideAlong::of(slide);
  extents.resize(space.shape.size());
  if (!along)
    return;
  size_t axis = along->axis;
  AffineExpr end = extents[axis];
  if (!end)
    end = getAffineConstantExpr(space.shape[axis], context);
  std::optional<size_t> &known = blockAxes[slide->getParentOp()];
  if (known.value_or(along->loopAxis) == along->loopAxis) {
    known = along->loopAxis;
    extents[axis] = order.simplest(end + along->start);
  } else {
    extents[axis] = end + along->most;
  }
  if (endOfSource &&
      !(extents[axis] && order.isAtLeast(endOfSource, extents[axis])))
    extents[axis] = endOfSource;
  space.offset = 0;
  space.shape[axis] += along->most;
}

/// What is read along an axis of an operand, of what is read of its windows at
/// the first `points` points: where the window of a point begins, and how much
/// of it is read, of which the point's index may fall out.
AffineExpr DemandedWork::readAlong(ForallOp loop, const AlongOperand &along,
                                   AffineExpr inner,
                                   ArrayRef<AffineExpr> points) {
  std::optional<size_t> axis = along.points;
  bool varies = inner && inner.isFunctionOfDim(0);
  if (varies && !axis)
    axis = blockAxes[loop];
  if (varies && axis != blockAxes[loop])
    inner = {};
  if (!axis || (!inner && !points[*axis]))
    return inner;
  if (!inner)
    inner = getAffineConstantExpr(along.size, context);
  AffineExpr count = points[*axis];
  if (!count)
    count = getAffineConstantExpr(loop.getExtents()[*axis], context);
  AffineExpr start = getAffineDimExpr(0, context) * along.distance,
             end = order.simplest(start + inner);
  return end ? largestOfPoints(end, count) : end;
}

/// What is read of an operand, of what is read of its windows at the first
/// `points` points.
void DemandedWork::readWindows(ForallOp loop, BlockArgument window,
                               ArrayRef<AffineExpr> points) {
  Value operand = loop->getOperand(window.getArgNumber());
  AddressSpace whole = AddressSpace::of(operand),
               own = AddressSpace::of(window);
  SmallVector<AffineExpr> needed(whole.shape.size());
  for (size_t axis = 0; axis < whole.shape.size(); ++axis) {
    if (whole.shape[axis] <= 1 || whole.strides[axis] <= 0)
      continue;
    auto along =
        AlongOperand::of(loop, window, whole.strides[axis], whole.shape[axis]);
    if (!along)
      continue;
    AffineExpr inner;
    if (along->own)
      inner = demandAlong(window, own, *along->own);
    needed[axis] = readAlong(loop, *along, inner, points);
  }
  SmallVector<PaddedPlaces> carried;
  for (const PaddedPlaces &places : demands[window].places)
    if (!places.contents.extent.isFunctionOfDim(0))
      if (auto there = carryPlaces(places, own, rootBuffer(operand),
                                   AddressSpace::of(loop, window)))
        add(carried, *there);
  read(operand, needed, carried);
}

void DemandedWork::run(ForallOp loop) {
  auto outputs =
      loop.getBody().getArguments().drop_front(loop.getInputs().size());
  SmallVector<AffineExpr> points;
  for (size_t axis = 0; axis < loop.getExtents().size(); ++axis)
    points.push_back(
        order.largest(llvm::map_to_vector(outputs, [&](BlockArgument window) {
          size_t rank = cast<MemRefType>(window.getType()).getRank();
          return demandAlong(
              rootBuffer(loop->getOperand(window.getArgNumber())),
              AddressSpace::of(loop, window), rank + axis);
        })));
  points = limit(loop, loop.getExtents(), points);
  leave(loop);
  run(loop.getBody().front());
  for (BlockArgument window : loop.getBody().getArguments())
    if (demands[window].isReadHere)
      readWindows(loop, window, points);
}
