//===- MicroKernel.cpp - one tile of a contraction ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All values are 1-D vectors and all addresses one base plus constants: LLVM
// keeps this form as it is, with the sums in registers.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/MicroKernel.h"
#include "ContractionOperands.h"
#include "GroupInputs.h"
#include "glow/Interfaces/FewRegisters.h"
#include "glow/Kernels/Epilogue.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::glow;

/// Sums of a whole tile.
static int64_t sumsPerTile(const ContractionPlan &plan) {
  return plan.tileRows * plan.tileVectors * plan.lanes;
}

/// Taps that are one turn of the innermost loop, column by column.
static constexpr int64_t kTapsAtOnce = 16;

MicroKernel::MicroKernel(KernelBuilder &builder, const ContractionPlan &plan,
                         const ContractionSpec &spec,
                         const ScalarRegion &epilogue,
                         ArrayRef<KernelBuffer> buffers)
    : b(builder), plan(plan), spec(spec), epilogue(epilogue), buffers(buffers),
      panelStream(builder, plan) {
  if (plan.parts)
    partScratch =
        b.scratch(spec.accumulator, plan.parts->tiles * sumsPerTile(plan));
  if (epilogue.isLong() && !plan.registerDepth && !plan.isColumnwise)
    sumScratch = b.scratch(spec.accumulator, sumsPerTile(plan));
}

MicroKernel::Step MicroKernel::stepFrom(const MicroTile &tile, size_t axis,
                                        Step at, Value i) const {
  return {b.add(at.lhs, b.mul(i, plan.reduced[axis].lhsStride)),
          b.add(at.rhs, b.mul(i, rhsStepOf(tile, axis)))};
}

SmallVector<Value> MicroKernel::partIndices(const MicroTile &tile) const {
  SmallVector<int64_t> extents;
  for (const PlannedAxis &axis :
       ArrayRef(plan.reduced).take_front(plan.parts->axis))
    extents.push_back(axis.extent);
  extents.push_back(plan.parts->count / ShapedType::getNumElements(extents));
  return b.delinearize(tile.part, extents);
}

MicroKernel::Step MicroKernel::partOf(const MicroTile &tile) const {
  SmallVector<Value> indices = partIndices(tile);
  const DepthParts &parts = *plan.parts;
  Step at{tile.offsets[Lhs], b.index(0)};
  for (size_t axis = 0; axis < parts.axis; ++axis)
    at = stepFrom(tile, axis, at, indices[axis]);
  return stepFrom(tile, parts.axis, at, b.mul(indices.back(), parts.depth));
}

Value MicroKernel::isPartInside(const MicroTile &tile) const {
  Value result;
  for (auto [axis, index] :
       llvm::zip(ArrayRef(plan.reduced).take_front(plan.parts->axis),
                 partIndices(tile)))
    if (axis.window) {
      auto [first, last] = axis.window->range(b, tile.offsets[axis.position]);
      Value inside =
          b.both(b.less(index, last), b.less(first, b.add(index, 1)));
      result = result ? b.both(result, inside) : inside;
    }
  return result;
}

MicroTile MicroKernel::fetchingPart(const MicroTile &tile, Step at) const {
  MicroTile result = tile;
  result.fetchStart = at.rhs;
  const DepthParts &parts = *plan.parts;
  Value isLast = b.less(b.index(parts.count - parts.atOnce - 1), tile.part);
  Value after = b.add(at.rhs, plan.fetchedRows() * tile.rhsStep * plan.group);
  for (auto [own, next] : llvm::zip(tile.rhsOffsets, result.nextOffsets))
    next = arith::SelectOp::create(b.builder, b.loc, isLast, next,
                                   b.add(own, after));
  return result;
}

void MicroKernel::emitParts(const MicroTile &tile,
                            const KernelBuffer &rhs) const {
  MicroTile part = fetchingPart(tile, partOf(tile));
  b.loop(b.index(0), b.index(plan.parts->atOnce), 1, [&](Value i) {
    part.part = b.add(tile.part, i);
    emitPart(part, rhs);
  });
}

void MicroKernel::emitPart(const MicroTile &tile,
                           const KernelBuffer &rhs) const {
  const DepthParts &parts = *plan.parts;
  int64_t vectors = tile.columns->vectors;
  Step at = partOf(tile);
  RowRange all(0, tile.rows);
  SmallVector<Value> sums = zeros(tile);
  auto products = [&](ValueRange init) {
    return parts.axis + 1 == plan.reduced.size()
               ? emitSteps(tile, rhs, at.lhs, at.rhs, b.index(parts.depth), all,
                           init)
               : emitSums(tile, rhs, parts.axis, at.lhs, at.rhs, all, init);
  };
  if (Value inside = isPartInside(tile)) {
    Value turns = arith::SelectOp::create(b.builder, b.loc, inside, b.index(1),
                                          b.index(0));
    sums = b.loop(b.index(0), turns, 1, sums,
                  [&](Value, ValueRange init) { return products(init); });
  } else {
    sums = products(sums);
  }
  Value place = b.mul(tile.place, sumsPerTile(plan));
  Value isFirst = b.less(tile.part, b.index(1));
  for (auto [i, sum] : llvm::enumerate(sums)) {
    int64_t lanes = tile.columns->lanesOf(i % vectors);
    Value at = b.add(place, i * plan.lanes);
    // What lies there before the first part is no sum.
    Value before = arith::SelectOp::create(b.builder, b.loc, isFirst,
                                           b.zero(spec.accumulator, lanes),
                                           b.load(partScratch, at, lanes));
    sum = arith::AddFOp::create(b.builder, b.loc, before, sum);
    b.store(sum, partScratch, at);
  }
  b.ifThen(b.less(b.index(parts.count - 2), tile.part),
           [&] { emitEpilogues(tile, sums); });
}

SmallVector<Value> MicroKernel::zeros(const MicroTile &tile) const {
  SmallVector<Value> sums;
  for (int64_t row = 0; row < tile.rows; ++row)
    for (int64_t v = 0; v < tile.columns->vectors; ++v)
      sums.push_back(b.zero(spec.accumulator, tile.columns->lanesOf(v)));
  return sums;
}

void MicroKernel::emitEpilogues(const MicroTile &tile, ValueRange sums) const {
  int64_t vectors = tile.columns->vectors;
  if (!sumScratch.flat || tile.rows == 1) {
    SmallVector<SumPlace> places;
    for (auto [i, sum] : llvm::enumerate(sums))
      places.push_back({b.index(i / vectors), int64_t(i) % vectors, sum});
    return emitEpilogue(tile, places);
  }
  for (auto [i, sum] : llvm::enumerate(sums))
    b.store(sum, sumScratch, b.index(i * plan.lanes));
  auto emitRows = [&](Value first, int64_t count) {
    SmallVector<SumPlace> places;
    for (int64_t i = 0; i < count * vectors; ++i) {
      Value at = b.add(b.mul(first, vectors * plan.lanes), i * plan.lanes);
      int64_t lanes = tile.columns->lanesOf(i % vectors);
      places.push_back({b.add(first, i / vectors), i % vectors,
                        b.load(sumScratch, at, lanes)});
    }
    emitEpilogue(tile, places);
  };
  int64_t step =
      std::clamp<int64_t>(epilogue.vectorsAtOnce() / vectors, 1, tile.rows);
  int64_t rest = tile.rows % step;
  b.loop(b.index(0), b.index(tile.rows - rest), step,
         [&](Value row) { emitRows(row, step); });
  if (rest)
    emitRows(b.index(tile.rows - rest), rest);
}

void MicroKernel::emit(const MicroTile &tile, const KernelBuffer &rhs) const {
  if (plan.parts)
    return emitParts(tile, rhs);
  fetchTerms(tile);
  if (plan.fetchesWindows)
    fetchWindows(tile);
  SmallVector<Value> sums = emitSums(tile, rhs, 0, tile.offsets[Lhs],
                                     b.index(0), {0, tile.rows}, zeros(tile));
  emitEpilogues(tile, sums);
}

int64_t MicroKernel::rhsStepOf(const MicroTile &tile, size_t axis) const {
  ArrayRef<PlannedAxis> axes = axesOf(tile);
  if (!plan.packs)
    return axes[axis].rhsStride;
  // A panel of the frame has the steps in this order.
  int64_t stride = tile.rhsStep;
  for (const PlannedAxis &inner : axes.drop_front(axis + 1))
    stride *= inner.extent;
  return stride;
}

MicroKernel::RowRange MicroKernel::rowsInside(const MicroTile &tile,
                                              const Window &window,
                                              int64_t tap) const {
  auto isInside = [&](int64_t row) {
    int64_t at = (*tile.borderRow + row) * window.stride - window.low +
                 tap * window.dilation;
    return at >= 0 && at < window.input;
  };
  RowRange range(0, tile.rows);
  while (range.first < range.second && !isInside(range.first))
    ++range.first;
  while (range.first < range.second && !isInside(range.second - 1))
    --range.second;
  return range;
}

SmallVector<Value> MicroKernel::emitSums(const MicroTile &tile,
                                         const KernelBuffer &rhs, size_t axis,
                                         Value lhs, Value step, RowRange range,
                                         ValueRange sums) const {
  ArrayRef<PlannedAxis> axes = axesOf(tile);
  if (axis + 1 == axes.size())
    return emitInnermost(tile, rhs, lhs, step, range, sums);
  const PlannedAxis &reduced = axes[axis];
  int64_t stride = rhsStepOf(tile, axis);
  bool isApart = plan.sumsApart(axes) == axis;
  auto body = [&](Value i, RowRange rows, ValueRange values) {
    auto emitInner = [&](ValueRange init) {
      return emitSums(tile, rhs, axis + 1,
                      b.add(lhs, b.mul(i, reduced.lhsStride)),
                      b.add(step, b.mul(i, stride)), rows, init);
    };
    return isApart ? addApart(values, emitInner) : emitInner(values);
  };
  if (tile.borderRow && plan.isRowWindow(reduced)) {
    // Tap by tap, each for the rows where it lies inside.
    SmallVector<Value> values(sums);
    for (int64_t tap = 0; tap < reduced.extent; ++tap) {
      RowRange inside = rowsInside(tile, *reduced.window, tap);
      if (inside.first < inside.second)
        values = body(b.index(tap), inside, values);
    }
    return values;
  }
  if (axis + 2 == axes.size() && plan.joinsTaps(axes))
    return emitTapsOfGroups(tile, rhs, lhs, step, range, sums);
  Value first = b.index(0), last = b.index(reduced.extent);
  if (reduced.window)
    std::tie(first, last) =
        reduced.window->range(b, tile.offsets[reduced.position]);
  return b.loop(first, last, 1, sums, [&](Value i, ValueRange values) {
    return body(i, range, values);
  });
}

SmallVector<Value> MicroKernel::emitTapsOfGroups(const MicroTile &tile,
                                                 const KernelBuffer &rhs,
                                                 Value lhs, Value step,
                                                 RowRange range,
                                                 ValueRange sums) const {
  ArrayRef<PlannedAxis> axes = axesOf(tile);
  const PlannedAxis &taps = axes.end()[-2];
  int64_t group = plan.group, tapStep = rhsStepOf(tile, axes.size() - 2);
  int64_t places = axes.back().extent / group;
  int64_t parts = std::min(places, GroupInputs::kPart);
  SmallVector<Value> values(sums);
  auto emitTaps = [&](int64_t row, int64_t place) {
    Value first = b.add(step, place * group * tile.rhsStep);
    for (int64_t tap = 0; tap < taps.extent; ++tap)
      values = emitStep(tile, rhs, b.add(lhs, tap * taps.lhsStride),
                        b.add(first, tap * tapStep), group, place,
                        {row, row + 1}, values);
  };
  // Places at which parts of the inputs are shuffled alike follow each other.
  for (int64_t part = 0; part < parts; ++part)
    for (int64_t row = range.first; row < range.second; ++row)
      for (int64_t place = part; place < places; place += parts)
        emitTaps(row, place);
  return values;
}

SmallVector<Value>
MicroKernel::addApart(ValueRange sums,
                      function_ref<SmallVector<Value>(ValueRange)> body) const {
  SmallVector<Value> zeros;
  for (Value sum : sums)
    zeros.push_back(arith::ConstantOp::create(
        b.builder, b.loc, b.builder.getZeroAttr(sum.getType())));
  SmallVector<Value> parts = body(zeros), totals(sums);
  for (auto [total, part, zero] : llvm::zip(totals, parts, zeros))
    // Rows without products in this part stay as they are.
    if (part != zero)
      total = arith::AddFOp::create(b.builder, b.loc, total, part);
  return totals;
}

SmallVector<Value> MicroKernel::emitInnermost(const MicroTile &tile,
                                              const KernelBuffer &rhs,
                                              Value lhs, Value step,
                                              RowRange range,
                                              ValueRange sums) const {
  ArrayRef<PlannedAxis> axes = axesOf(tile);
  const PlannedAxis &axis = axes.back();
  Value limit = axis.limit(b);
  if (plan.sumsApart(axes) + 1 != axes.size())
    return emitSteps(tile, rhs, lhs, step, limit, range, sums);
  int64_t chunk = plan.sumDepth(axis.extent);
  auto part = [&](Value first, Value count, ValueRange values) {
    return addApart(values, [&](ValueRange zeros) {
      return emitSteps(tile, rhs, b.add(lhs, b.mul(first, axis.lhsStride)),
                       b.add(step, b.mul(first, tile.rhsStep)), count, range,
                       zeros);
    });
  };
  int64_t first = 0;
  SmallVector<Value> totals(sums);
  // The first part need not be added to zeros.
  if (llvm::all_of(sums, [](Value sum) {
        return matchPattern(sum, m_PosZeroFloat());
      })) {
    first = chunk;
    totals = emitSteps(tile, rhs, lhs, step, b.min(limit, b.index(chunk)),
                       range, sums);
  }
  Value whole = b.max(b.index(first), b.mul(b.div(limit, chunk), chunk));
  totals = b.loop(b.index(first), whole, chunk, totals,
                  [&](Value i, ValueRange values) {
                    return part(i, b.index(chunk), values);
                  });
  if (axis.extent % chunk == 0 && !axis.isBounded())
    return totals;
  return part(whole, b.sub(b.max(limit, whole), whole), totals);
}

int64_t MicroKernel::stepsPerTurn(const MicroTile &tile) const {
  // A turn takes a jump and counts. With a dozen products or fewer, that is a
  // large share of what a core starts, of which another thread on it has half.
  constexpr int64_t kMostProducts = 12, kSteps = 4;
  int64_t vectors = tile.columns->vectors, products = tile.rows * vectors;
  int64_t steps = std::clamp<int64_t>(plan.registers / 2 / products, 1, 8);
  // LLVM writes products over what many rows multiply one vector with, and
  // stores some.
  bool isNarrow = vectors == 1 && 2 * products > plan.registers;
  // Sums of other types, or of processors without multiply-adds, may be in
  // registers that `keepOrder` cannot name.
  bool canKeepOrder = b.target.fma && plan.isFloat;
  bool isShort = hasFewRegisters(b.target) && products <= kMostProducts;
  return isShort && !isNarrow && canKeepOrder ? std::max(steps, kSteps) : steps;
}

SmallVector<Value> MicroKernel::emitSteps(const MicroTile &tile,
                                          const KernelBuffer &rhs, Value lhs,
                                          Value step, Value count,
                                          RowRange range,
                                          ValueRange sums) const {
  int64_t products = tile.rows * tile.columns->vectors;
  int64_t unroll = stepsPerTurn(tile);
  // Smaller tiles leave registers for what later steps load early.
  bool inOrder = !plan.isColumnwise && 2 * products >= plan.registers;
  const PlannedAxis &axis = axesOf(tile).back();
  int64_t group = plan.group;
  Value steps = b.div(count, group);
  auto stepsFrom = [&](Value first, int64_t count, ValueRange init) {
    SmallVector<Value> values(init);
    int64_t lhsStep = axis.lhsStride * group, rhsStep = tile.rhsStep * group;
    // All steps of a group of columns take from the same elements.
    if (plan.groupWidth > 1)
      lhsStep = 0;
    for (int64_t i = 0; i < count; ++i) {
      if (i > 0 && inOrder)
        b.keepOrder(values);
      values = emitStep(tile, rhs,
                        b.add(b.add(lhs, b.mul(first, lhsStep)), i * lhsStep),
                        b.add(b.add(step, b.mul(first, rhsStep)), i * rhsStep),
                        group, i, range, values);
    }
    return values;
  };
  // Taps side by side read the same inputs, which CSE then finds.
  int64_t most = getConstantIntValue(count).value_or(axis.extent);
  if (plan.isColumnwise && most <= 2 * kTapsAtOnce)
    unroll = most > kTapsAtOnce ? llvm::divideCeil(most, 2) : most / group;
  Value whole = b.mul(b.div(steps, unroll), unroll);
  SmallVector<Value> begins = panelStream.begin(tile, step);
  SmallVector<Value> next =
      b.loop(b.index(0), whole, unroll, sums, [&](Value i, ValueRange values) {
        panelStream.emit(rhs, begins, i, unroll);
        if (plan.fetchesRows)
          fetchRows(tile, lhs, i, unroll);
        return stepsFrom(i, unroll, values);
      });
  next = b.loop(whole, steps, 1, next, [&](Value i, ValueRange values) {
    return stepsFrom(i, 1, values);
  });
  // A limit ends a group, or is the end of the axis.
  int64_t rest = most % group;
  if (rest == 0)
    return next;
  return b.loop(b.mul(steps, group), count, group, next,
                [&](Value done, ValueRange values) {
                  return emitStep(tile, rhs,
                                  b.add(lhs, b.mul(done, axis.lhsStride)),
                                  b.add(step, b.mul(done, tile.rhsStep)), rest,
                                  0, range, values);
                });
}

Value MicroKernel::widened(Value value, const KernelBuffer &buffer) const {
  return buffer.type == spec.accumulator
             ? value
             : b.convert(value, buffer.element, spec.accumulator);
}

Value MicroKernel::loadInputs(Value at, int64_t lanes, Value mask,
                              int64_t place) const {
  Value inputs = b.load(buffers[0], at, lanes, 1, mask);
  if (plan.group == 1)
    inputs = widened(inputs, buffers[0]);
  if (plan.groupWidth == 1)
    return inputs;
  return GroupInputs{b, plan.groupWidth, plan.group}.take(inputs, place);
}

SmallVector<Value> MicroKernel::emitStep(const MicroTile &tile,
                                         const KernelBuffer &rhs, Value lhs,
                                         Value step, int64_t count,
                                         int64_t place, RowRange range,
                                         ValueRange sums) const {
  int64_t vectors = tile.columns->vectors, lanes = tile.columns->lanes;
  SmallVector<Value> columns;
  for (int64_t v = 0; v < vectors; ++v) {
    // Panels are filled up, so only plain matrices need the mask.
    Value mask = plan.packed || plan.packs ? Value() : maskOf(tile, v);
    Value vector = b.load(rhs, b.add(tile.rhsOffsets[v], step),
                          tile.columns->lanesOf(v) * plan.group, 1, mask);
    columns.push_back(plan.group > 1 ? vector : widened(vector, rhs));
  }
  SmallVector<Value> next(sums);
  for (int64_t row = range.first; row < range.second; ++row) {
    // A row's own place comes first: LLVM adds a step to its address then, and
    // not, in each step, the place to an address that all rows share.
    Value at = plan.isEven(Lhs) ? b.add(lhs, row * plan.rows.strides[Lhs])
                                : b.add(tile.lhsRows[row], lhs);
    Value element;
    if (!plan.isColumnwise && plan.group > 1)
      element = b.broadcastGroup(buffers[0], at, plan.group, count, lanes);
    else if (!plan.isColumnwise)
      element = b.broadcast(widened(b.load(buffers[0], at), buffers[0]), lanes);
    for (int64_t v = 0; v < vectors; ++v) {
      int64_t own = tile.columns->lanesOf(v);
      if (plan.isColumnwise)
        element = loadInputs(b.add(at, v * lanes), own, maskOf(tile, v), place);
      else if (own < lanes)
        element = b.lanesFrom(element, 0, own);
      Value &sum = next[row * vectors + v];
      sum = plan.group > 1 ? b.multiplyAddGroups(element, columns[v], sum)
                           : b.multiplyAdd(element, columns[v], sum);
    }
  }
  return next;
}

Value MicroKernel::rowOffset(const MicroTile &tile, Value down,
                             size_t operand) const {
  if (plan.isEven(operand))
    return b.mul(down, plan.rows.strides[operand]);
  std::optional<int64_t> known = getConstantIntValue(down);
  RowPlace place = known ? tile.places[*known]
                         : plan.joined->placeOf(b, b.add(tile.row, down));
  return plan.joined->offset(b, place, operand);
}

void MicroKernel::emitEpilogue(const MicroTile &tile,
                               ArrayRef<SumPlace> places) const {
  SmallVector<SumVector> vectors;
  for (const SumPlace &at : places) {
    auto place = [this, &tile, at](size_t operand) {
      int64_t stride = plan.columns.strides[operand];
      Value down = rowOffset(tile, at.row, operand);
      int64_t right = at.vector * tile.columns->lanes * stride;
      return std::pair(b.add(tile.offsets[operand], b.add(down, right)),
                       stride);
    };
    vectors.push_back({at.sums, maskOf(tile, at.vector), place});
  }
  glow::emitEpilogue(b, epilogue, spec, buffers, vectors);
}
