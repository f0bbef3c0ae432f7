//===- ImageUses.cpp - what an image needs of an instruction --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ImageUses.h"
#include "ParallelAxes.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace mlir::glow::inst;

static constexpr int64_t kNone = ImageUses::kNone;

/// Of a convolution or a pool: the weights, and what is broadcast along the
/// images, are needed by all.
static SmallVector<int64_t> windowed(Operation *op, bool hasFilter) {
  SmallVector<int64_t> axes;
  int64_t rank = typeOf(op->getOperands().back()).getRank();
  for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
    bool isShared = (hasFilter && i == 1) || typeOf(operand).getRank() < rank ||
                    typeOf(operand).getDimSize(0) == 1;
    axes.push_back(isShared ? kNone : 0);
  }
  return axes;
}

/// Each buffer is filled by itself; one without axes would be filled for each
/// image.
static SmallVector<int64_t> filled(FillOp fill) {
  if (llvm::any_of(fill->getOperands(),
                   [](Value buffer) { return typeOf(buffer).getRank() == 0; }))
    return {};
  return SmallVector<int64_t>(fill->getNumOperands(), 0);
}

/// The largest element of a buffer, counted from its first one.
static int64_t reachOf(ArrayRef<int64_t> shape, ArrayRef<int64_t> strides) {
  int64_t reach = 0;
  for (auto [extent, stride] : llvm::zip(shape, strides))
    reach += (extent - 1) * stride;
  return reach;
}

/// The axis of a loop's operand along which images follow each other, if the
/// points of an image see nothing of others.
static std::optional<int64_t> axisIn(ForallOp loop, unsigned operand,
                                     int64_t images) {
  ArrayRef<int64_t> steps = loop.getStepsOf(operand);
  if (steps.front() == 0)
    return kNone;
  Value buffer = loop->getOperand(operand);
  StridedLayout layout = layoutOf(buffer);
  SmallVector<int64_t> shape(typeOf(buffer).getShape()),
      points(loop.getExtents());
  points.front() /= images;
  for (auto [axis, extent] : llvm::enumerate(shape)) {
    if (extent % images != 0 ||
        layout.strides[axis] * (extent / images) != steps[0] * points[0])
      continue;
    shape[axis] /= images;
    BlockArgument window = loop.getBody().getArgument(operand);
    if (reachOf(points, steps) +
            reachOf(typeOf(window).getShape(), layoutOf(window).strides) >
        reachOf(shape, layout.strides))
      return std::nullopt;
    return axis;
  }
  return std::nullopt;
}

/// Of a loop whose points belong to one image each.
static SmallVector<int64_t> looped(ForallOp loop, int64_t images) {
  SmallVector<int64_t> axes;
  if (loop.getExtents().front() % images != 0)
    return axes;
  for (auto slide : loop.getBody().getOps<SlideOp>())
    if (!slide.getStartsAlong(0).empty())
      return axes;
  for (unsigned i = 0; i < loop->getNumOperands(); ++i) {
    std::optional<int64_t> axis = axisIn(loop, i, images);
    if (!axis)
      return {};
    axes.push_back(*axis);
  }
  return axes;
}

/// The first axis along which the instruction is parallel.
static SmallVector<int64_t> parallel(Operation *op, int64_t images) {
  SmallVector<int64_t> axes;
  std::optional<ParallelAxes> all = ParallelAxes::of(op);
  if (all && all->extents.front() % images == 0)
    for (ArrayRef<int64_t> operand : all->operandAxes)
      axes.push_back(operand.front());
  return axes;
}

std::optional<ImageUses> ImageUses::of(Operation *op, int64_t images) {
  // Scratch memory of loops is in the default space.
  if (llvm::any_of(op->getOperandTypes(), [](Type type) {
        auto buffer = dyn_cast<MemRefType>(type);
        return !buffer || buffer.getMemorySpace() ||
               buffer.getNumElements() == 0;
      }))
    return std::nullopt;
  using Axes = SmallVector<int64_t>;
  ImageUses uses{
      images,
      llvm::TypeSwitch<Operation *, Axes>(op)
          .Case([](ConvOp conv) { return windowed(conv, true); })
          .Case([](PoolOp pool) { return windowed(pool, false); })
          .Case([](FillOp fill) { return filled(fill); })
          .Case([&](ForallOp loop) { return looped(loop, images); })
          .Default([&](Operation *op) { return parallel(op, images); })};
  if (uses.axes.empty())
    return std::nullopt;
  // Images follow each other evenly, and steps run forwards.
  for (auto [operand, axis] : llvm::zip(op->getOperands(), uses.axes))
    if (axis != kNone && (typeOf(operand).getDimSize(axis) % images != 0 ||
                          layoutOf(operand).strides[axis] <= 0))
      return std::nullopt;
  return uses;
}

int64_t ImageUses::step(Value buffer, unsigned operand) const {
  int64_t axis = axes[operand];
  return axis == kNone ? 0
                       : layoutOf(buffer).strides[axis] *
                             (typeOf(buffer).getDimSize(axis) / images);
}

MemRefType ImageUses::part(Value buffer, unsigned operand) const {
  SmallVector<int64_t> shape(typeOf(buffer).getShape());
  if (axes[operand] != kNone)
    shape[axes[operand]] /= images;
  StridedLayout layout = layoutOf(buffer);
  return viewType(typeOf(buffer), shape, layout.strides, layout.offset);
}

Operation *ImageUses::cloneFor(OpBuilder &builder, Operation *op,
                               ValueRange operands) const {
  Operation *copy = builder.clone(*op);
  copy->setOperands(operands);
  if (auto loop = dyn_cast<ForallOp>(copy)) {
    SmallVector<int64_t> extents(loop.getExtents());
    extents.front() /= images;
    loop.setExtents(extents);
  }
  return copy;
}
