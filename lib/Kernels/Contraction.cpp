//===- Contraction.cpp - tiled sums of products ---------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Contraction.h"
#include "glow/Kernels/TileKernel.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace mlir::glow;

/// Places among the axes' operands.
enum : size_t { Out, Lhs, Rhs, FirstEpilogue };

int64_t ContractionKernel::flops() const {
  int64_t rows = plan.lines
                     ? plan.lines->lines.extent * plan.lines->places.extent
                     : plan.rows.extent;
  int64_t elements = rows * plan.columns.extent;
  for (const LoopAxis &axis : plan.outer)
    elements *= axis.extent;
  return elements * (2 * plan.depth / plan.pieces + epilogue.cost());
}

void ContractionKernel::emit(KernelBuilder &b, ValueRange operands, Value begin,
                             Value end) const {
  SmallVector<KernelBuffer> buffers = b.open(operands);
  std::unique_ptr<MicroKernel> kernel;
  if (plan.registerDepth)
    kernel = std::make_unique<TileKernel>(b, plan, spec, epilogue, buffers);
  else
    kernel = std::make_unique<MicroKernel>(b, plan, spec, epilogue, buffers);
  Value first = b.mul(begin, plan.pointsPerTicket);
  Value last = b.min(b.mul(end, plan.pointsPerTicket), b.index(plan.points));
  b.loop(first, last, 1, [&](Value point) {
    Block block = locate(b, point);
    auto emit = [&] { emitBlock(b, *kernel, buffers, block); };
    if (block.isNeeded)
      b.ifThen(block.isNeeded, emit);
    else
      emit();
  });
}

ContractionKernel::Block ContractionKernel::locate(KernelBuilder &b,
                                                   Value point) const {
  // Rows vary fastest: neighbours then share columns of rhs.
  SmallVector<int64_t> extents;
  for (const LoopAxis &axis : plan.outer)
    extents.push_back(axis.extent);
  extents.insert(extents.begin() + plan.batches, plan.columnBlocks);
  extents.push_back(plan.rowBlocks);
  SmallVector<Value> indices = b.delinearize(point, extents);
  Block block;
  block.offsets.assign(plan.columns.strides.size(), b.index(0));
  block.offsets[Lhs] = b.index(plan.lhsStart);
  block.columnBlock = indices[plan.batches];
  indices.erase(indices.begin() + plan.batches);
  auto need = [&](Value condition) {
    block.isNeeded =
        block.isNeeded ? b.both(block.isNeeded, condition) : condition;
  };
  for (auto [axis, index] : llvm::zip(plan.outer, indices))
    if (axis.isBounded())
      need(b.less(index, axis.limit(b)));
  for (auto [axis, index] : llvm::zip(plan.outer, indices))
    for (auto [offset, stride] : llvm::zip(block.offsets, axis.strides))
      offset = b.add(offset, b.mul(index, stride));
  auto range = [&](Value index, int64_t size, int64_t extent) {
    Value low = b.mul(index, size);
    return std::pair(low, b.min(b.add(low, size), b.index(extent)));
  };
  std::tie(block.firstColumn, block.lastColumn) =
      range(block.columnBlock, plan.blockColumns, plan.segments.front().tiles);
  std::tie(block.firstRow, block.lastRow) =
      range(indices.back(), plan.blockRows, plan.allRowTiles());
  if (plan.rows.isBounded()) {
    Value rows = b.add(plan.rows.limit(b), plan.tileRows - 1);
    block.lastRow = b.min(block.lastRow, b.div(rows, plan.tileRows));
    need(b.less(block.firstRow, block.lastRow));
  }
  return block;
}

void ContractionKernel::emitBlock(KernelBuilder &b, const MicroKernel &kernel,
                                  ArrayRef<KernelBuffer> buffers,
                                  const Block &block) const {
  const ColumnSegment &main = plan.segments.front();
  b.loop(block.firstColumn, block.lastColumn, 1, [&](Value tile) {
    emitColumns(b, kernel, buffers, block, main, b.mul(tile, main.width()));
  });
  if (plan.segments.size() == 1)
    return;
  // The last block takes what is left of the columns.
  Value isLast = b.less(b.index(plan.columnBlocks - 2), block.columnBlock);
  b.ifThen(isLast, [&] {
    for (const ColumnSegment &rest : ArrayRef(plan.segments).drop_front())
      emitColumns(b, kernel, buffers, block, rest, b.index(rest.start));
  });
}

SmallVector<Value> ContractionKernel::panelOffsets(KernelBuilder &b,
                                                   const ColumnSegment &segment,
                                                   Value start,
                                                   Value column) const {
  SmallVector<Value> offsets;
  int64_t width = plan.packed, panel = plan.panelDepth * width;
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

void ContractionKernel::emitGroupRow(KernelBuilder &b, const KernelBuffer &rhs,
                                     const KernelBuffer &panel,
                                     const ColumnSegment &segment, Value from,
                                     Value to, int64_t count) const {
  int64_t stride = plan.reduced.back().rhsStride, lanes = segment.lanes;
  int64_t across = plan.columns.strides[Rhs], group = plan.group;
  if (across == 1 && group == 2) {
    // Rows are neighbours in memory: two of them become one row of pairs.
    for (int64_t v = 0; v < segment.vectors; ++v) {
      Value mask;
      if (v + 1 == segment.vectors && segment.last < lanes)
        mask = b.mask(b.index(segment.last), lanes);
      Value at = b.add(from, v * lanes);
      Value even = b.load(rhs, at, lanes, 1, mask);
      Value odd = count > 1 ? b.load(rhs, b.add(at, stride), lanes, 1, mask)
                            : b.zero(rhs.type, lanes);
      Value pairs = vector::InterleaveOp::create(b.builder, b.loc, even, odd);
      b.store(pairs, panel, b.add(to, v * lanes * group));
    }
    return;
  }
  int64_t columns = segment.width() - lanes + segment.last;
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

void ContractionKernel::emitGroups(KernelBuilder &b, const KernelBuffer &rhs,
                                   const KernelBuffer &panel,
                                   const ColumnSegment &segment,
                                   Value offset) const {
  int64_t group = plan.group, whole = plan.depth / group;
  int64_t rhsStep = plan.reduced.back().rhsStride * group;
  int64_t panelStep = segment.width() * group;
  b.loop(b.index(0), b.index(whole), 1, [&](Value i) {
    emitGroupRow(b, rhs, panel, segment, b.add(offset, b.mul(i, rhsStep)),
                 b.mul(i, panelStep), group);
  });
  if (int64_t rest = plan.depth % group)
    emitGroupRow(b, rhs, panel, segment, b.add(offset, whole * rhsStep),
                 b.index(whole * panelStep), rest);
}

KernelBuffer ContractionKernel::emitPanel(KernelBuilder &b,
                                          const KernelBuffer &rhs,
                                          const ColumnSegment &segment,
                                          Value offset) const {
  int64_t width = segment.width();
  KernelBuffer panel =
      b.scratch(rhs.type, llvm::alignTo(plan.depth, plan.group) * width);
  panel.element = rhs.element;
  if (plan.group > 1) {
    emitGroups(b, rhs, panel, segment, offset);
    return panel;
  }
  int64_t columns = width - segment.lanes + segment.last;
  Value step = b.index(0);
  // Depth by depth, one reduced axis inside the other.
  std::function<void(size_t, Value, Value)> copy = [&](size_t axis, Value from,
                                                       Value to) {
    if (axis == plan.reduced.size()) {
      b.loop(b.index(0), b.index(columns), 1, [&](Value c) {
        Value at = b.add(from, b.mul(c, plan.columns.strides[Rhs]));
        b.store(b.load(rhs, at), panel, b.add(to, c));
      });
      return;
    }
    int64_t stride = width;
    for (size_t i = axis + 1; i < plan.reduced.size(); ++i)
      stride *= plan.reduced[i].extent;
    b.loop(b.index(0), b.index(plan.reduced[axis].extent), 1, [&](Value i) {
      copy(axis + 1, b.add(from, b.mul(i, plan.reduced[axis].rhsStride)),
           b.add(to, b.mul(i, stride)));
    });
  };
  copy(0, offset, step);
  return panel;
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
    rhs = emitPanel(b, rhs, segment, from);
    for (int64_t v = 0; v < segment.vectors; ++v)
      tile.rhsOffsets.push_back(b.index(v * segment.lanes * plan.group));
    tile.rhsStep = segment.width();
  } else {
    tile.rhsOffsets = panelOffsets(b, segment, rhsStart, column);
    tile.rhsStep = plan.reduced.back().rhsStride;
  }
  if (segment.last < segment.lastLanes)
    tile.mask = b.mask(b.index(segment.last), segment.lastLanes);
  auto emitTile = [&](Value row, int64_t rows) {
    tile.rows = rows;
    tile.row = row;
    tile.offsets.clear();
    for (size_t i = 0; i < block.offsets.size(); ++i) {
      Value across = b.mul(column, i == Rhs ? 0 : plan.columns.strides[i]);
      tile.offsets.push_back(b.add(b.add(block.offsets[i], across),
                                   b.mul(row, plan.rows.strides[i])));
    }
    kernel.emit(tile, rhs);
  };
  // Tiles at the border, and the one with the rest of the rows, one by one.
  bool hasWindow = llvm::any_of(plan.borderReduced, [&](const auto &axis) {
    return plan.isRowWindow(axis);
  });
  auto emitSingly = [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      Value isInBlock = b.builder.createOrFold<arith::AndIOp>(
          b.loc, b.less(block.firstRow, b.index(i + 1)),
          b.less(b.index(i), block.lastRow));
      b.ifThen(isInBlock, [&] {
        int64_t row = i * plan.tileRows;
        if (hasWindow)
          tile.borderRow = row;
        emitTile(b.index(row),
                 i < plan.rowTiles() ? plan.tileRows : plan.restRows());
      });
    }
    tile.borderRow.reset();
  };
  emitSingly(0, plan.firstInside);
  b.loop(b.max(block.firstRow, b.index(plan.firstInside)),
         b.min(block.lastRow, b.index(plan.lastInside)), 1,
         [&](Value i) { emitTile(b.mul(i, plan.tileRows), plan.tileRows); });
  emitSingly(plan.lastInside, plan.allRowTiles());
}

std::unique_ptr<Kernel>
glow::makeContractionKernel(ContractionSpec spec, ValueRange buffers,
                            ScalarRegion epilogue, const KernelTarget &target) {
  if (auto plan = ContractionPlan::make(spec, buffers, epilogue, target))
    return std::make_unique<ContractionKernel>(std::move(*plan),
                                               std::move(spec), epilogue);
  return std::make_unique<DirectContraction>(std::move(spec), buffers, epilogue,
                                             target);
}
