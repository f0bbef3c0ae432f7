//===- PanelCopy.cpp - columns copied into a panel of the frame -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/PanelCopy.h"
#include "ContractionOperands.h"
#include "glow/Kernels/Transpose.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

PanelCopy::PanelCopy(KernelBuilder &builder, const ContractionPlan &plan,
                     const KernelBuffer &rhs, const ColumnSegment &segment)
    : b(builder), plan(plan), rhs(rhs), segment(segment),
      columns(segment.width() - segment.lanes + segment.last),
      width(segment.width()) {
  panel = b.scratch(rhs.type, llvm::alignTo(plan.depth, plan.group) * width);
  panel.element = rhs.element;
}

KernelBuffer PanelCopy::emit(Value offset) const {
  if (isTurned()) {
    int64_t side = segment.lanes;
    Value turned = b.mul(b.div(wholeGroups(), side), side);
    b.loop(b.index(0), turned, side,
           [&](Value first) { emitSquares(offset, first); });
    emitGroups(offset, b.index(0), turned);
  } else {
    emitAxes(0, offset, b.index(0));
  }
  return panel;
}

Value PanelCopy::wholeGroups() const {
  return b.div(plan.reduced.back().limit(b), plan.group);
}

bool PanelCopy::isTurned() const {
  return plan.reduced.size() == 1 && plan.reduced.back().rhsStride == 1 &&
         plan.columns.strides[Rhs] != 1 && segment.lanes >= 4 &&
         rhs.type.getIntOrFloatBitWidth() >= 8;
}

void PanelCopy::emitSquares(Value offset, Value first) const {
  int64_t side = segment.lanes, group = plan.group;
  Type word =
      b.builder.getIntegerType(group * rhs.type.getIntOrFloatBitWidth());
  auto words = VectorType::get({side}, word);
  auto elements = VectorType::get({side * group}, rhs.type);
  for (int64_t v = 0; v < segment.vectors; ++v) {
    SmallVector<Value> square;
    for (int64_t i = 0; i < side; ++i) {
      // Behind the last column anything will do.
      int64_t column = std::min(v * side + i, columns - 1);
      Value at = b.add(b.add(offset, column * plan.columns.strides[Rhs]),
                       b.mul(first, group));
      Value row = b.load(rhs, at, side * group);
      // The next panel's, whose rows are too short to be foreseen.
      b.fetch(rhs, b.add(at, width * plan.columns.strides[Rhs]));
      square.push_back(vector::BitCastOp::create(b.builder, b.loc, words, row));
    }
    turnSquare(b, square);
    for (auto [i, row] : llvm::enumerate(square)) {
      Value groups = vector::BitCastOp::create(b.builder, b.loc, elements, row);
      Value at =
          b.add(b.mul(first, width * group), (i * width + v * side) * group);
      b.store(groups, panel, at);
    }
  }
}

void PanelCopy::emitGroups(Value from, Value to, Value first) const {
  const PlannedAxis &axis = plan.reduced.back();
  int64_t group = plan.group, whole = axis.extent / group;
  auto emitAt = [&](Value i, int64_t count) {
    emitGroup(b.add(from, b.mul(i, axis.rhsStride * group)),
              b.add(to, b.mul(i, width * group)), count);
  };
  b.loop(first, wholeGroups(), 1, [&](Value i) { emitAt(i, group); });
  // Only the end of the axis is none of a group.
  if (int64_t rest = axis.extent % group)
    emitAt(b.index(whole), rest);
}

void PanelCopy::emitGroup(Value from, Value to, int64_t count) const {
  int64_t stride = plan.reduced.back().rhsStride, group = plan.group;
  int64_t across = plan.columns.strides[Rhs];
  if (across == 1 && group == 2)
    return emitPairs(from, to, count == group);
  b.loop(b.index(0), b.index(columns), 1, [&](Value c) {
    Value at = b.add(from, b.mul(c, across));
    Value place = b.add(to, b.mul(c, group));
    if (stride == 1 && count == group)
      return b.store(b.load(rhs, at, group), panel, place);
    for (int64_t i = 0; i < group; ++i)
      b.store(i < count ? b.load(rhs, b.add(at, i * stride))
                        : b.zero(rhs.type, 1),
              panel, b.add(place, i));
  });
}

void PanelCopy::emitPairs(Value from, Value to, bool isWhole) const {
  int64_t stride = plan.reduced.back().rhsStride, lanes = segment.lanes;
  for (int64_t v = 0; v < segment.vectors; ++v) {
    Value mask;
    if (v + 1 == segment.vectors && segment.last < lanes)
      mask = b.mask(b.index(segment.last), lanes);
    Value at = b.add(from, v * lanes);
    Value even = b.load(rhs, at, lanes, 1, mask);
    Value odd = isWhole ? b.load(rhs, b.add(at, stride), lanes, 1, mask)
                        : b.zero(rhs.type, lanes);
    Value pairs = vector::InterleaveOp::create(b.builder, b.loc, even, odd);
    b.store(pairs, panel, b.add(to, v * lanes * plan.group));
  }
}

void PanelCopy::emitAxes(size_t axis, Value from, Value to) const {
  if (plan.group > 1 && axis + 1 == plan.reduced.size())
    return emitGroups(from, to, b.index(0));
  if (axis == plan.reduced.size()) {
    b.loop(b.index(0), b.index(columns), 1, [&](Value c) {
      Value at = b.add(from, b.mul(c, plan.columns.strides[Rhs]));
      b.store(b.load(rhs, at), panel, b.add(to, c));
    });
    return;
  }
  int64_t stride = width;
  for (const PlannedAxis &inner : ArrayRef(plan.reduced).drop_front(axis + 1))
    stride *= inner.extent;
  const PlannedAxis &reduced = plan.reduced[axis];
  b.loop(b.index(0), reduced.limit(b), 1, [&](Value i) {
    emitAxes(axis + 1, b.add(from, b.mul(i, reduced.rhsStride)),
             b.add(to, b.mul(i, stride)));
  });
}
