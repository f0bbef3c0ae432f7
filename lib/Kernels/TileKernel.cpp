//===- TileKernel.cpp - products in tile registers ------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All tile registers of a function have one form each, so LLVM configures them
// once, at the function's entry.
//
//===----------------------------------------------------------------------===//
#include "glow/Kernels/TileKernel.h"
#include "glow/Interfaces/TileRegisters.h"
#include "mlir/Dialect/AMX/AMXDialect.h"

using namespace mlir;
using namespace mlir::glow;

/// Places among the axes' operands.
enum : size_t { Out, Lhs, Rhs, FirstEpilogue };

static constexpr int64_t kRegister = TileRows::kMost, kSide = TileRows::kSide;
/// The sums of one tile.
static constexpr int64_t kSums = kSide * kSide * kRegister * kRegister;

TileKernel::TileKernel(KernelBuilder &builder, const ContractionPlan &plan,
                       const ContractionSpec &spec,
                       const ScalarRegion &epilogue,
                       ArrayRef<KernelBuffer> buffers)
    : MicroKernel(builder, plan, spec, epilogue, buffers) {
  Type element = buffers[0].type;
  int64_t depth = plan.registerDepth;
  auto tile = [](int64_t rows, int64_t columns, Type element) {
    return amx::TileType::get({rows, columns}, element);
  };
  lhsTile = tile(plan.registerRows, depth, element);
  rhsTile = tile(kRegister, depth, element);
  sumTile = tile(plan.registerRows, kRegister, spec.accumulator);
  int64_t tiles = plan.parts ? DepthParts::kTiles : 1;
  int64_t zeros = plan.parts ? kRegister : 0;
  sumScratch = b.scratch(spec.accumulator, tiles * kSums + zeros);
  if (zeros)
    b.store(b.zero(spec.accumulator, zeros), sumScratch,
            b.index(tiles * kSums));
  if (!isApart(plan.reduced.size()))
    totalScratch = b.scratch(spec.accumulator, kSums);
  if (plan.reduced.back().extent / spec.pieces % depth == 0)
    return;
  lhsScratch = b.scratch(element, kRegister * depth);
  rhsScratch = b.scratch(element, kRegister * depth);
}

SmallVector<TileKernel::RowBlock>
TileKernel::rowBlocks(const MicroTile &tile) const {
  int64_t last = tile.rows - plan.registerRows;
  if (tile.rows <= plan.registerRows)
    return {{last, -last}};
  return {{0, 0}, {last, plan.registerRows - last}};
}

SmallVector<Value> TileKernel::zeros(const MicroTile &tile) const {
  SmallVector<Value> sums;
  size_t count = rowBlocks(tile).size() * tile.columns->vectors;
  for (size_t i = 0; i < count; ++i)
    sums.push_back(amx::TileZeroOp::create(b.builder, b.loc, sumTile));
  return sums;
}

void TileKernel::emit(const MicroTile &tile, const KernelBuffer &rhs) const {
  if (plan.parts)
    return emitPart(tile, rhs);
  Step start{tile.offsets[Lhs], b.index(0)};
  Value first = b.index(0);
  if (isApart(plan.reduced.size())) {
    storeSums(tile, emitAxes(tile, rhs, 0, start, zeros(tile)), first);
    return emitEpilogues(tile, sumScratch, first);
  }
  Value zero = b.zero(totalScratch.type, kRegister);
  b.loop(b.index(0), b.index(totalScratch.shape[0]), kRegister,
         [&](Value at) { b.store(zero, totalScratch, at); });
  emitAxes(tile, rhs, 0, start, {});
  emitEpilogues(tile, totalScratch, first);
}

void TileKernel::emitPart(const MicroTile &tile,
                          const KernelBuffer &rhs) const {
  const DepthParts &parts = *plan.parts;
  Step at = partOf(tile);
  Value place = b.mul(tile.place, kSums);
  SmallVector<Value> sums = loadSums(tile, place);
  if (parts.axis + 1 == plan.reduced.size())
    sums = emitSteps(tile, rhs, at, parts.depth, sums);
  else
    sums = emitAxes(tile, rhs, parts.axis, at, sums);
  storeSums(tile, sums, place);
  b.ifThen(b.less(b.index(parts.count - 2), tile.part),
           [&] { emitEpilogues(tile, sumScratch, place); });
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

void TileKernel::addApart(
    const MicroTile &tile,
    function_ref<SmallVector<Value>(ValueRange)> body) const {
  storeSums(tile, body(zeros(tile)), b.index(0));
  int64_t width = tile.columns->vectors * kRegister;
  for (size_t i = 0; i < rowBlocks(tile).size(); ++i) {
    Value end = b.index(placeOf(i) + plan.registerRows * width);
    b.loop(b.index(placeOf(i)), end, kRegister, [&](Value at) {
      Value total = arith::AddFOp::create(b.builder, b.loc,
                                          b.load(totalScratch, at, kRegister),
                                          b.load(sumScratch, at, kRegister));
      b.store(total, totalScratch, at);
    });
  }
}

SmallVector<Value> TileKernel::emitInnermost(const MicroTile &tile,
                                             const KernelBuffer &rhs, Step at,
                                             ValueRange sums) const {
  size_t axis = plan.reduced.size() - 1;
  int64_t extent = plan.reduced[axis].extent / spec.pieces;
  if (!isApart(axis))
    return emitSteps(tile, rhs, at, extent, sums);
  int64_t part = plan.sumDepth(extent), rest = extent % part;
  auto emitPart = [&](Value first, int64_t count) {
    addApart(tile, [&](ValueRange init) {
      return emitSteps(tile, rhs, stepFrom(tile, axis, at, first), count, init);
    });
  };
  b.loop(b.index(0), b.index(extent - rest), part,
         [&](Value i) { emitPart(i, part); });
  if (rest)
    emitPart(b.index(extent - rest), rest);
  return {};
}

SmallVector<Value> TileKernel::emitSteps(const MicroTile &tile,
                                         const KernelBuffer &rhs, Step at,
                                         int64_t extent,
                                         ValueRange sums) const {
  size_t axis = plan.reduced.size() - 1;
  int64_t depth = plan.registerDepth, rest = extent % depth;
  Value whole = b.index(extent - rest);
  SmallVector<Value> next =
      b.loop(b.index(0), whole, depth, sums, [&](Value i, ValueRange values) {
        return emitProducts(tile, rhs, depth, stepFrom(tile, axis, at, i),
                            values);
      });
  return rest ? emitProducts(tile, rhs, rest, stepFrom(tile, axis, at, whole),
                             next)
              : next;
}

SmallVector<Value> TileKernel::emitProducts(const MicroTile &tile,
                                            const KernelBuffer &rhs,
                                            int64_t count, Step at,
                                            ValueRange sums) const {
  const PlannedAxis &axis = plan.reduced.back();
  int64_t vectors = tile.columns->vectors, piece = axis.extent / spec.pieces;
  SmallVector<RowBlock> blocks = rowBlocks(tile);
  SmallVector<Value> rows, columns, next(sums);
  std::pair<int64_t, int64_t> loaded(-1, -1);
  for (int64_t i = 0; i < spec.pieces; ++i)
    fetchNext(tile, rhs, b.add(at.rhs, i * piece * tile.rhsStep),
              plan.registerDepth / plan.group);
  for (auto [i, j] : spec.products()) {
    Value from = b.add(at.lhs, i * piece * axis.lhsStride);
    if (std::exchange(loaded.first, i) != i)
      rows = llvm::map_to_vector(blocks, [&](const RowBlock &block) {
        return loadLhs(block, from, count);
      });
    Value place = b.add(at.rhs, j * piece * tile.rhsStep);
    if (std::exchange(loaded.second, j) != j)
      columns = llvm::map_to_vector(llvm::seq(vectors), [&](int64_t vector) {
        return loadRhs(tile, rhs, vector, place, count);
      });
    for (auto [index, sum] : llvm::enumerate(next))
      sum = multiply(rows[index / vectors], columns[index % vectors], sum);
  }
  return next;
}

Value TileKernel::loadLhs(const RowBlock &rows, Value at, int64_t count) const {
  const KernelBuffer &lhs = buffers[0];
  int64_t stride = plan.rows.strides[Lhs], depth = plan.registerDepth;
  Value from = b.add(at, rows.start * stride);
  if (count == depth)
    return amx::TileLoadOp::create(b.builder, b.loc, lhsTile, lhs.flat, from,
                                   b.index(stride));
  // What lies behind the end may be no number at all, so it is not read.
  Value mask = b.mask(b.index(count), depth);
  b.loop(b.index(0), b.index(plan.registerRows), 1, [&](Value row) {
    Value step = b.load(lhs, b.add(from, b.mul(row, stride)), depth, 1, mask);
    b.store(step, lhsScratch, b.mul(row, depth));
  });
  return amx::TileLoadOp::create(b.builder, b.loc, lhsTile, lhsScratch.flat,
                                 b.index(0), b.index(depth));
}

Value TileKernel::loadRhs(const MicroTile &tile, const KernelBuffer &rhs,
                          int64_t vector, Value at, int64_t count) const {
  int64_t depth = plan.registerDepth, stride = tile.rhsStep * plan.group;
  Value from = b.add(tile.rhsOffsets[vector], at);
  if (count == depth)
    return amx::TileLoadOp::create(b.builder, b.loc, rhsTile, rhs.flat, from,
                                   b.index(stride));
  // Panels are filled up to whole groups.
  int64_t groups = llvm::divideCeil(count, plan.group);
  b.loop(b.index(0), b.index(groups), 1, [&](Value group) {
    Value row = b.load(rhs, b.add(from, b.mul(group, stride)), depth);
    b.store(row, rhsScratch, b.mul(group, depth));
  });
  Value zeros = b.zero(rhs.type, depth);
  b.loop(b.index(groups), b.index(kRegister), 1,
         [&](Value group) { b.store(zeros, rhsScratch, b.mul(group, depth)); });
  return amx::TileLoadOp::create(b.builder, b.loc, rhsTile, rhsScratch.flat,
                                 b.index(0), b.index(depth));
}

Value TileKernel::multiply(Value lhs, Value rhs, Value sums) const {
  if (isa<FloatType>(spec.accumulator))
    return amx::TileMulFOp::create(b.builder, b.loc, sumTile, lhs, rhs, sums);
  return amx::TileMulIOp::create(b.builder, b.loc, sumTile, lhs, rhs, sums,
                                 buffers[0].element.isUnsignedInteger(),
                                 buffers[1].element.isUnsignedInteger());
}

// Each block has its own place, so that none waits for another's epilogue.
int64_t TileKernel::placeOf(size_t block) const {
  return block * kSide * kRegister * kRegister;
}

Value TileKernel::placeOf(const MicroTile &tile, size_t sum,
                          Value first) const {
  int64_t vectors = tile.columns->vectors;
  return b.add(first, placeOf(sum / vectors) + sum % vectors * kRegister);
}

void TileKernel::storeSums(const MicroTile &tile, ValueRange sums,
                           Value first) const {
  Value width = b.index(tile.columns->vectors * kRegister);
  for (auto [i, sum] : llvm::enumerate(sums))
    amx::TileStoreOp::create(b.builder, b.loc, sumScratch.flat,
                             placeOf(tile, i, first), sum, width);
}

SmallVector<Value> TileKernel::loadSums(const MicroTile &tile,
                                        Value first) const {
  // All rows of what comes before the first part are one row of zeros.
  Value isFirst = b.less(tile.part, b.index(1));
  auto choose = [&](Value zero, Value other) {
    return b.builder.createOrFold<arith::SelectOp>(b.loc, isFirst, zero, other);
  };
  int64_t width = tile.columns->vectors * kRegister;
  Value zeros = b.index(DepthParts::kTiles * kSums);
  Value step = choose(b.index(0), b.index(width));
  SmallVector<Value> sums;
  for (size_t i = 0; i < rowBlocks(tile).size() * tile.columns->vectors; ++i)
    sums.push_back(
        amx::TileLoadOp::create(b.builder, b.loc, sumTile, sumScratch.flat,
                                choose(zeros, placeOf(tile, i, first)), step));
  return sums;
}

void TileKernel::emitEpilogues(const MicroTile &tile, const KernelBuffer &sums,
                               Value first) const {
  int64_t vectors = tile.columns->vectors, width = vectors * kRegister;
  SmallVector<RowBlock> blocks = rowBlocks(tile);
  for (size_t i = 0; i < blocks.size(); ++i) {
    const RowBlock &rows = blocks[i];
    b.loop(b.index(rows.first), b.index(plan.registerRows), 1, [&](Value row) {
      auto emit = [&](const MicroTile &tile, Value below) {
        // Whole rows at once: their results, if half as wide, fill cache lines.
        int64_t step = tile.mask ? 1 : vectors;
        for (int64_t v = 0; v < vectors; v += step) {
          Value at = b.add(b.add(first, b.mul(row, width)),
                           placeOf(i) + v * kRegister);
          emitEpilogue(tile, below, v, b.load(sums, at, step * kRegister));
        }
      };
      Value below = b.add(row, rows.start);
      if (plan.lines)
        emitInLine(tile, b.add(tile.row, below), emit);
      else
        emit(tile, below);
    });
  }
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
