//===- Trees.cpp - walks through decision trees ---------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Trees.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace mlir::glow;

/// Places among the kernel's buffers, and among the nest's operands.
enum : size_t { Input, Thresholds, Links, Roots, Output };
enum : size_t { OfOutput, OfInput, OfRoots };

/// Walks at a time. One takes the time of three loads that wait for each other
/// per step; eight fill it with as many instructions as there are registers
/// for.
static constexpr int64_t kWalks = 8;

/// Neighbours in a group share the tree, whose nodes then stay in the nearest
/// cache, unless there are too few rows.
static SmallVector<LoopAxis> axesOf(const LoopAxis &rows,
                                    const LoopAxis &trees) {
  if (rows.leastExtent() < kWalks)
    return {rows, trees};
  return {trees, rows};
}

/// About a dozen steps of a few cycles.
static constexpr double kWork = 64;

TreesKernel::TreesKernel(LoopAxis rows, LoopAxis trees, bool missing)
    : missing(missing), nest(axesOf(rows, trees), kWork, kWalks) {}

/// Within 0 and `extent` - 1, as one comparison of unsigned numbers.
static Value clamp(KernelBuilder &b, Value index, int64_t extent) {
  return arith::MinUIOp::create(b.builder, b.loc, index, b.index(extent - 1));
}

Value TreesKernel::emitStep(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                            Value row, Value node) const {
  const KernelBuffer &input = buffers[Input], &links = buffers[Links];
  ScalarBuilder floats = b.scalars(input.element),
                bools = b.scalars(b.builder.getI1Type());
  Value at = b.mul(node, links.strides[0]);
  auto link = [&](int64_t column) {
    return b.toIndex(b.load(links, b.add(at, column * links.strides[1])));
  };
  Value feature = link(0), isTracked;
  if (missing) {
    isTracked = b.less(feature, b.index(0));
    feature = bools.select(isTracked, b.sub(b.index(-1), feature), feature);
  }
  feature = clamp(b, feature, input.shape[1]);
  Value value = b.load(input, b.add(row, b.mul(feature, input.strides[1])));
  Value threshold =
      b.load(buffers[Thresholds], b.mul(node, buffers[Thresholds].strides[0]));
  Value isLow = floats.compare(ScalarBuilder::Predicate::le, value, threshold);
  if (missing)
    isLow = bools.ori(isLow, bools.andi(isTracked, floats.isNaN(value)));
  Value next = bools.select(isLow, link(2), link(1));
  return clamp(b, next, links.shape[0]);
}

void TreesKernel::emitGroup(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                            ArrayRef<Value> offsets, Value first,
                            Value high) const {
  const KernelBuffer &roots = buffers[Roots], &output = buffers[Output];
  const LoopAxis &axis = nest.inner();
  SmallVector<Value> rows, places, nodes;
  Value steps;
  for (int64_t walk = 0; walk < kWalks; ++walk) {
    // The last one stands in for those that are missing.
    Value index = b.min(b.add(first, walk), b.sub(high, b.index(1)));
    auto offset = [&](size_t operand) {
      return b.add(offsets[operand], b.mul(index, axis.strides[operand]));
    };
    rows.push_back(offset(OfInput));
    places.push_back(offset(OfOutput));
    Value root = offset(OfRoots);
    nodes.push_back(
        clamp(b, b.toIndex(b.load(roots, root)), buffers[Links].shape[0]));
    Value own = b.toIndex(b.load(roots, b.add(root, roots.strides[1])));
    steps = steps ? b.max(steps, own) : own;
  }
  // A leaf is its own successor, so that more steps do no harm.
  nodes = b.loop(b.index(0), steps, 1, nodes, [&](Value, ValueRange at) {
    SmallVector<Value> next;
    for (auto [row, node] : llvm::zip_equal(rows, at))
      next.push_back(emitStep(b, buffers, row, node));
    return next;
  });
  for (auto [node, place] : llvm::zip_equal(nodes, places))
    b.store(b.fromIndex(node, output.type), output, place);
}

void TreesKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                       Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    b.loop(low, high, kWalks,
           [&](Value first) { emitGroup(b, buffers, offsets, first, high); });
  });
}
