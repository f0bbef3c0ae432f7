//===- LowerPadding.cpp - borders, or gathers of what they repeat ---------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"

using namespace mlir;
using namespace mlir::glow;

/// The border gets the value, the rest a copy of what remains of the input.
static void lowerConstantPad(PadOp op, ArrayRef<int64_t> pads,
                             InstLowering &lowering) {
  Value input = lowering.buffer(op.getInput());
  Value output = lowering.allocate(op.getResult());
  auto fill = [&](Value slab) {
    if (op.getValue())
      lowering.copy(lowering.broadcast(lowering.buffer(op.getValue()),
                                       inst::shapeOf(slab)),
                    slab);
    else
      lowering.fill(slab, 0.0);
  };
  int64_t rank = inst::shapeOf(input).size();
  SmallVector<int64_t> before, after;
  for (int64_t axis = 0; axis < rank; ++axis) {
    int64_t cropBefore = std::max<int64_t>(-pads[axis], 0);
    int64_t cropAfter = std::max<int64_t>(-pads[rank + axis], 0);
    int64_t size = inst::shapeOf(input)[axis] - cropBefore - cropAfter;
    if (size <= 0)
      return fill(output); // More is cropped than there is.
    before.push_back(std::max<int64_t>(pads[axis], 0));
    after.push_back(std::max<int64_t>(pads[rank + axis], 0));
    if (size != inst::shapeOf(input)[axis])
      input = lowering.slice(input, axis, cropBefore, size);
  }
  lowering.copy(input, lowering.border(output, before, after, fill));
}

/// The place of the input that stands at `i`, counted from its first element.
static int64_t sourceIndex(PadMode mode, int64_t i, int64_t extent) {
  if (mode == PadMode::Edge)
    return std::clamp<int64_t>(i, 0, extent - 1);
  auto wrap = [](int64_t a, int64_t n) { return ((a % n) + n) % n; };
  if (mode == PadMode::Wrap)
    return wrap(i, extent);
  if (extent == 1)
    return 0;
  // Reflection without repeating the edge has the period 2 (extent - 1).
  int64_t period = 2 * (extent - 1), j = wrap(i, period);
  return j < extent ? j : period - j;
}

namespace {
/// Borders of elements that stand elsewhere in the input, of which negative
/// pads cut first.
class RepeatingPad {
public:
  RepeatingPad(PadOp op, ArrayRef<int64_t> pads, InstLowering &lowering)
      : op(op), pads(pads), lowering(lowering) {}

  LogicalResult lower();

private:
  int64_t before(int64_t axis) const {
    return std::max<int64_t>(pads[axis], 0);
  }
  int64_t after(int64_t axis) const {
    return std::max<int64_t>(pads[pads.size() / 2 + axis], 0);
  }

  /// The input without what negative pads cut.
  FailureOr<Value> cut(Value current);
  /// `to`, which is the places of the result's `axis` from `first` on, gets
  /// what stands there; `from` has all of that axis of the input.
  void gather(Value from, Value to, int64_t first, int64_t axis);

  PadOp op;
  ArrayRef<int64_t> pads;
  InstLowering &lowering;
  SmallVector<int64_t> input; // what is left of it
};
} // namespace

FailureOr<Value> RepeatingPad::cut(Value current) {
  constexpr int64_t kMaxExtent = 1 << 28; // of lists of places
  for (int64_t axis = 0, rank = pads.size() / 2; axis < rank; ++axis) {
    int64_t low = std::max<int64_t>(-pads[axis], 0);
    int64_t high = std::max<int64_t>(-pads[rank + axis], 0);
    int64_t extent = inst::shapeOf(current)[axis], kept = extent - low - high;
    bool isPadded = before(axis) || after(axis);
    if (kept < 0 || (kept == 0 && isPadded))
      return op.emitOpError("has no element to repeat along axis ")
             << axis << ", of whose " << extent << " elements " << low + high
             << " are cut";
    if (isPadded && std::max({kept, before(axis), after(axis)}) > kMaxExtent)
      return op.emitOpError("cannot pad an axis to more than 2^28 elements by "
                            "repeating elements");
    if (kept != extent)
      current = lowering.slice(current, axis, low, kept);
    input.push_back(kept);
  }
  return current;
}

void RepeatingPad::gather(Value from, Value to, int64_t first, int64_t axis) {
  SmallVector<int64_t> indices;
  for (int64_t i = first, end = first + inst::shapeOf(to)[axis]; i < end; ++i)
    indices.push_back(sourceIndex(op.getMode(), i - before(axis), input[axis]));
  inst::GatherOp::create(lowering.builder, op.getLoc(), from,
                         lowering.constantInts(indices), to, axis);
}

LogicalResult RepeatingPad::lower() {
  FailureOr<Value> current = cut(lowering.buffer(op.getInput()));
  if (failed(current))
    return failure();
  Value output = lowering.allocate(op.getResult());
  int64_t rank = input.size();
  // The inside first, then the borders of one axis after the other, from the
  // last: each repeats what of the result is written already.
  SmallVector<Value> boxes = {output};
  for (int64_t axis = 0; axis < rank; ++axis)
    boxes.push_back(
        lowering.slice(boxes.back(), axis, before(axis), input[axis]));
  lowering.copy(*current, boxes.back());
  for (int64_t axis = rank - 1; axis >= 0; --axis) {
    Value box = boxes[axis], inside = boxes[axis + 1];
    int64_t behind = before(axis) + input[axis];
    for (auto [first, size] :
         {std::pair(int64_t(0), before(axis)), std::pair(behind, after(axis))})
      if (size > 0)
        gather(inside, lowering.slice(box, axis, first, size), first, axis);
  }
  return success();
}

LogicalResult PadOp::lower(InstLowering &lowering) {
  auto pads = constantInts(getPads());
  if (!pads)
    return emitOpError("has pads that are not constant, which has no "
                       "lowering to instructions");
  if (getMode() == PadMode::Constant) {
    lowerConstantPad(*this, *pads, lowering);
    return success();
  }
  return RepeatingPad(*this, *pads, lowering).lower();
}
