//===- SplitReductions.cpp - reductions to few columns in two steps -------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The mean of all pixels of a channel has few results, so few threads could
// compute it, each of which would read what all others have just written. The
// parts that this pass makes are divided as the pixels are: each thread reduces
// what is in its own cache. How many there are depends on the shape alone, so
// sums are the same for any number of threads.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "glow/Dialect/Inst/Analysis/StridedRegions.h"
#include "glow/Dialect/Inst/Transforms/Passes.h"

namespace mlir::glow::inst {
#define GEN_PASS_DEF_SPLITREDUCTIONS
#include "glow/Dialect/Inst/Transforms/Passes.h.inc"
} // namespace mlir::glow::inst

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// The most parts, which more threads than that would share.
static constexpr int64_t kMostParts = 8;
/// Elements for which a second instruction is worth it: 128 KB of f32.
static constexpr int64_t kLeastElements = 1 << 15;

namespace {
/// The outermost reduced axis, cut into `parts` of equal length.
struct Cut {
  int64_t axis, parts;
};

struct SplitReductions
    : public inst::impl::SplitReductionsBase<SplitReductions> {
  void runOnOperation() override {
    // Parts of an axis with padding would have different extents.
    if (symbolsArgument(getOperation()))
      return;
    SmallVector<ReduceOp> reductions;
    for (Block &block : getOperation().getBody())
      llvm::append_range(reductions, block.getOps<ReduceOp>());
    for (ReduceOp reduce : reductions)
      split(reduce);
  }

private:
  void split(ReduceOp reduce);
};
} // namespace

/// Halves would be rounded once more.
static bool isAsWideAsSums(Type element) {
  return element.isF32() || element.isF64() || element.isInteger(32) ||
         element.isInteger(64);
}

static std::optional<Cut> chooseCut(ReduceOp reduce) {
  SmallVector<int64_t> space = reduce.getSpace();
  ArrayRef<int64_t> axes = reduce.getAxes();
  if (axes.empty() || ShapedType::getNumElements(space) < kLeastElements ||
      !isAsWideAsSums(
          cast<MemRefType>(reduce.getOutput().getType()).getElementType()))
    return std::nullopt;
  // Rows are reduced one by one: there are many of them.
  int64_t last = space.size() - 1;
  if (llvm::is_contained(axes, last))
    return std::nullopt;
  int64_t axis = *llvm::min_element(axes), images = 1;
  for (int64_t extent : ArrayRef(space).take_front(axis))
    images *= extent;
  for (int64_t parts = kMostParts / images; parts > 1; --parts)
    if (space[axis] % parts == 0)
      return Cut{axis, parts};
  return std::nullopt;
}

/// The same elements with the parts as an axis of their own.
static Value cutAxis(OpBuilder &builder, Location loc, Value input,
                     const Cut &cut, int64_t rank) {
  auto type = cast<MemRefType>(input.getType());
  int64_t axis = cut.axis - (rank - type.getRank());
  if (axis < 0)
    return input;
  StridedLayout layout = layoutOf(input);
  SmallVector<int64_t> shape(type.getShape());
  int64_t parts = shape[axis] == 1 ? 1 : cut.parts;
  shape[axis] /= parts;
  shape.insert(shape.begin() + axis, parts);
  layout.strides.insert(layout.strides.begin() + axis,
                        layout.strides[axis] * shape[axis + 1]);
  MemRefType view = viewType(type, shape, layout.strides, layout.offset);
  return ViewOp::create(builder, loc, view, rootBuffer(input));
}

void SplitReductions::split(ReduceOp reduce) {
  std::optional<Cut> cut = chooseCut(reduce);
  if (!cut)
    return;
  OpBuilder builder(reduce);
  Location loc = reduce.getLoc();
  int64_t rank = reduce.getSpace().size();
  SmallVector<Value> inputs;
  for (Value input : reduce.getInputs())
    inputs.push_back(cutAxis(builder, loc, input, *cut, rank));
  // No kept axis lies behind a reduced one and before the cut.
  SmallVector<int64_t> axes;
  for (int64_t axis : reduce.getAxes())
    axes.push_back(axis + 1);
  auto output = cast<MemRefType>(reduce.getOutput().getType());
  SmallVector<int64_t> shape(output.getShape());
  shape.insert(shape.begin() + cut->axis, cut->parts);
  Value results = AllocOp::create(
      builder, loc, MemRefType::get(shape, output.getElementType()),
      IntegerAttr());
  auto parts =
      ReduceOp::create(builder, loc, reduce.getKind(), inputs, results, axes);
  parts.getBody().takeBody(reduce.getBody());
  ReduceOp::create(builder, loc, reduce.getKind(), results, reduce.getOutput(),
                   cut->axis);
  reduce.erase();
}
