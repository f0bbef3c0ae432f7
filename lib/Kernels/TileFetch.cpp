//===- TileFetch.cpp - what a tile asks for ahead -------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of rows and of what the epilogue reads. Panels are asked for in PanelFetch.
//
//===----------------------------------------------------------------------===//
#include "ContractionOperands.h"
#include "glow/Kernels/Epilogue.h"
#include "glow/Kernels/MicroKernel.h"

using namespace mlir;
using namespace mlir::glow;

/// Products of this depth take longer than what the epilogue reads takes to
/// come; shorter ones would ask for it for nothing.
static constexpr int64_t kLeastDepthToFetch = 32;

/// As many tiles ahead windows are asked for: the products of one take less
/// time than a line from the third-level cache.
static constexpr int64_t kTilesAhead = 2;

void MicroKernel::fetchTerms(const MicroTile &tile) const {
  if (plan.depth < kLeastDepthToFetch)
    return;
  size_t outputs = buffers.size() + 1 - epilogue.numResults();
  for (size_t i = FirstEpilogue; i < outputs; ++i) {
    const KernelBuffer &buffer = buffers[i - 1];
    // One row for all is near, and columns apart take a line each.
    if (plan.columns.strides[i] != 1 || plan.rows.strides[i] == 0)
      continue;
    int64_t bits = std::max<int64_t>(8, buffer.type.getIntOrFloatBitWidth());
    int64_t perLine = 8 * KernelTarget::kLineBytes / bits;
    for (int64_t row = 0; row < tile.rows; ++row) {
      Value start = b.add(tile.offsets[i], rowOffset(tile, b.index(row), i));
      for (int64_t at = 0; at < tile.columns->width(); at += perLine)
        b.fetch(buffer, b.add(start, at), /*intoFirst=*/true);
    }
  }
}

void MicroKernel::fetchRows(const MicroTile &tile, Value lhs, Value first,
                            int64_t steps) const {
  int64_t perStep = tile.rows * plan.group;
  Value next = b.add(lhs, tile.rows * plan.rows.strides[Lhs]);
  Value start = b.add(next, b.mul(first, perStep));
  int64_t perLine = KernelTarget::kLineBytes / plan.lhsElementBytes;
  for (int64_t at = 0; at < steps * perStep; at += perLine)
    b.fetch(buffers[0], b.add(start, at), /*intoFirst=*/true);
}

void MicroKernel::fetchWindows(const MicroTile &tile) const {
  const PlannedAxis &inner = plan.reduced.back();
  int64_t down = plan.rows.strides[Lhs], all = tile.rows * down;
  // Rows above the last one have been read for the results above.
  int64_t last = (inner.extent - 1) * inner.lhsStride - down;
  for (const PlannedAxis &axis : ArrayRef(plan.reduced).drop_back())
    last += (axis.extent - 1) * axis.lhsStride;
  int64_t step = inner.extent > 1 ? std::min(down, inner.lhsStride) : down;
  for (int64_t at = step; at <= all; at += step)
    b.fetch(buffers[0], b.add(tile.offsets[Lhs], last + kTilesAhead * all + at),
            /*intoFirst=*/true);
}
