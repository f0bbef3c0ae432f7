//===- MaxRoiPool.cpp - the largest elements of regions' bins -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Girshick, Fast R-CNN, https://arxiv.org/abs/1504.08083. Where bins begin and
// end is data. The maximum over any rectangle is that of four overlapping ones
// whose sides are powers of two, and those of all places are made beforehand.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "OpTable.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

namespace {
/// The bins of all regions along one axis, (regions, bins) of i64. A bin is
/// covered by two ranges of 2^level elements; `level` is relative to 1.
struct Bins {
  Expr first, second, level, isEmpty;
};
} // namespace

/// To whole numbers, halves away from zero.
static Expr roundAway(Expr x) {
  return where(x < 0.0, -floor(0.5 - x), floor(x + 0.5));
}

/// How many powers of two are at most `extent`.
static int64_t levelsOf(int64_t extent) { return llvm::Log2_64(extent) + 1; }

/// Regions from element `start` to `end`, both (regions, 1), cut into `count`.
static Bins cutRegions(Node &node, Expr start, Expr end, double scale,
                       int64_t extent, int64_t count) {
  Type i64 = IntegerType::get(node.context(), 64);
  start = roundAway(start * scale);
  Expr size = maximum(roundAway(end * scale) - start + 1.0, 1.0);
  Expr bin = size / double(count);
  SmallVector<double> numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(double(i));
  Expr index(node, node.constant(size.element(), count, numbers));
  auto place = [&](Expr x) {
    return minimum(maximum(x + start, 0.0), double(extent)).cast(i64);
  };
  Expr low = place(floor(index * bin));
  Expr high = place(((index + 1.0) * bin).emit<CeilOp>());
  Expr isEmpty = high <= low;
  Expr length = maximum(high - low, 1.0), level = length * 0.0;
  Expr power = length.like(1);
  for (int64_t i = 1; i < levelsOf(extent); ++i) {
    Expr isLonger = (length >= double(int64_t(1) << i)).cast(i64);
    level = level + isLonger;
    power = power + isLonger * double(int64_t(1) << (i - 1));
  }
  low = minimum(low, double(extent - 1));
  return {low, maximum(low + length - power, 0.0), level, isEmpty};
}

/// The maxima of 1, 2, 4 ... elements along an axis, each stored at the first
/// of them; what begins too late for that is not used.
static SmallVector<Expr> growMaxima(Expr x, int64_t axis) {
  int64_t extent = x.dim(axis);
  SmallVector<Expr> levels{x};
  for (int64_t step = 1; step * 2 <= extent; step *= 2) {
    Expr last = levels.back();
    Expr shifted = concat({last.slice(axis, step, extent),
                           last.slice(axis, extent - step, extent)},
                          axis);
    levels.push_back(maximum(last, shifted));
  }
  return levels;
}

static LogicalResult importMaxRoiPool(Node &node) {
  Expr x(node, node.in(0)), rois(node, node.in(1));
  auto bins = node.integers("pooled_shape");
  double scale = node.real("spatial_scale", 1);
  if (x.rank() != 4 || rois.rank() != 2 || rois.dim(1) != 5)
    return node.fail("needs an input of rank 4 and regions of 5 numbers");
  if (x.dim(1) < 1 || x.dim(2) < 1 || x.dim(3) < 1)
    return node.fail("needs known channels and spatial extents");
  if (bins.size() != 2 || bins[0] < 1 || bins[1] < 1 ||
      std::max(bins[0], bins[1]) > (1 << 16))
    return node.fail("'pooled_shape' must hold two positive numbers that are "
                     "not too large");
  if (!rois.element().isF64())
    rois = rois.cast(Float32Type::get(node.context()));
  auto column = [&](int64_t i) { return rois.slice(1, i, i + 1); };
  int64_t channels = x.dim(1), height = x.dim(2), width = x.dim(3);
  Bins rows = cutRegions(node, column(2), column(4), scale, height, bins[0]);
  Bins columns = cutRegions(node, column(1), column(3), scale, width, bins[1]);

  SmallVector<Value> tables;
  for (Expr tall : growMaxima(x.transpose({0, 2, 3, 1}), 1))
    for (Expr table : growMaxima(tall, 2))
      tables.push_back(table);
  // (batch, level, row, column) as one axis, so that one index finds all
  // channels.
  Expr data = stack(node, tables, 1).reshape({-1, channels});
  Expr batch = column(0).cast(rows.level.element()).unsqueeze({1});
  double wideLevels = double(levelsOf(width));
  Expr level =
      rows.level.unsqueeze({2}) * wideLevels + columns.level.unsqueeze({1});
  Expr table = (batch * double(tables.size()) + level) * double(height);
  std::optional<Expr> result;
  for (Expr row : {rows.first, rows.second})
    for (Expr from : {columns.first, columns.second}) {
      Expr place =
          (table + row.unsqueeze({2})) * double(width) + from.unsqueeze({1});
      Expr part = data.gather(place, 0);
      result = result ? maximum(*result, part) : part;
    }
  if (node.failed())
    return failure();
  Expr isEmpty = (rows.isEmpty.unsqueeze({2}) | columns.isEmpty.unsqueeze({1}))
                     .unsqueeze({3});
  return node.result(
      where(isEmpty, result->like(0), *result).transpose({0, 3, 1, 2}));
}

void onnx::addMaxRoiPool(OpTable &table) {
  table.add("MaxRoiPool", 1, 2, importMaxRoiPool);
}
