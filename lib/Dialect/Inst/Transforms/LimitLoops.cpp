//===- LimitLoops.cpp - compute the points that are valid -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A loop whose windows hold padding alone at its last points stops before them.
// At the point where padding begins, instructions compute what is before it.
//
//===----------------------------------------------------------------------===//
#include "LimitWork.h"
#include "LoopOperand.h"
#include "glow/Dialect/Inst/Analysis/Padding.h"
#include "glow/Dialect/Inst/IR/WorkLimits.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

static bool holdPadding(const PaddedPlaces &places) {
  return places.contents.along == Along::Padding && !places.contents.origin;
}

/// Whether a mask has put one number in the place of padding, and all of it.
static bool holdMasked(const PaddedPlaces &places) {
  return places.contents.isMasked() && !places.contents.origin;
}

/// How many positions each point along an axis of the loop goes on, if the
/// window is a part of a constant that counts its positions along `axis`.
static std::optional<int64_t> positionsPerPoint(ForallOp loop,
                                                BlockArgument window,
                                                size_t axis, size_t loopAxis) {
  Value operand = loop->getOperand(window.getArgNumber());
  int64_t stride = layoutOf(window).strides[axis];
  auto type = cast<MemRefType>(operand.getType());
  bool isPart =
      type.getRank() == cast<MemRefType>(window.getType()).getRank() &&
      layoutOf(operand).strides[axis] == stride && stride > 0 &&
      holdsPositions(operand, axis);
  int64_t step = loop.getStepsOf(window.getArgNumber())[loopAxis];
  return isPart && step % stride == 0 ? std::optional(step / stride)
                                      : std::nullopt;
}

/// The first of the positions that a buffer holds along an axis; null if it
/// holds none.
AffineExpr WorkLimiter::firstPosition(Value buffer, size_t axis) {
  AffineExpr zero = getAffineConstantExpr(0, context);
  if (holdsPositions(buffer, axis))
    return zero;
  auto window = dyn_cast<BlockArgument>(buffer);
  auto loop = window ? dyn_cast<ForallOp>(window.getOwner()->getParentOp())
                     : ForallOp();
  if (!loop)
    return {};
  // Along an axis of the loop that is not that of blocks nothing may move.
  AffineExpr first = zero;
  for (size_t i = 0; i < loop.getExtents().size(); ++i) {
    auto each = positionsPerPoint(loop, window, axis, i);
    if (!each || (*each && blockAxes[loop] != i))
      return {};
    first = first + getAffineDimExpr(0, context) * *each;
  }
  return first;
}

/// The first axis along which points have blocks of a longer axis with padding,
/// or else with what masks have put there, or of positions.
std::optional<size_t> WorkLimiter::blockAxisOf(ForallOp loop) {
  size_t axes = loop.getExtents().size();
  for (auto *holds : {holdPadding, holdMasked})
    for (BlockArgument window : loop.getBody().getArguments()) {
      AddressSpace space = AddressSpace::of(loop, window);
      size_t rank = space.shape.size() - axes;
      Value operand = loop->getOperand(window.getArgNumber());
      for (const PaddedPlaces &places : buffers[rootBuffer(operand)].places)
        for (size_t i = 0; i < rank * axes && holds(places); ++i)
          if (space.shape[i / axes] > 1 &&
              space.extentOfBlock(i / axes, rank + i % axes, places))
            return i % axes;
    }
  for (BlockArgument window : loop.getBody().getArguments()) {
    size_t rank = cast<MemRefType>(window.getType()).getRank();
    for (size_t i = 0; i < rank * axes; ++i)
      if (positionsPerPoint(loop, window, i / axes, i % axes).value_or(0))
        return i % axes;
  }
  return std::nullopt;
}

/// What windows hold, of what their operands do.
void WorkLimiter::enter(ForallOp loop) {
  std::optional<size_t> blocks = blockAxes[loop] = blockAxisOf(loop);
  for (BlockArgument window : loop.getBody().getArguments()) {
    Value whole = loop->getOperand(window.getArgNumber());
    const PaddedBuffer operand = buffers[rootBuffer(whole)];
    AddressSpace space = AddressSpace::of(loop, window),
                 own = AddressSpace::of(window);
    PaddedBuffer inner;
    inner.isSymbolic = operand.isSymbolic;
    inner.isWritten = operand.isWritten;
    if (cast<MemRefType>(whole.getType()).getNumElements() == 1)
      inner.values[0] = valueIn(whole);
    for (const PaddedPlaces &places : operand.places)
      for (size_t axis = 0; axis < own.shape.size(); ++axis) {
        if (own.shape[axis] == 1)
          continue;
        AffineExpr extent = space.extentAlong(axis, places);
        if (!extent && blocks && (holdPadding(places) || holdMasked(places)))
          extent =
              space.extentOfBlock(axis, own.shape.size() + *blocks, places);
        if (!extent)
          continue;
        PaddedPlaces within{own.strides[axis], own.shape[axis],
                            places.contents};
        within.contents.extent = extent;
        inner.places.push_back(within);
      }
    buffers[window] = inner;
  }
}

AxisContents WorkLimiter::alongLoop(ForallOp loop, BlockArgument window,
                                    size_t axis) {
  Value operand = loop->getOperand(window.getArgNumber());
  size_t rank = cast<MemRefType>(window.getType()).getRank();
  return buffers[rootBuffer(operand)].along(AddressSpace::of(loop, window),
                                            rank + axis);
}

/// What the buffers of a loop's body hold at a point, of which nothing is told
/// apart, by the roots of views.
using PointContents = DenseMap<Value, AxisContents>;

static void write(PointContents &known, Value output,
                  const AxisContents &contents) {
  Value root = rootBuffer(output);
  bool isWhole = cast<MemRefType>(output.getType()).getNumElements() ==
                 cast<MemRefType>(root.getType()).getNumElements();
  auto [entry, isNew] = known.try_emplace(root, contents);
  if (!isNew)
    entry->second = isWhole ? contents : combine({entry->second, contents});
}

/// Follows the instructions of a point; false if that is not known of one.
static bool followPoint(Block &body, PointContents &known) {
  for (Operation &op : body) {
    if (namesBuffer(&op))
      continue;
    if (auto loop = dyn_cast<ForallOp>(op)) {
      auto windows = loop.getBody().getArguments();
      for (BlockArgument window : windows)
        known[window] =
            known.lookup(rootBuffer(loop->getOperand(window.getArgNumber())));
      if (!followPoint(loop.getBody().front(), known))
        return false;
      for (BlockArgument window : windows.take_back(loop.getOutputs().size()))
        write(known, loop->getOperand(window.getArgNumber()),
              known.lookup(window));
      continue;
    }
    std::optional<OperandAxes> axes = OperandAxes::of(&op);
    if (!axes)
      return false;
    SmallVector<AxisContents> inputs;
    for (Value input : axes->inputs)
      inputs.push_back(known.lookup(rootBuffer(input)));
    auto outputs = axes->contents(inputs);
    for (auto [output, contents] : llvm::zip_equal(axes->outputs, outputs))
      write(known, output, contents);
  }
  return true;
}

/// What a point's windows of the outputs hold, if that of the inputs is padding
/// as a whole.
AxisContents WorkLimiter::contentsAlong(ForallOp loop, size_t axis) {
  PointContents known;
  for (BlockArgument window : loop.getBody().getArguments())
    known[window] = alongLoop(loop, window, axis);
  if (!followPoint(loop.getBody().front(), known))
    return {};
  SmallVector<AxisContents> results;
  for (BlockArgument window :
       loop.getBody().getArguments().take_back(loop.getOutputs().size()))
    results.push_back(known.lookup(window));
  bool isPadding = llvm::all_of(results, [&](const AxisContents &result) {
    return result.along == Along::Padding &&
           result.extent == results.front().extent;
  });
  return isPadding ? results.front() : AxisContents();
}

/// The extent of which `points` windows of `perPoint` elements hold all.
AffineExpr WorkLimiter::elementsOf(ForallOp loop, AffineExpr points,
                                   int64_t perPoint) {
  for (Value input : loop.getInputs())
    for (const PaddedPlaces &places : buffers[rootBuffer(input)].places)
      if (places.contents.extent.ceilDiv(perPoint) == points)
        return places.contents.extent;
  return points * perPoint;
}

/// What a mask has put in all blocks of an operand's axis, of what it has put
/// in that of a point; nothing if it has put none or blocks are not all of it.
AxisContents WorkLimiter::maskOfBlocks(ForallOp loop, BlockArgument window,
                                       size_t axis) {
  AddressSpace own = AddressSpace::of(window),
               whole =
                   AddressSpace::of(loop->getOperand(window.getArgNumber()));
  if (!blockAxes[loop] || own.shape.size() != whole.shape.size())
    return {};
  size_t loopAxis = *blockAxes[loop];
  AxisContents contents = buffers[window].along(own, axis);
  int64_t size = own.shape[axis], stride = own.strides[axis];
  if (!contents.isMasked() || contents.origin || size <= 1 ||
      whole.strides[axis] != stride ||
      loop.getStepsOf(window.getArgNumber())[loopAxis] != size * stride ||
      whole.shape[axis] != size * loop.getExtents()[loopAxis])
    return {};
  contents.extent = simplifyAffineExpr(
      contents.extent + getAffineDimExpr(0, context) * size, 1, numSymbols);
  return contents.extent.isFunctionOfDim(0) ? AxisContents() : contents;
}

/// What the operands hold afterwards, of what windows do.
void WorkLimiter::leave(ForallOp loop) {
  for (BlockArgument window :
       loop.getBody().getArguments().take_back(loop.getOutputs().size())) {
    Value operand = loop->getOperand(window.getArgNumber());
    AddressSpace whole = AddressSpace::of(operand);
    PaddedBuffer &inner = buffers[window];
    SmallVector<AxisContents> masks;
    for (size_t axis = 0; axis < whole.shape.size(); ++axis)
      masks.push_back(maskOfBlocks(loop, window, axis));
    llvm::erase_if(inner.places, [](const PaddedPlaces &places) {
      return places.contents.extent.isFunctionOfDim(0);
    });
    SmallVector<AxisContents> contents;
    for (size_t axis = 0; axis < whole.shape.size(); ++axis)
      contents.push_back(masks[axis].isMasked() ? masks[axis]
                                                : inner.along(whole, axis));
    if (AffineMap limits = limitsOf(loop))
      for (size_t axis = 0; axis < whole.shape.size(); ++axis)
        for (auto [i, step] :
             llvm::enumerate(loop.getStepsOf(window.getArgNumber()))) {
          AffineExpr points = limits.getResult(i);
          int64_t stride = whole.strides[axis];
          if (isa<AffineConstantExpr>(points) || stride == 0 ||
              step % stride != 0 ||
              step / stride * loop.getExtents()[i] != whole.shape[axis])
            continue;
          contents[axis].along = Along::Padding;
          contents[axis].extent = elementsOf(loop, points, step / stride);
        }
    bool symbolic = inner.isSymbolic;
    const IndexDigits digits = inner.digits;
    write(operand, contents, symbolic);
    noteDigits(operand, digits);
  }
}

void WorkLimiter::run(ForallOp loop) {
  enter(loop);
  run(loop.getBody().front());
  SmallVector<AffineExpr> extents;
  for (size_t axis = 0; axis < loop.getExtents().size(); ++axis)
    extents.push_back(loop.getExtents()[axis] > 1
                          ? contentsAlong(loop, axis).extent
                          : AffineExpr());
  limit(loop, loop.getExtents(), extents);
  readWindows(loop, extents);
  leave(loop);
}

/// Rows of histories that a loop over steps does not reach are padding.
void WorkLimiter::run(ForStepsOp loop) {
  for (Value operand : loop->getOperands())
    readAll(operand);
  auto made = [&](Value output, AffineExpr steps) {
    SmallVector<AxisContents> contents(shapeOf(output).size());
    SmallVector<AffineExpr> extents;
    if (auto known = loop.getExtents())
      extents = {known->getResult(0), steps};
    for (auto [along, extent] : llvm::zip(contents, extents))
      if (extent && !isa<AffineConstantExpr>(extent))
        along = {Along::Padding, extent};
    write(output, contents, /*symbolic=*/false);
  };
  for (Value state : loop.getStates())
    made(state, AffineExpr());
  // The row behind the last step's is read where there is no step.
  AffineExpr rows;
  if (auto known = loop.getExtents()) {
    AffineExpr steps = known->getResult(1);
    bool isBehind = loop.getReversed() &&
                    order.isAtLeast(steps, getAffineConstantExpr(1, context));
    rows = steps + (isBehind ? 0 : loop.numRowsBefore());
  }
  for (Value history : loop.getHistories())
    made(history, rows);
}

/// Makes the values of the symbols the last input of a loop that reads them,
/// and the index of the point the one before if limits depend on it.
void WorkLimiter::passSymbols(ForallOp loop) {
  bool isLimited(limitsOf(loop)), variesByPoint = false;
  for (Operation &op : loop.getBody().front())
    if (AffineMap limits = limitsOf(&op)) {
      isLimited = true;
      variesByPoint |= limits.getNumDims() > 0;
    }
  if (!isLimited)
    return;
  if (variesByPoint)
    passPoints(loop, *blockAxes[loop]);
  passWhole(loop, symbols);
}

/// What has been left out may not be read at points of a loop, nor may a loop
/// leave out a part of its outputs.
void WorkLimiter::readWindows(ForallOp loop, ArrayRef<AffineExpr> limits) {
  for (BlockArgument window : loop.getBody().getArguments()) {
    Value operand = loop->getOperand(window.getArgNumber());
    if (window.getArgNumber() < loop.getInputs().size()) {
      size_t rank = cast<MemRefType>(window.getType()).getRank();
      leftOut.readWindows(AddressSpace::of(loop, window), rank, limits,
                          buffers[rootBuffer(operand)]);
    } else {
      readAll(window);
      readAll(operand);
    }
  }
}
