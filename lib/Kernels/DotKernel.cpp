//===- DotKernel.cpp - few columns, summed along the depth ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/DotKernel.h"
#include "ContractionOperands.h"
#include "glow/Kernels/Combiner.h"
#include "glow/Kernels/Epilogue.h"
#include "glow/Support/Weight24.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

/// The axis of the columns is taken from `axes`; a unit if there is none.
static LoopAxis takeColumns(SmallVector<LoopAxis> &axes) {
  while (axes.size() > 1 && axes.back().extent == 1)
    axes.pop_back();
  LoopAxis last = axes.back(), unit = LoopAxis::unit(last.strides.size());
  if (last.strides[Lhs] != 0 || last.strides[Rhs] == 0)
    return unit;
  axes.back() = unit;
  return last;
}

std::unique_ptr<Kernel> DotKernel::make(const ContractionSpec &spec,
                                        ValueRange buffers,
                                        const ScalarRegion &epilogue,
                                        const KernelTarget &target) {
  const ContractionAxis &depth = spec.reduced.back();
  bool isContiguous = spec.packed ? spec.group >= depth.extent
                                  : depth.rhsStride == 1 && spec.group == 1;
  if (!isContiguous || depth.lhsStride != 1 || depth.window ||
      (depth.isBounded() && !target.hasMasks()) ||
      depth.extent < target.lanes(spec.accumulator) || spec.pieces > 1 ||
      !epilogue.isVectorizable() ||
      Weight24::is(BufferShape(buffers[1]).element) ||
      BufferShape(buffers.back()).elements() == 0 || spec.depth() == 0)
    return nullptr;
  SmallVector<LoopAxis> axes(spec.parallel);
  LoopAxis columns = takeColumns(axes);
  int64_t most =
      spec.packed
          ? std::min(spec.packed, target.mostWholeColumns(spec.accumulator))
          : target.fewColumns(spec.accumulator);
  if (columns.isBounded() || columns.extent > most)
    return nullptr;
  return std::unique_ptr<Kernel>(
      new DotKernel(spec, columns, axes, buffers, epilogue, target));
}

/// The cost of a row, in the unit of ticketsFor.
static double workPerRow(const ContractionSpec &spec, int64_t columns,
                         const KernelTarget &target) {
  double vectors = spec.depth() / double(target.lanes(spec.accumulator));
  return columns * (vectors + KernelTarget::kLaneSteps);
}

DotKernel::DotKernel(const ContractionSpec &given, LoopAxis taken,
                     SmallVector<LoopAxis> axes, ValueRange buffers,
                     const ScalarRegion &region, const KernelTarget &target)
    : spec(given), epilogue(region), numEpilogue(buffers.size() - 3),
      columns(std::move(taken)),
      nest(std::move(axes), workPerRow(spec, columns.extent, target),
           target.lanes(spec.accumulator)),
      products(BufferShape(buffers.back()).elements() * spec.depth()),
      lanes(target.lanes(spec.accumulator)), step(lanes) {
  Type element = BufferShape(buffers[0]).element;
  if (element == BufferShape(buffers[1]).element && spec.accumulator.isF32())
    step *= target.depthGroup(element);
  // Columns of a panel are whole.
  if (spec.packed)
    columns.strides[Rhs] = spec.group;
  const LoopAxis &rows = nest.inner();
  int64_t sums = std::min<int64_t>(16, target.vectorRegisters / 2);
  int64_t most = std::min({sums / columns.extent, lanes, rows.extent});
  if (most >= 4 && rows.strides[Rhs] == 0)
    tileRows = llvm::bit_floor<uint64_t>(most);
  findInside();
}

bool DotKernel::canEndEarly(size_t input, int64_t stride) const {
  bool hasWindow = llvm::any_of(spec.reduced, [](const ContractionAxis &axis) {
    return axis.window.has_value();
  });
  return input == 0 && !hasWindow && nest.inner().strides[Lhs] == stride;
}

void DotKernel::findInside() {
  const LoopAxis &rows = nest.inner();
  lastInside = rows.extent;
  for (auto [i, axis] : llvm::enumerate(spec.reduced)) {
    if (!axis.window || rows.strides[spec.positionOf(i, numEpilogue)] == 0)
      continue;
    firstInside = std::max(firstInside, axis.window->firstInside());
    lastInside = std::min(lastInside, axis.window->lastInside());
  }
  lastInside = std::max(firstInside, lastInside);
}

void DotKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                     Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  nest.emit(b, begin, end, [&](ArrayRef<Value> offsets, Value low, Value high) {
    auto emitRows = [&](Value first, Value last, int64_t rows) {
      b.loop(first, last, rows, [&](Value at) {
        emitTile(b, buffers, {SmallVector<Value>(offsets), at, rows});
      });
    };
    if (tileRows == 1)
      return emitRows(low, high, 1);
    Value first = b.max(low, b.index(firstInside));
    Value last = b.min(high, b.index(lastInside));
    if (spec.lhsRows)
      last = b.min(last, b.index(spec.lhsRows));
    last = b.max(first, last);
    Value whole =
        b.add(first, b.mul(b.div(b.sub(last, first), tileRows), tileRows));
    if (firstInside > 0)
      emitRows(low, b.min(first, high), 1);
    emitRows(first, whole, tileRows);
    emitRows(whole, high, 1);
  });
}

/// Adds up units of lanes with their neighbours, within each block of lanes.
/// What is left of `x` is followed, within the block, by what is left of `y`.
static Value addNeighbours(KernelBuilder &b, const Combiner &add, Value x,
                           Value y, int64_t unit, int64_t block) {
  int64_t lanes = cast<VectorType>(x.getType()).getNumElements();
  SmallVector<int64_t> even, odd;
  for (int64_t start = 0; start < lanes; start += block)
    for (int64_t side = 0; side < (y ? 2 : 1); ++side)
      for (int64_t at = start; at < start + block; at += 2 * unit)
        for (int64_t i = 0; i < unit; ++i) {
          even.push_back(side * lanes + at + i);
          odd.push_back(side * lanes + at + unit + i);
        }
  Value other = y ? y : x;
  Value first = vector::ShuffleOp::create(b.builder, b.loc, x, other, even);
  Value second = vector::ShuffleOp::create(b.builder, b.loc, x, other, odd);
  return add.combine(b, first, second);
}

/// A vector with the sum of the lanes of each one of `vectors`, of which there
/// are at least four.
static Value addLanes(KernelBuilder &b, const Combiner &add,
                      SmallVector<Value> vectors) {
  // Shuffles within four lanes cost least.
  constexpr int64_t kQuad = 4;
  auto pass = [&](int64_t unit, int64_t block) {
    SmallVector<Value> next;
    for (size_t i = 0; i < vectors.size(); i += 2)
      next.push_back(addNeighbours(
          b, add, vectors[i], i + 1 < vectors.size() ? vectors[i + 1] : Value(),
          unit, block));
    vectors = std::move(next);
  };
  pass(1, kQuad);
  pass(1, kQuad);
  int64_t lanes = cast<VectorType>(vectors[0].getType()).getNumElements();
  for (int64_t left = lanes; left > kQuad; left /= 2)
    pass(kQuad, cast<VectorType>(vectors[0].getType()).getNumElements());
  return vectors[0];
}

int64_t DotKernel::chainsOf(int64_t rows) const {
  // As many sums as hide the latency of an addition; a power of two.
  int64_t most =
      std::min(8 / (rows * columns.extent), spec.reduced.back().extent / step);
  return llvm::bit_floor<uint64_t>(std::max<int64_t>(1, most));
}

void DotKernel::emitTile(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                         const Tile &tile) const {
  const LoopAxis &rows = nest.inner();
  int64_t perChain = tile.rows * columns.extent;
  auto startOf = [&](size_t operand) {
    Value at = tile.at;
    // Tiles of several rows have them all.
    if (operand == Lhs && spec.lhsRows && tile.rows == 1)
      at = b.max(b.index(0),
                 b.min(at, b.sub(b.index(spec.lhsRows), b.index(1))));
    Value start =
        b.add(tile.offsets[operand], b.mul(at, rows.strides[operand]));
    return b.add(start, operand == Lhs ? spec.lhsStart : 0);
  };
  SmallVector<Value> sums(perChain * chainsOf(tile.rows),
                          b.zero(spec.accumulator, lanes));
  sums = emitSums(b, buffers, tile, 0, startOf(Lhs), startOf(Rhs), sums);
  Combiner add(ReduceKind::Sum, spec.accumulator);
  for (int64_t left = sums.size() / 2; left >= perChain; left /= 2) {
    for (int64_t i = 0; i < left; ++i)
      sums[i] = add.combine(b, sums[i], sums[i + left]);
    sums.truncate(left);
  }
  for (int64_t column = 0; column < columns.extent; ++column) {
    SmallVector<Value> own;
    for (int64_t row = 0; row < tile.rows; ++row)
      own.push_back(sums[row * columns.extent + column]);
    Value result =
        tile.rows > 1 ? addLanes(b, add, own) : add.combineLanes(b, own[0]);
    auto place = [&](size_t operand) {
      int64_t stride = rows.strides[operand];
      Value start = b.add(tile.offsets[operand], b.mul(tile.at, stride));
      return std::pair(b.add(start, column * columns.strides[operand]), stride);
    };
    emitEpilogue(b, epilogue, spec, buffers, SumVector{result, {}, place});
  }
}

SmallVector<Value> DotKernel::emitSums(KernelBuilder &b,
                                       ArrayRef<KernelBuffer> buffers,
                                       const Tile &tile, size_t axis, Value lhs,
                                       Value rhs, ValueRange sums) const {
  if (axis + 1 == spec.reduced.size())
    return emitInnermost(b, buffers, tile, lhs, rhs, sums);
  const ContractionAxis &reduced = spec.reduced[axis];
  Value first = b.index(0), last = b.index(reduced.extent);
  if (reduced.window) {
    size_t operand = spec.positionOf(axis, numEpilogue);
    int64_t stride = nest.inner().strides[operand];
    // The windows of several rows are inside the input.
    if (stride == 0 || tile.rows == 1)
      std::tie(first, last) = reduced.window->range(
          b, b.add(tile.offsets[operand], b.mul(tile.at, stride)));
  }
  return b.loop(first, last, 1, sums, [&](Value i, ValueRange values) {
    return emitSums(b, buffers, tile, axis + 1,
                    b.add(lhs, b.mul(i, reduced.lhsStride)),
                    b.add(rhs, b.mul(i, reduced.rhsStride)), values);
  });
}

SmallVector<Value> DotKernel::emitInnermost(KernelBuilder &b,
                                            ArrayRef<KernelBuffer> buffers,
                                            const Tile &tile, Value lhs,
                                            Value rhs, ValueRange init) const {
  const ContractionAxis &depth = spec.reduced.back();
  auto steps = [&](Value first, Value last, int64_t chains, ValueRange values) {
    return b.loop(first, last, chains * step, values,
                  [&](Value i, ValueRange values) {
                    SmallVector<Value> next(values);
                    for (int64_t chain = 0; chain < chains; ++chain) {
                      Value at = b.add(i, chain * step);
                      emitStep(b, buffers, tile, b.add(lhs, at), b.add(rhs, at),
                               b.index(step), chain, next);
                    }
                    return next;
                  });
  };
  int64_t chains = chainsOf(tile.rows);
  Value extent = depth.limit(b);
  auto multipleBelow = [&](int64_t unit) {
    return b.mul(b.div(extent, unit), unit);
  };
  Value together = multipleBelow(chains * step), whole = multipleBelow(step);
  SmallVector<Value> sums = steps(b.index(0), together, chains, init);
  sums = steps(together, whole, 1, sums);
  Value rest = b.sub(extent, whole);
  auto emitRest = [&] {
    SmallVector<Value> next(sums);
    emitStep(b, buffers, tile, b.add(lhs, whole), b.add(rhs, whole), rest, 0,
             next);
    return next;
  };
  if (depth.isBounded())
    return b.ifElse(b.less(whole, extent), ValueRange(sums).getTypes(),
                    emitRest, [&] { return sums; });
  return depth.extent % step ? emitRest() : sums;
}

/// The first `count` of `lanes` elements; the others are zeros.
static Value loadFirst(KernelBuilder &b, const KernelBuffer &buffer, Value at,
                       Value count, int64_t lanes) {
  std::optional<int64_t> known = getConstantIntValue(count);
  if (known == lanes)
    return b.load(buffer, at, lanes);
  if (b.target.hasMasks())
    return b.load(buffer, at, lanes, 1, b.mask(count, lanes));
  Value result = b.zero(buffer.type, lanes);
  for (int64_t i = 0; i < *known; ++i)
    result = vector::InsertOp::create(b.builder, b.loc,
                                      b.load(buffer, b.add(at, i)), result, i);
  return result;
}

void DotKernel::emitStep(KernelBuilder &b, ArrayRef<KernelBuffer> buffers,
                         const Tile &tile, Value lhs, Value rhs, Value count,
                         int64_t chain, SmallVectorImpl<Value> &sums) const {
  auto load = [&](size_t operand, Value at) {
    const KernelBuffer &buffer = buffers[operand - 1];
    Value vector = loadFirst(b, buffer, at, count, step);
    return step > lanes || buffer.type == spec.accumulator
               ? vector
               : b.convert(vector, buffer.element, spec.accumulator);
  };
  SmallVector<Value> vectors;
  for (int64_t column = 0; column < columns.extent; ++column)
    vectors.push_back(load(Rhs, b.add(rhs, column * columns.strides[Rhs])));
  for (int64_t row = 0; row < tile.rows; ++row) {
    Value x = load(Lhs, b.add(lhs, row * nest.inner().strides[Lhs]));
    for (int64_t column = 0; column < columns.extent; ++column) {
      Value &sum = sums[(chain * tile.rows + row) * columns.extent + column];
      Value y = vectors[column];
      sum = step > lanes ? b.multiplyAddGroups(x, y, sum)
                         : b.multiplyAdd(x, y, sum);
    }
  }
}
