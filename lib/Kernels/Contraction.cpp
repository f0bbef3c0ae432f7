//===- Contraction.cpp - tiled sums of products ---------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Contraction.h"
#include "ContractionOperands.h"
#include "glow/Kernels/DotKernel.h"
#include "glow/Kernels/FewImages.h"
#include "glow/Kernels/PanelCopy.h"
#include "glow/Kernels/TileKernel.h"
#include <set>

using namespace mlir;
using namespace mlir::glow;

int64_t ContractionKernel::flops() const {
  int64_t rows = plan.lines
                     ? plan.lines->lines.extent * plan.lines->places.extent
                     : plan.rows.extent;
  int64_t elements = rows * plan.columns.extent;
  for (const LoopAxis &axis : plan.outer)
    elements *= axis.extent;
  return elements * (2 * plan.depth / plan.pieces + epilogue.cost());
}

Value ContractionKernel::inOrder(KernelBuilder &b, Value first, Value last,
                                 Value index) const {
  return spec.backwards ? b.sub(b.add(first, b.sub(last, index)), b.index(1))
                        : index;
}

void ContractionKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                             Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  std::unique_ptr<MicroKernel> kernel;
  if (plan.registerDepth)
    kernel = std::make_unique<TileKernel>(b, plan, spec, epilogue, buffers);
  else
    kernel = std::make_unique<MicroKernel>(b, plan, spec, epilogue, buffers);
  Value first, last;
  std::tie(first, last) = plan.cut.range(b, begin, end, livePoints(b));
  b.loop(first, last, 1, [&](Value point) {
    Block block = locate(b, inOrder(b, first, last, point));
    auto emit = [&] { emitBlock(b, *kernel, buffers, block); };
    if (block.isNeeded)
      b.ifThen(block.isNeeded, emit);
    else
      emit();
  });
  kernel->finish(plan.segments.front());
}

/// How many points are before those that lie beyond a limit; null if there is
/// no limit, or if those are not the last ones.
Value ContractionKernel::livePoints(KernelBuilder &b) const {
  if (plan.batches) {
    const LoopAxis &batch = plan.outer.front();
    if (!batch.isBounded())
      return {};
    return b.mul(batch.limit(b), plan.cut.points / batch.extent);
  }
  // Columns come before the rows of a group.
  if (plan.rowGroups == 1 && plan.columnBlocks > 1)
    return {};
  bool hasLines = !plan.outer.empty();
  const LoopAxis &axis = hasLines ? plan.outer.front() : plan.rows;
  if (!axis.isBounded())
    return {};
  int64_t blocks = hasLines ? axis.extent : plan.rowBlocks;
  Value live = hasLines ? axis.limit(b) : plan.rowLimit(b);
  if (!hasLines)
    live = b.ceilDiv(live, plan.tileRows * plan.blockRows);
  int64_t inGroup =
      plan.rowGroups == 1 ? 1 : llvm::divideCeil(blocks, plan.rowGroups);
  int64_t perBlock = plan.cut.points / blocks;
  return b.min(b.mul(b.ceilDiv(live, inGroup), inGroup * perBlock),
               b.index(plan.cut.points));
}

SmallVector<Value> ContractionKernel::placesOf(KernelBuilder &b, Value point,
                                               Block &block) const {
  SmallVector<int64_t> extents;
  for (const LoopAxis &axis : plan.outer)
    extents.push_back(axis.extent);
  if (plan.blockLines > 1)
    extents.back() = llvm::divideCeil(extents.back(), plan.blockLines);
  extents.push_back(plan.rowBlocks);
  ArrayRef<int64_t> batches = ArrayRef(extents).take_front(plan.batches);
  SmallVector<int64_t> rows(ArrayRef(extents).drop_front(plan.batches));
  int64_t lines = rows.front(), inner = 1;
  for (int64_t extent : ArrayRef(rows).drop_front())
    inner *= extent;
  SmallVector<int64_t> around(batches);
  around.push_back(lines * inner * plan.columnBlocks);
  SmallVector<Value> places = b.delinearize(point, around);
  Value within = places.pop_back_val();
  // The last group may be smaller.
  rows.front() = llvm::divideCeil(lines, plan.rowGroups);
  Value inGroup = b.index(rows.front());
  block.groupStart = b.index(0);
  if (plan.rowGroups > 1) {
    int64_t points = rows.front() * inner * plan.columnBlocks;
    block.groupStart = b.mul(b.div(within, points), rows.front());
    within = b.rem(within, points);
    if (lines % rows.front() != 0)
      inGroup = b.min(inGroup, b.sub(b.index(lines), block.groupStart));
  }
  // Rows of a group vary fastest: neighbours then share columns of rhs.
  inGroup = b.mul(inGroup, inner);
  block.columnBlock = b.div(within, inGroup);
  llvm::append_range(places, b.delinearize(b.rem(within, inGroup), rows));
  Value &line = places[plan.batches];
  line = b.add(block.groupStart, line);
  return places;
}

ContractionKernel::Block ContractionKernel::locate(KernelBuilder &b,
                                                   Value point) const {
  Block block;
  SmallVector<Value> indices = placesOf(b, point, block);
  block.offsets.assign(plan.columns.strides.size(), b.index(0));
  block.offsets[Lhs] = b.index(plan.lhsStart);
  auto need = [&](Value condition) {
    block.isNeeded =
        block.isNeeded ? b.both(block.isNeeded, condition) : condition;
  };
  for (auto [axis, index] : llvm::zip(plan.outer, indices))
    if (axis.isBounded())
      need(b.less(index, axis.limit(b)));
  if (plan.blockLines > 1) {
    Value &line = indices[plan.outer.size() - 1];
    line = b.mul(line, plan.blockLines);
    block.lines = b.min(b.index(plan.blockLines),
                        b.sub(b.index(plan.outer.back().extent), line));
  }
  for (auto [axis, index] : llvm::zip(plan.outer, indices))
    for (auto [offset, stride] : llvm::zip(block.offsets, axis.strides))
      offset = b.add(offset, b.mul(index, stride));
  auto range = [&](Value index, int64_t size, int64_t extent) {
    Value low = b.mul(index, size);
    return std::pair(low, b.min(b.add(low, size), b.index(extent)));
  };
  std::tie(block.firstColumn, block.lastColumn) =
      range(block.columnBlock, plan.blockColumns, plan.segments.front().tiles);
  if (plan.columns.isBounded())
    block.lastColumn =
        b.min(block.lastColumn,
              b.ceilDiv(plan.columns.limit(b), plan.segments.front().width()));
  std::tie(block.firstRow, block.lastRow) =
      range(indices.back(), plan.blockRows, plan.allRowTiles());
  block.place = b.sub(b.index(0), block.firstRow);
  block.sharing = block.place;
  if (plan.blockColumns == 1) {
    // All blocks of a group that have the same column follow each other.
    Value &first = indices[plan.batches];
    first = b.sub(first, block.groupStart);
    Value before = b.index(0);
    for (size_t i = plan.batches; i < plan.outer.size(); ++i)
      before = b.add(b.mul(before, plan.outer[i].extent), indices[i]);
    block.sharing = b.mul(before, plan.allRowTiles());
    if (plan.outer.size() == plan.batches)
      block.sharing =
          b.sub(b.index(0), b.mul(block.groupStart, plan.blockRows));
  }
  if (plan.rows.isBounded()) {
    block.lastRow =
        b.min(block.lastRow, b.ceilDiv(plan.rowLimit(b), plan.tileRows));
    need(b.less(block.firstRow, block.lastRow));
  }
  return block;
}

void ContractionKernel::emitBlock(KernelBuilder &b, const MicroKernel &kernel,
                                  ArrayRef<KernelBuffer> buffers,
                                  const Block &block) const {
  const ColumnSegment &main = plan.segments.front();
  b.loop(block.firstColumn, block.lastColumn, 1, [&](Value index) {
    Value tile = inOrder(b, block.firstColumn, block.lastColumn, index);
    emitColumns(b, kernel, buffers, block, main, b.mul(tile, main.width()));
  });
  if (plan.segments.size() == 1)
    return;
  // The last block takes what is left of the columns.
  Value isLast = b.less(b.index(plan.columnBlocks - 2), block.columnBlock);
  b.ifThen(isLast, [&] {
    kernel.finish(main);
    for (const ColumnSegment &rest : ArrayRef(plan.segments).drop_front())
      b.ifThen(b.less(b.index(rest.start), plan.columns.limit(b)), [&] {
        emitColumns(b, kernel, buffers, block, rest, b.index(rest.start));
        kernel.finish(rest);
      });
  });
}

SmallVector<Value> ContractionKernel::panelOffsets(KernelBuilder &b,
                                                   const ColumnSegment &segment,
                                                   Value start,
                                                   Value column) const {
  SmallVector<Value> offsets;
  int64_t width = plan.packed, panel = spec.panelStride;
  // The places of a rest are constant. Other tiles start with a panel, or lie
  // within one, if their widths allow it.
  bool isRegular =
      !width || (segment.start == 0 && (segment.width() % width == 0 ||
                                        width % segment.width() == 0));
  auto place = [&](Value at) {
    if (!width)
      return b.add(start, at);
    return b.add(start, b.add(b.mul(b.div(at, width), panel),
                              b.mul(b.rem(at, width), plan.group)));
  };
  Value first = place(column);
  for (int64_t v = 0; v < segment.vectors; ++v) {
    int64_t step = v * segment.lanes;
    if (!isRegular)
      offsets.push_back(place(b.add(column, step)));
    else if (!width || step < width)
      offsets.push_back(b.add(first, step * plan.group));
    else
      offsets.push_back(
          b.add(first, step / width * panel + step % width * plan.group));
  }
  return offsets;
}

/// One tile of rows that is alone leaves no time to ask for another panel.
void ContractionKernel::fetchOwnIfAlone(KernelBuilder &b,
                                        MicroTile &tile) const {
  if (!plan.rows.isBounded() || plan.registerDepth || plan.parts)
    return;
  Value isAlone = b.less(plan.rowLimit(b), b.index(plan.tileRows + 1));
  for (auto [own, next] : llvm::zip(tile.rhsOffsets, tile.nextOffsets))
    next = b.builder.createOrFold<arith::SelectOp>(
        b.loc, isAlone, b.add(own, plan.elementsAhead(b.target)), next);
}

SmallVector<Value> ContractionKernel::nextPanel(KernelBuilder &b,
                                                const ColumnSegment &segment,
                                                Value start,
                                                Value column) const {
  Value after = b.add(column, segment.width());
  int64_t batch = plan.batches ? plan.outer[plan.batches - 1].strides[Rhs] : 0;
  if (batch) {
    // Behind the last columns come the first ones of the next product.
    Value isInside = b.less(after, b.index(plan.columns.extent));
    auto select = [&](Value inside, Value behind) -> Value {
      return b.builder.createOrFold<arith::SelectOp>(b.loc, isInside, inside,
                                                     behind);
    };
    start = select(start, b.add(start, batch));
    after = select(after, b.index(0));
  } else if (segment.tiles == 1 && &segment == &plan.segments.back()) {
    return {};
  }
  return panelOffsets(b, segment, start, after);
}

void ContractionKernel::emitColumns(KernelBuilder &b, const MicroKernel &kernel,
                                    ArrayRef<KernelBuffer> buffers,
                                    const Block &block,
                                    const ColumnSegment &segment,
                                    Value column) const {
  MicroTile tile;
  tile.columns = &segment;
  KernelBuffer rhs = buffers[1];
  Value rhsStart = block.offsets[Rhs];
  if (plan.packs) {
    Value from = b.add(rhsStart, b.mul(column, plan.columns.strides[Rhs]));
    rhs = PanelCopy(b, plan, rhs, segment).emit(from);
    for (int64_t v = 0; v < segment.vectors; ++v)
      tile.rhsOffsets.push_back(b.index(v * segment.lanes * plan.group));
    tile.rhsStep = segment.width();
  } else {
    tile.rhsOffsets = panelOffsets(b, segment, rhsStart, column);
    if (plan.fetchDistance)
      for (Value own : tile.rhsOffsets)
        tile.nextOffsets.push_back(b.add(own, plan.fetchDistance));
    else if (plan.fetchShares)
      tile.nextOffsets = nextPanel(b, segment, rhsStart, column);
    if (plan.outer.size() == plan.batches)
      fetchOwnIfAlone(b, tile);
    tile.rhsStep = plan.reduced.back().rhsStride;
  }
  tile.mask = segment.mask(b);
  auto emitLine = [&](const Block &line) {
    emitRows(b, line, tile, [&](Value row, int64_t rows) {
      tile.rows = rows;
      tile.row = row;
      tile.offsets.clear();
      for (size_t i = 0; i < line.offsets.size(); ++i) {
        Value across = b.mul(column, i == Rhs ? 0 : plan.columns.strides[i]);
        Value down =
            plan.isEven(i) ? b.mul(row, plan.rows.strides[i]) : b.index(0);
        tile.offsets.push_back(b.add(b.add(line.offsets[i], across), down));
      }
      if (plan.joined)
        tile.places = plan.joined->placesFrom(b, row, rows);
      tile.lhsRows.clear();
      if (!plan.isEven(Lhs))
        for (RowPlace place : tile.places)
          tile.lhsRows.push_back(plan.joined->offset(b, place, Lhs));
      kernel.emit(tile, rhs);
    });
  };
  if (plan.parts)
    emitParts(b, block, tile, emitLine);
  else
    emitLines(b, block, emitLine);
}

void ContractionKernel::emitLines(
    KernelBuilder &b, const Block &block,
    function_ref<void(const Block &)> emitLine) const {
  if (plan.blockLines == 1)
    return emitLine(block);
  b.loop(b.index(0), block.lines, 1, [&](Value index) {
    Block line = block;
    for (auto [offset, stride] :
         llvm::zip(line.offsets, plan.outer.back().strides))
      offset = b.add(offset, b.mul(index, stride));
    Value before = b.mul(index, plan.allRowTiles());
    line.sharing = b.add(line.sharing, before);
    line.place = b.add(line.place, before);
    emitLine(line);
  });
}

void ContractionKernel::emitParts(
    KernelBuilder &b, const Block &block, MicroTile &tile,
    function_ref<void(const Block &)> emitLine) const {
  const DepthParts &parts = *plan.parts;
  auto emit = [&](const Block &tiles) {
    b.loop(b.index(0), b.index(parts.count), parts.atOnce, [&](Value i) {
      tile.part = i;
      emitLines(b, tiles, emitLine);
    });
  };
  // There is memory for the sums of all lines of a block, or of some rows.
  if (plan.blockLines > 1)
    return emit(block);
  b.loop(block.firstRow, block.lastRow, parts.tiles, [&](Value first) {
    Block some = block;
    some.firstRow = first;
    some.lastRow = b.min(b.add(first, parts.tiles), block.lastRow);
    some.place = b.sub(b.index(0), first);
    emit(some);
  });
}

void ContractionKernel::emitRows(
    KernelBuilder &b, const Block &block, MicroTile &tile,
    function_ref<void(Value, int64_t)> emitTile) const {
  auto emit = [&](Value index, int64_t rows) {
    tile.index = b.add(block.sharing, index);
    tile.place = b.add(block.place, index);
    emitTile(b.mul(index, plan.tileRows), rows);
  };
  // Tiles at the border, and the one with the rest of the rows, one by one.
  bool hasWindow = plan.hasBorderRows();
  auto emitSingly = [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      Value isInBlock = b.builder.createOrFold<arith::AndIOp>(
          b.loc, b.less(block.firstRow, b.index(i + 1)),
          b.less(b.index(i), block.lastRow));
      b.ifThen(isInBlock, [&] {
        if (hasWindow)
          tile.borderRow = i * plan.tileRows;
        emit(b.index(i), i < plan.rowTiles() ? plan.tileRows : plan.restRows());
      });
    }
    tile.borderRow.reset();
  };
  // Tile registers begin before a tile that is lower than they are.
  if (plan.rows.isBounded() && !hasWindow && !plan.registerDepth)
    return emitLiveRows(b, block, emit);
  emitSingly(0, plan.firstInside);
  Value first = b.max(block.firstRow, b.index(plan.firstInside));
  Value last = b.min(block.lastRow, b.index(plan.lastInside));
  auto emitWhole = [&](Value i) { emit(i, plan.tileRows); };
  if (!plan.rows.isBounded() || hasWindow ||
      plan.registerRows == plan.tileRows) {
    b.loop(first, last, 1, emitWhole);
  } else {
    // Where what is left of the rows fits one register, one is enough.
    Value more = b.sub(b.max(plan.rowLimit(b), b.index(plan.registerRows)),
                       b.index(plan.registerRows));
    Value whole = b.min(last, b.ceilDiv(more, plan.tileRows));
    b.loop(first, whole, 1, emitWhole);
    b.loop(b.max(first, whole), last, 1,
           [&](Value i) { emit(i, plan.registerRows); });
  }
  emitSingly(plan.lastInside, plan.allRowTiles());
}

/// Tiles up to the limit. The last one has the least of a few heights that
/// holds the rows left, among them that of the last tile there could be.
void ContractionKernel::emitLiveRows(
    KernelBuilder &b, const Block &block,
    function_ref<void(Value, int64_t)> emit) const {
  std::set<int64_t> heights{plan.tileRows};
  for (int64_t rest = 1; rest < plan.tileRows; ++rest)
    heights.insert(plan.restHeight(rest, plan.tileRows));
  if (plan.restRows())
    heights.insert(plan.restRows());
  Value limit = plan.rowLimit(b), whole = b.div(limit, plan.tileRows);
  b.loop(block.firstRow, b.min(block.lastRow, whole), 1,
         [&](Value i) { emit(i, plan.tileRows); });
  b.ifThen(b.less(whole, block.lastRow), [&] {
    Value rest = b.rem(limit, plan.tileRows);
    int64_t less = 0;
    for (int64_t height : heights) {
      b.ifThen(b.both(b.less(b.index(less), rest),
                      b.less(rest, b.index(height + 1))),
               [&] { emit(whole, height); });
      less = height;
    }
  });
}

std::unique_ptr<Kernel>
glow::makeContractionKernel(ContractionSpec spec, ValueRange buffers,
                            ScalarRegion epilogue, const KernelTarget &target) {
  if (auto dot = DotKernel::make(spec, buffers, epilogue, target))
    return dot;
  if (auto plan = ContractionPlan::make(spec, buffers, epilogue, target)) {
    if (auto either =
            FewImagesKernel::make(*plan, spec, buffers, epilogue, target))
      return either;
    return std::make_unique<ContractionKernel>(std::move(*plan),
                                               std::move(spec), epilogue);
  }
  return std::make_unique<DirectContraction>(std::move(spec), buffers, epilogue,
                                             target);
}
