//===- TileKernel.cpp - products in tile registers ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All tile registers of a function have one form each, so LLVM configures them
// once, at the function's entry.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/TileKernel.h"
#include "ContractionOperands.h"
#include "glow/Interfaces/TileRegisters.h"
#include "mlir/Dialect/AMX/AMXDialect.h"

using namespace mlir;
using namespace mlir::glow;

static constexpr int64_t kRegister = TileRows::kMost, kSide = TileRows::kSide;
/// The sums of one tile.
static constexpr int64_t kSums = kSide * kSide * kRegister * kRegister;
/// The least rows of an epilogue between two products.
static constexpr int64_t kRowsAtOnce = 2;

/// What is known of rows that wait for their epilogue: where their sums and
/// their tile begin, and the offsets of the epilogue's operands.
enum : size_t { Sums, Row, FirstOffset };

TileKernel::TileKernel(KernelBuilder &builder, const ContractionPlan &plan,
                       const ContractionSpec &spec,
                       const ScalarRegion &epilogue,
                       ArrayRef<KernelBuffer> buffers)
    : MicroKernel(builder, plan, spec, epilogue, buffers),
      waiting(builder, FirstOffset + plan.numEpilogue + 1),
      panelFetch(builder, plan) {
  Type element = buffers[0].type;
  int64_t depth = plan.registerDepth;
  auto tile = [](int64_t rows, int64_t columns, Type element) {
    return amx::TileType::get({rows, columns}, element);
  };
  lhsTile = tile(plan.registerRows, depth, element);
  rhsTile = tile(depth / plan.group, kRegister * plan.group, element);
  sumTile = tile(plan.registerRows, kRegister, spec.accumulator);
  sumScratch = b.scratch(spec.accumulator, kSums);
  if (hasTotals())
    // Those of one tile while those of another wait.
    totalScratch = b.scratch(spec.accumulator, 2 * kSums);
  if (plan.reduced.back().extent / spec.pieces % depth == 0)
    return;
  lhsScratch = b.scratch(element, kRegister * depth);
  rhsScratch = b.scratch(element, kRegister * depth);
}

/// Sums of one row.
static int64_t widthOf(const MicroTile &tile) {
  return tile.columns->vectors * kRegister;
}

SmallVector<int64_t> TileKernel::rowBlocks(const MicroTile &tile) const {
  int64_t last = tile.rows - plan.registerRows;
  if (last <= 0)
    return {last};
  return {0, last};
}

SmallVector<Value> TileKernel::zeros(const MicroTile &tile) const {
  SmallVector<Value> sums;
  size_t count = rowBlocks(tile).size() * tile.columns->vectors;
  for (size_t i = 0; i < count; ++i)
    sums.push_back(amx::TileZeroOp::create(b.builder, b.loc, sumTile));
  return sums;
}

void TileKernel::emit(const MicroTile &tile, const KernelBuffer &rhs) const {
  Step start{tile.offsets[Lhs], b.index(0)};
  Value first = b.index(0);
  if (hasTotals()) {
    first = totalPlace();
    Value zero = b.zero(totalScratch.type, kRegister);
    b.loop(first, b.add(first, kSums), kRegister,
           [&](Value at) { b.store(zero, totalScratch, at); });
    emitAxes(tile, rhs, 0, start, {});
  } else {
    SmallVector<Value> sums = emitAxes(tile, rhs, 0, start, zeros(tile));
    storeSums(tile, sums, first);
  }
  putOff(tile, first);
}

SmallVector<Value> TileKernel::emitAxes(const MicroTile &tile,
                                        const KernelBuffer &rhs, size_t axis,
                                        Step at, ValueRange sums) const {
  if (axis + 1 == plan.reduced.size())
    return emitInnermost(tile, rhs, at, sums);
  const PlannedAxis &reduced = plan.reduced[axis];
  Value first = b.index(0), last = b.index(reduced.extent);
  if (reduced.window)
    std::tie(first, last) =
        reduced.window->range(b, tile.offsets[reduced.position]);
  return b.loop(first, last, 1, sums, [&](Value i, ValueRange values) {
    auto inner = [&](ValueRange init) {
      return emitAxes(tile, rhs, axis + 1, stepFrom(tile, axis, at, i), init);
    };
    if (!isApart(axis))
      return inner(values);
    addApart(tile, inner);
    return SmallVector<Value>();
  });
}

Value TileKernel::totalPlace() const {
  return b.sub(b.index(kSums), waiting.value(Sums));
}

void TileKernel::addApart(
    const MicroTile &tile,
    function_ref<SmallVector<Value>(ValueRange)> body) const {
  storeSums(tile, body(zeros(tile)), b.index(0));
  int64_t rows = tile.rows - rowBlocks(tile).front();
  Value first = totalPlace();
  b.loop(b.index(0), b.index(rows * widthOf(tile)), kRegister, [&](Value i) {
    Value at = b.add(first, i);
    Value total = arith::AddFOp::create(b.builder, b.loc,
                                        b.load(totalScratch, at, kRegister),
                                        b.load(sumScratch, i, kRegister));
    b.store(total, totalScratch, at);
  });
}

SmallVector<Value> TileKernel::emitInnermost(const MicroTile &tile,
                                             const KernelBuffer &rhs, Step at,
                                             ValueRange sums) const {
  size_t axis = plan.reduced.size() - 1;
  Value limit = b.div(plan.reduced[axis].limit(b), spec.pieces);
  if (!isApart(axis))
    return emitSteps(tile, rhs, at, limit, sums);
  int64_t extent = plan.reduced[axis].extent / spec.pieces;
  int64_t part = plan.sumDepth(extent);
  auto emitPart = [&](Value first, Value count) {
    addApart(tile, [&](ValueRange init) {
      return emitSteps(tile, rhs, stepFrom(tile, axis, at, first), count, init);
    });
  };
  Value whole = b.mul(b.div(limit, part), part);
  b.loop(b.index(0), whole, part, [&](Value i) { emitPart(i, b.index(part)); });
  if (extent % part || plan.reduced[axis].isBounded())
    emitPart(whole, b.sub(limit, whole));
  return {};
}

SmallVector<Value> TileKernel::emitSteps(const MicroTile &tile,
                                         const KernelBuffer &rhs, Step at,
                                         Value count, ValueRange sums) const {
  size_t axis = plan.reduced.size() - 1;
  int64_t depth = plan.registerDepth;
  Value whole = b.mul(b.div(count, depth), depth);
  SmallVector<Value> next =
      b.loop(b.index(0), whole, depth, sums, [&](Value i, ValueRange values) {
        Value asked = b.add(at.rhs, b.mul(i, spec.pieces * tile.rhsStep));
        return emitProducts(tile, rhs, depth, stepFrom(tile, axis, at, i),
                            values, asked);
      });
  // A limit ends a register, or is the end of the axis.
  int64_t most = getConstantIntValue(count).value_or(plan.reduced[axis].extent /
                                                     spec.pieces);
  int64_t rest = most % depth;
  if (!rest)
    return next;
  if (most < depth)
    emitWaiting(*tile.columns, rowsPerStep());
  return b.loop(whole, count, depth, next, [&](Value i, ValueRange values) {
    return emitProducts(tile, rhs, rest, stepFrom(tile, axis, at, i), values);
  });
}

SmallVector<Value> TileKernel::emitProducts(const MicroTile &tile,
                                            const KernelBuffer &rhs,
                                            int64_t count, Step at,
                                            ValueRange sums,
                                            Value asked) const {
  const PlannedAxis &axis = plan.reduced.back();
  int64_t vectors = tile.columns->vectors, piece = axis.extent / spec.pieces;
  SmallVector<int64_t> blocks = rowBlocks(tile);
  SmallVector<Value> rows, columns, next(sums);
  std::pair<int64_t, int64_t> loaded(-1, -1);
  auto products = spec.products();
  // A processor does not see past an epilogue of many rows to the next product,
  // so they go between those of the step. Products of pieces need all registers
  // nearly all the time, and LLVM finds them around one loop only.
  int64_t waitingRows = count == plan.registerDepth ? rowsPerStep() : 0;
  int64_t shares = std::clamp<int64_t>(waitingRows / kRowsAtOnce, 1,
                                       blocks.size() * vectors);
  int64_t rowsAtOnce = llvm::divideCeil(waitingRows, shares);
  size_t lastButOne = products.size() > 1 ? products.size() - 2 : 0;
  for (auto [number, pair] : llvm::enumerate(products)) {
    auto [i, j] = pair;
    if (spec.pieces > 1 && number == lastButOne)
      emitWaiting(*tile.columns, waitingRows);
    Value from = b.add(at.lhs, i * piece * axis.lhsStride);
    if (std::exchange(loaded.first, i) != i)
      rows = llvm::map_to_vector(
          blocks, [&](int64_t block) { return loadLhs(block, from, count); });
    Value place = b.add(at.rhs, j * piece * tile.rhsStep);
    if (std::exchange(loaded.second, j) != j)
      columns = llvm::map_to_vector(llvm::seq(vectors), [&](int64_t vector) {
        return loadRhs(tile, rhs, vector, place, count);
      });
    if (number == 0 && asked)
      panelFetch.emit(tile, rhs, asked);
    for (auto [index, sum] : llvm::enumerate(next)) {
      if (spec.pieces == 1 && shares-- > 0)
        emitWaiting(*tile.columns, rowsAtOnce);
      sum = multiply(rows[index / vectors], columns[index % vectors], sum);
    }
  }
  return next;
}

Value TileKernel::loadTile(Type tile, const KernelBuffer &from, Value at,
                           int64_t stride, bool isStreamed) const {
  auto load = amx::TileLoadOp::create(b.builder, b.loc, tile, from.flat, at,
                                      b.index(stride));
  if (isStreamed)
    load->setAttr(kStreamed, b.builder.getUnitAttr());
  return load;
}

Value TileKernel::loadLhs(int64_t firstRow, Value at, int64_t count) const {
  const KernelBuffer &lhs = buffers[0];
  int64_t stride = plan.rows.strides[Lhs], depth = plan.registerDepth;
  Value from = b.add(at, firstRow * stride);
  if (count == depth)
    return loadTile(lhsTile, lhs, from, stride, plan.streamsRows);
  // What lies behind the end may be no number at all, so it is not read.
  Value mask = b.mask(b.index(count), depth);
  b.loop(b.index(0), b.index(plan.registerRows), 1, [&](Value row) {
    Value step = b.load(lhs, b.add(from, b.mul(row, stride)), depth, 1, mask);
    b.store(step, lhsScratch, b.mul(row, depth));
  });
  return loadTile(lhsTile, lhsScratch, b.index(0), depth);
}

Value TileKernel::loadRhs(const MicroTile &tile, const KernelBuffer &rhs,
                          int64_t vector, Value at, int64_t count) const {
  int64_t depth = plan.registerDepth, stride = tile.rhsStep * plan.group;
  Value from = b.add(tile.rhsOffsets[vector], at);
  if (count == depth)
    return loadTile(rhsTile, rhs, from, stride, plan.streamsPanels);
  // Panels are filled up to whole groups.
  int64_t groups = llvm::divideCeil(count, plan.group);
  int64_t width = kRegister * plan.group;
  b.loop(b.index(0), b.index(groups), 1, [&](Value group) {
    Value row = b.load(rhs, b.add(from, b.mul(group, stride)), width);
    b.store(row, rhsScratch, b.mul(group, width));
  });
  Value zeros = b.zero(rhs.type, width);
  b.loop(b.index(groups), b.index(depth / plan.group), 1,
         [&](Value group) { b.store(zeros, rhsScratch, b.mul(group, width)); });
  return loadTile(rhsTile, rhsScratch, b.index(0), width);
}

Value TileKernel::multiply(Value lhs, Value rhs, Value sums) const {
  if (isa<FloatType>(spec.accumulator))
    return amx::TileMulFOp::create(b.builder, b.loc, sumTile, lhs, rhs, sums);
  return amx::TileMulIOp::create(b.builder, b.loc, sumTile, lhs, rhs, sums,
                                 buffers[0].element.isUnsignedInteger(),
                                 buffers[1].element.isUnsignedInteger());
}

Value TileKernel::placeOf(const MicroTile &tile, size_t sum,
                          Value first) const {
  int64_t vectors = tile.columns->vectors;
  SmallVector<int64_t> blocks = rowBlocks(tile);
  int64_t row = blocks[sum / vectors] - blocks.front();
  return b.add(first, row * widthOf(tile) + sum % vectors * kRegister);
}

void TileKernel::storeSums(const MicroTile &tile, ValueRange sums,
                           Value first) const {
  Value width = b.index(widthOf(tile));
  for (auto [i, sum] : llvm::enumerate(sums))
    amx::TileStoreOp::create(b.builder, b.loc, sumScratch.flat,
                             placeOf(tile, i, first), sum, width);
}

/// The places of what the epilogue reads and writes among the axes' operands.
static SmallVector<size_t> epilogueOperands(const ContractionPlan &plan) {
  SmallVector<size_t> operands{Out};
  for (size_t i = 0; i < plan.numEpilogue; ++i)
    operands.push_back(FirstEpilogue + i);
  return operands;
}

void TileKernel::putOff(const MicroTile &tile, Value first) const {
  // Counted from the first row in memory.
  int64_t start = rowBlocks(tile).front();
  SmallVector<Value> values{first, b.add(tile.row, start)};
  for (size_t operand : epilogueOperands(plan))
    values.push_back(
        b.add(tile.offsets[operand], start * plan.rows.strides[operand]));
  Value end = b.index(tile.rows - start);
  if (plan.rows.isBounded())
    end = b.min(end, b.sub(plan.rowLimit(b), b.add(tile.row, start)));
  waiting.put(b.index(-start), end, values);
  if (!rowsPerStep())
    finish(*tile.columns);
}

int64_t TileKernel::rowsPerStep() const {
  // There may be fewer steps than that.
  if (llvm::any_of(plan.reduced, [](const PlannedAxis &axis) {
        return axis.window.has_value() || axis.isBounded();
      }))
    return 0;
  int64_t depth = plan.reduced.back().extent / plan.pieces, steps = 1;
  for (const PlannedAxis &axis : ArrayRef(plan.reduced).drop_back())
    steps *= axis.extent;
  steps *= std::max<int64_t>(1, depth / plan.registerDepth);
  return llvm::divideCeil(plan.tileRows, steps);
}

void TileKernel::emitWaiting(const ColumnSegment &columns,
                             int64_t count) const {
  if (count == 0)
    return;
  MicroTile tile;
  tile.columns = &columns;
  tile.mask = columns.mask(b);
  tile.offsets.assign(plan.columns.strides.size(), b.index(0));
  for (auto [i, operand] : llvm::enumerate(epilogueOperands(plan)))
    tile.offsets[operand] = waiting.value(FirstOffset + i);
  Value first = waiting.value(Sums), firstRow = waiting.value(Row);
  const KernelBuffer &sums = hasTotals() ? totalScratch : sumScratch;
  waiting.take(count, [&](Value row) {
    auto emit = [&](const MicroTile &tile, Value below) {
      // Whole rows at once: their results, if half as wide, fill cache lines.
      int64_t vectors = columns.vectors, step = tile.mask ? 1 : vectors;
      Value at = b.add(first, b.mul(row, widthOf(tile)));
      for (int64_t v = 0; v < vectors; v += step)
        emitEpilogue(tile, SumPlace{below, v,
                                    b.load(sums, b.add(at, v * kRegister),
                                           step * kRegister)});
    };
    if (plan.lines)
      emitInLine(tile, b.add(firstRow, row), emit);
    else
      emit(tile, row);
  });
}

void TileKernel::finish(const ColumnSegment &columns) const {
  emitWaiting(columns, plan.tileRows);
}

void TileKernel::emitInLine(
    const MicroTile &tile, Value row,
    function_ref<void(const MicroTile &, Value)> emit) const {
  const LoopAxis &lines = plan.lines->lines, &places = plan.lines->places;
  int64_t pitch = plan.lines->pitch;
  Value line = b.div(row, pitch), place = b.rem(row, pitch);
  auto emitRow = [&] {
    MicroTile there = tile;
    for (size_t i = 0; i < there.offsets.size(); ++i)
      if (i != Lhs && i != Rhs)
        there.offsets[i] =
            b.add(there.offsets[i], b.add(b.mul(line, lines.strides[i]),
                                          b.mul(place, places.strides[i])));
    emit(there, b.index(0));
  };
  if (pitch == places.extent)
    return emitRow();
  b.ifThen(b.less(place, b.index(places.extent)), emitRow);
}
