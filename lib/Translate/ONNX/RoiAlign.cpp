//===- RoiAlign.cpp - regions of an image, sampled to one size ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// He et al., Mask R-CNN, https://arxiv.org/abs/1703.06870. Each bin of a region
// is the mean or the maximum of samples, which are weighted sums of the four
// elements around them. One gather reads all channels of one of the four.
//
// Where a region's size says how many samples there are, a bin may need as many
// as the image has rows and columns. Then the mean is two products: its weights
// are those of a row times those of a column.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "OpTable.h"
#include <numeric>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

namespace {
/// The samples of all regions along one axis, (regions, bins * samples).
struct Samples {
  Expr low, high;     // the elements around them, as i64
  Expr before, after; // their weights, 0 outside the image
  std::optional<Expr> exists;
  /// How many there are in a bin, (regions, 1).
  Expr count;
};

/// What the attributes say about one axis.
struct RoiAxis {
  int64_t extent, bins, samples; // samples = 0: as the region's size asks for
  double scale;
  bool halfPixel;
};
} // namespace

/// Places the samples between `start` and `end`, both (regions, 1).
static Samples placeSamples(Node &node, const RoiAxis &axis, Expr start,
                            Expr end) {
  Type i64 = IntegerType::get(node.context(), 64);
  double offset = axis.halfPixel ? 0.5 : 0, last = double(axis.extent - 1);
  start = start * axis.scale - offset;
  Expr size = end * axis.scale - offset - start;
  if (!axis.halfPixel)
    size = maximum(size, 1.0);
  Expr bin = size / double(axis.bins);
  Expr count = start.like(double(axis.samples));
  if (axis.samples == 0)
    count = maximum(bin.emit<CeilOp>(), 0.0);
  // As k samples are over (k - 1) / k apart, at most extent + 2 lie within the
  // image. One before it and one behind it count for maxima; two are spare.
  int64_t most = axis.samples ? axis.samples : axis.extent + 6;
  SmallVector<double> bins, places;
  for (int64_t i = 0; i < axis.bins * most; ++i) {
    bins.push_back(double(i / most));
    places.push_back(double(i % most));
  }
  auto row = [&](ArrayRef<double> values) -> Expr {
    return {node, node.constant(start.element(),
                                static_cast<int64_t>(values.size()), values)};
  };
  Expr place = row(places), first = start + bin * row(bins);
  Expr step = bin / maximum(count, 1.0);
  if (axis.samples == 0) {
    Expr before = (-1.0 - first) / maximum(step, 1e-9);
    place = place + maximum(minimum(floor(before), count) - 1.0, 0.0);
  }
  Expr x = first + (place + 0.5) * step;
  Expr isInside = (x >= -1.0) & (x <= double(axis.extent));
  x = minimum(maximum(x, 0.0), last);
  Expr low = floor(x), t = x - low;
  Samples samples{low.cast(i64),
                  minimum(low + 1.0, last).cast(i64),
                  where(isInside, 1.0 - t, t.like(0)),
                  where(isInside, t, t.like(0)),
                  std::nullopt,
                  count};
  if (axis.samples == 0)
    samples.exists = place < count;
  return samples;
}

/// The sum of the samples' weights for each element, (regions, bins, extent).
static Expr weightsOf(Node &node, const RoiAxis &axis, const Samples &samples,
                      Type element) {
  SmallVector<double> elements(axis.extent);
  std::iota(elements.begin(), elements.end(), 0);
  Expr each{node, node.constant(samples.low.element(), axis.extent, elements)};
  auto at = [&](Expr place, Expr weight) {
    weight = where(*samples.exists, weight, weight.like(0));
    weight = where(place.unsqueeze({2}) == each, weight.unsqueeze({2}),
                   weight.like(0));
    return weight
        .reshape({0, axis.bins, weight.dim(1) / axis.bins, axis.extent})
        .reduce(ReduceKind::Sum, {2});
  };
  Expr sum = at(samples.low, samples.before) + at(samples.high, samples.after);
  return (sum / maximum(samples.count, 1.0).unsqueeze({2})).cast(element);
}

/// (batch, rows, columns, channels) to (regions, bins, bins, channels).
static Expr meansOf(Expr data, Expr batches, Expr rows, Expr columns) {
  int64_t bins = rows.dim(1), width = data.dim(2), channels = data.dim(3);
  Expr images = data.reshape({-1, data.dim(1), width * channels});
  if (data.dim(0) != 1) {
    images = images.gather(batches, 0);
  } else { // There is one image, but an index may be wrong.
    rows = where((batches <= 0.0).unsqueeze({1, 2}), rows, rows.like(0));
    rows = rows.reshape({1, -1, rows.dim(2)});
  }
  Expr lines = matmul(rows, images).reshape({-1, bins, width, channels});
  return matmul(columns.unsqueeze({1}), lines);
}

static LogicalResult importRoiAlign(Node &node) {
  Expr x(node, node.in(0)), rois(node, node.in(1)), batches(node, node.in(2));
  int64_t samples = node.integer("sampling_ratio", 0);
  double scale = node.real("spatial_scale", 1);
  bool halfPixel =
      node.opset() >= 16 && node.string("coordinate_transformation_mode",
                                        "half_pixel") == "half_pixel";
  StringRef mode = node.string("mode", "avg");
  if (x.rank() != 4 || rois.rank() != 2 || rois.dim(1) != 4 ||
      batches.rank() != 1)
    return node.fail("needs an input of rank 4, regions of 4 numbers, and one "
                     "batch index per region");
  if (llvm::any_of(Node::dims(x).drop_front(), ShapedType::isDynamic) ||
      x.dim(2) < 1 || x.dim(3) < 1)
    return node.fail("needs known channels and spatial extents");
  if (mode != "avg" && mode != "max")
    return node.fail("unknown mode '" + mode + "'");
  RoiAxis axes[] = {
      {x.dim(2), node.integer("output_height", 1), samples, scale, halfPixel},
      {x.dim(3), node.integer("output_width", 1), samples, scale, halfPixel}};
  for (const RoiAxis &axis : axes)
    if (axis.bins < 1 || axis.bins > (1 << 16) || samples < 0 || samples > 256)
      return node.fail("output_height, output_width and sampling_ratio must be "
                       "positive and not too large");
  if (!rois.element().isF64())
    rois = rois.cast(Float32Type::get(node.context()));
  auto column = [&](int64_t i) { return rois.slice(1, i, i + 1); };
  Samples rows = placeSamples(node, axes[0], column(1), column(3));
  Samples columns = placeSamples(node, axes[1], column(0), column(2));
  if (node.failed())
    return failure();

  int64_t channels = x.dim(1), width = x.dim(3), height = x.dim(2);
  Expr data = x.transpose({0, 2, 3, 1});
  Expr batch = x.checked(batches.cast(IntegerType::get(node.context(), 64)), 0);
  bool isMax = mode == "max";
  if (samples == 0 && !isMax) {
    auto weights = [&](int64_t axis, const Samples &samples) {
      return weightsOf(node, axes[axis], samples, x.element());
    };
    return node.result(
        meansOf(data, batch, weights(0, rows), weights(1, columns))
            .transpose({0, 3, 1, 2}));
  }
  data = data.reshape({-1, channels});
  batch = (batch * double(height)).unsqueeze({1, 2});
  std::optional<Expr> all;
  for (bool below : {false, true})
    for (bool right : {false, true}) {
      Expr y = (below ? rows.high : rows.low).unsqueeze({2});
      Expr place = (batch + y) * double(width) +
                   (right ? columns.high : columns.low).unsqueeze({1});
      Expr weight = (below ? rows.after : rows.before).unsqueeze({2}) *
                    (right ? columns.after : columns.before).unsqueeze({1});
      Expr value = data.gather(place, 0);
      value = value * weight.unsqueeze({3}).cast(value.element());
      all = !all ? value : isMax ? maximum(*all, value) : *all + value;
    }
  if (rows.exists) {
    Expr exists = rows.exists->unsqueeze({2}) & columns.exists->unsqueeze({1});
    all = where(exists.unsqueeze({3}), *all,
                all->like(-std::numeric_limits<double>::infinity()));
  }
  Expr bins =
      all->reshape({0, axes[0].bins, all->dim(1) / axes[0].bins, axes[1].bins,
                    all->dim(2) / axes[1].bins, channels});
  Expr result = bins.reduce(isMax ? ReduceKind::Max : ReduceKind::Sum, {2, 4});
  Expr count = rows.count * columns.count;
  if (!isMax)
    result = result / count.cast(result.element());
  else if (rows.exists)
    result = where(count.unsqueeze({2, 3}) > 0.0, result, result.like(0));
  return node.result(result.transpose({0, 3, 1, 2}));
}

void onnx::addRoiOps(OpTable &table) {
  table.add("RoiAlign", 10, 3, importRoiAlign);
}
