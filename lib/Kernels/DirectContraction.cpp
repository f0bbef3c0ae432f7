//===- DirectContraction.cpp - sums of products, any form -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/DirectContraction.h"
#include "ContractionOperands.h"
#include "glow/Kernels/Epilogue.h"
#include "glow/Support/Weight24.h"
#include <numeric>

using namespace mlir;
using namespace mlir::glow;

static bool isVectorStride(int64_t stride) {
  return stride == 0 || stride == 1;
}

static bool isLoadStride(int64_t stride) {
  return stride >= 0 && stride <= KernelBuilder::kMostShuffled;
}

/// Whether the epilogue's operands behind those, which count positions of
/// windows, move along an axis.
static bool movesWindow(const LoopAxis &axis, size_t numEpilogue) {
  return llvm::any_of(
      ArrayRef(axis.strides).drop_front(FirstEpilogue + numEpilogue),
      [](int64_t stride) { return stride != 0; });
}

/// Takes from the axes some places of the last axis but one: a line of few
/// vectors alone would wait for each of its products.
static LoopAxis takeRows(ContractionSpec &spec, const ScalarRegion &epilogue,
                         size_t numEpilogue, const KernelTarget &target) {
  LoopAxis none = LoopAxis::unit(spec.parallel.front().strides.size());
  SmallVector<LoopAxis> axes = mergeAxes(spec.parallel);
  if (axes.size() < 2 || axes.back().strides[Out] != 1)
    return none;
  LoopAxis &outer = axes.end()[-2];
  if (outer.isBounded() || movesWindow(outer, numEpilogue) ||
      (spec.packed && outer.strides[Rhs] != 0) || epilogue.isLong())
    return none;
  constexpr int64_t kMostRows = 8, kMostVectors = 4;
  int64_t vectors = std::clamp<int64_t>(
      axes.back().extent / target.lanes(spec.accumulator), 1, kMostVectors);
  LoopAxis rows{std::min(kMostRows, target.vectorRegisters / 2 / vectors),
                outer.strides};
  while (rows.extent > 1 && outer.extent % rows.extent != 0)
    --rows.extent;
  outer.extent /= rows.extent;
  for (int64_t &stride : outer.strides)
    stride *= rows.extent;
  spec.parallel = std::move(axes);
  return rows;
}

DirectContraction::DirectContraction(ContractionSpec given, ValueRange buffers,
                                     ScalarRegion region,
                                     const KernelTarget &target)
    : spec(std::move(given)), epilogue(region), numEpilogue(buffers.size() - 3),
      rows(takeRows(spec, epilogue, numEpilogue, target)),
      nest(spec.parallel, rows.extent * (0.1 * spec.depth() + 1), 64) {
  products =
      BufferShape(buffers.back()).elements() * spec.depth() / spec.pieces;
  ArrayRef<int64_t> strides = nest.inner().strides;
  // Groups are taken apart, element by element.
  // Weights of 24 bits are loaded side by side or one by one.
  if (Weight24::is(BufferShape(buffers[1]).element) && strides[Rhs] != 1)
    return;
  ArrayRef<int64_t> further = strides.slice(FirstEpilogue, numEpilogue)
                                  .take_back(epilogue.numResults() - 1);
  bool isStrided = strides[Out] != 1 ||
                   llvm::any_of(further, [](int64_t s) { return s != 1; });
  if (spec.group > 1 || isStrided || !isLoadStride(strides[Lhs]) ||
      !isLoadStride(strides[Rhs]) || !epilogue.isVectorizable() ||
      movesWindow(nest.inner(), numEpilogue))
    return;
  int64_t bits = std::max<int64_t>(spec.accumulator.getIntOrFloatBitWidth(),
                                   epilogue.width());
  bool maskable = true;
  for (size_t i = 0; i < numEpilogue; ++i) {
    bits = std::max(bits, 8 * BufferShape(buffers[2 + i]).bytes());
    maskable &= isVectorStride(strides[FirstEpilogue + i]);
  }
  // A vector must not reach from one panel into the next.
  int64_t extent = nest.inner().extent;
  if (spec.packed)
    extent = std::gcd(spec.packed, int64_t(64));
  strip = Strip::choose(target, bits, extent, spec.packed ? 1 : 4, maskable);
}

void DirectContraction::emit(KernelBuilder &b, ValueRange operands, Value begin,
                             Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    strip.emit(
        b, low, high, [&](Value at, int64_t lanes, int64_t count, Value mask) {
          emitElements(b, buffers,
                       {SmallVector<Value>(offsets), at, lanes, count, mask});
        });
  });
}

Value DirectContraction::rhsOffset(KernelBuilder &b, const Position &p) const {
  int64_t stride = nest.inner().strides[Rhs];
  // In panels columns are neighbours; an axis with another stride is not
  // theirs, as where a single column has no loop.
  if (!spec.packed || stride != 1)
    return b.add(p.offsets[Rhs], b.mul(p.at, stride));
  Value panel = b.mul(b.div(p.at, spec.packed), spec.panelStride);
  return b.add(p.offsets[Rhs],
               b.add(panel, b.mul(b.rem(p.at, spec.packed), spec.group)));
}

void DirectContraction::emitElements(KernelBuilder &b,
                                     ArrayRef<KernelBuffer> buffers,
                                     const Position &p) const {
  ArrayRef<int64_t> strides = nest.inner().strides;
  SmallVector<Value> sums(rows.extent * p.count,
                          b.zero(spec.accumulator, p.lanes));
  Value lhs =
      b.add(b.add(p.offsets[Lhs], b.mul(p.at, strides[Lhs])), spec.lhsStart);
  sums = emitSums(b, buffers, p, 0, lhs, rhsOffset(b, p), sums);
  SmallVector<SumVector> vectors;
  for (auto [i, sum] : llvm::enumerate(sums)) {
    int64_t row = i / p.count;
    Value at = b.add(p.at, i % p.count * p.lanes);
    auto place = [&, at, row](size_t operand) {
      int64_t stride = strides[operand];
      Value line = b.add(p.offsets[operand], row * rows.strides[operand]);
      return std::pair(b.add(line, b.mul(at, stride)), stride);
    };
    vectors.push_back({sum, p.mask, place});
  }
  emitEpilogue(b, epilogue, spec, buffers, vectors);
}

SmallVector<Value> DirectContraction::emitSums(KernelBuilder &b,
                                               ArrayRef<KernelBuffer> buffers,
                                               const Position &p, size_t axis,
                                               Value lhs, Value rhs,
                                               ValueRange sums) const {
  if (axis == spec.reduced.size())
    return emitProducts(b, buffers, p, lhs, rhs, sums);
  const ContractionAxis &reduced = spec.reduced[axis];
  Value first = b.index(0), last = reduced.limit(b);
  if (reduced.window) {
    // The window's position is the operand that counts this axis.
    size_t operand = spec.positionOf(axis, numEpilogue);
    Value position =
        b.add(p.offsets[operand], b.mul(p.at, nest.inner().strides[operand]));
    std::tie(first, last) = reduced.window->range(b, position);
  }
  bool isInnermost = axis + 1 == spec.reduced.size();
  int64_t group = isInnermost ? spec.group : 1;
  auto emitAll = [&](Value low, Value high, int64_t lhsShift, int64_t rhsShift,
                     ValueRange init) {
    return b.loop(low, high, 1, init, [&](Value i, ValueRange values) {
      Value row = b.mul(b.div(i, group), group * reduced.rhsStride);
      return emitSums(b, buffers, p, axis + 1,
                      b.add(b.add(lhs, lhsShift), b.mul(i, reduced.lhsStride)),
                      b.add(b.add(rhs, rhsShift), b.add(row, b.rem(i, group))),
                      values);
    });
  };
  if (!isInnermost || spec.pieces == 1)
    return emitAll(first, last, 0, 0, sums);
  int64_t piece = reduced.extent / spec.pieces;
  SmallVector<Value> next(sums);
  for (auto [i, j] : spec.products())
    next = emitAll(first, b.index(piece), i * piece * reduced.lhsStride,
                   j * piece * reduced.rhsStride, next);
  return next;
}

SmallVector<Value> DirectContraction::emitProducts(
    KernelBuilder &b, ArrayRef<KernelBuffer> buffers, const Position &p,
    Value lhs, Value rhs, ValueRange sums) const {
  ArrayRef<int64_t> strides = nest.inner().strides;
  auto element = [&](size_t buffer, Value offset, int64_t stride) {
    Value value = b.load(buffers[buffer], offset, p.lanes, stride,
                         stride ? p.mask : Value());
    if (buffers[buffer].type == spec.accumulator)
      return value;
    return b.convert(value, buffers[buffer].element, spec.accumulator);
  };
  SmallVector<Value> next;
  for (auto [i, sum] : llvm::enumerate(sums)) {
    int64_t row = i / p.count, step = i % p.count * p.lanes;
    auto shift = [&](size_t operand) {
      return row * rows.strides[operand] + step * strides[operand];
    };
    Value x = element(0, b.add(lhs, shift(Lhs)), strides[Lhs]);
    Value y = element(1, b.add(rhs, shift(Rhs)), strides[Rhs]);
    next.push_back(b.multiplyAdd(x, y, sum));
  }
  return next;
}
