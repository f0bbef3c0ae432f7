//===- ResizeWeights.cpp - resampling as products with weights ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resampling is a product with a matrix of weights along each axis. Where the
// graph's op lacks a rule of Resize (antialiasing, crops, elements outside that
// are left out), it is imported as these products: one for each few results,
// which are made of elements that lie together.
//
//===----------------------------------------------------------------------===//
#include "ResizeWeights.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// The place in the input of element `y` of the result.
static double placeOf(const ResizeAxis &axis, const ResizeRule &rule,
                      double y) {
  double last = axis.input - 1, exact = axis.scale * axis.input;
  StringRef mode = rule.coordinates;
  if (mode == "asymmetric")
    return y / axis.scale;
  if (mode == "align_corners")
    return axis.output == 1 ? 0 : y * last / double(axis.output - 1);
  if (mode == "tf_crop_and_resize") {
    double size = (axis.cropEnd - axis.cropStart) * last;
    return axis.cropStart * last +
           (axis.output == 1 ? size / 2 : y * size / double(axis.output - 1));
  }
  if (mode == "pytorch_half_pixel" && axis.output == 1)
    return 0;
  double shift = 0;
  if (mode == "half_pixel_symmetric")
    shift = double(axis.input) / 2 * (1 - double(axis.output) / exact);
  return shift + (y + 0.5) / axis.scale - 0.5;
}

/// Keys' cubic kernel.
static double cubic(double x, double a) {
  x = std::fabs(x);
  if (x <= 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? ((a * x - 5 * a) * x + 8 * a) * x - 4 * a : 0;
}

/// The nearest whole number, halves as the mode says.
static double nearest(double x, StringRef mode) {
  if (mode == "floor")
    return std::floor(x);
  if (mode == "ceil")
    return std::ceil(x);
  return mode == "round_prefer_ceil" ? std::floor(x + 0.5) : std::ceil(x - 0.5);
}

/// Adds the weights of all elements around `x` to `row`.
static void addWeights(const ResizeAxis &axis, const ResizeRule &rule, double x,
                       MutableArrayRef<double> row) {
  auto at = [&](double place) -> double & {
    return row[static_cast<size_t>(
        std::clamp<double>(place, 0, double(axis.input - 1)))];
  };
  if (rule.mode == "nearest") {
    at(nearest(x, rule.nearest)) += 1;
    return;
  }
  // Antialiasing widens the kernel by the factor that the image shrinks by.
  double narrowed = rule.antialias ? std::min(axis.scale, 1.0) : 1;
  bool isCubic = rule.mode == "cubic";
  double before = std::ceil(x) - 1,
         reach = -std::floor(-(isCubic ? 2 : 1) / narrowed) - 1;
  double total = 0;
  SmallVector<std::pair<double, double>> taps;
  for (double k = -reach; k <= reach + 1; ++k) {
    double place = before + k, distance = (place - x) * narrowed;
    double weight = isCubic ? cubic(distance, rule.cubicCoeff)
                            : std::max(0.0, 1 - std::fabs(distance));
    if (rule.excludeOutside && (place < 0 || place >= axis.input))
      continue;
    taps.push_back({place, weight});
    total += weight;
  }
  for (auto [place, weight] : taps)
    at(place) += weight / total;
}

/// Fails on a value that no rule is known for.
static LogicalResult checkRule(Node &node, const ResizeRule &rule) {
  auto check = [&](StringRef what, StringRef value,
                   std::initializer_list<StringRef> known) -> LogicalResult {
    if (llvm::is_contained(known, value))
      return success();
    return node.fail("unknown " + what + " '" + value + "'");
  };
  if (rule.antialias && rule.mode == "nearest")
    return node.fail("there is no antialiasing for mode 'nearest'");
  if (failed(check("mode", rule.mode, {"nearest", "linear", "cubic"})) ||
      failed(
          check("nearest_mode", rule.nearest,
                {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"})))
    return failure();
  return check("coordinate_transformation_mode", rule.coordinates,
               {"half_pixel", "half_pixel_symmetric", "pytorch_half_pixel",
                "align_corners", "asymmetric", "tf_crop_and_resize"});
}

Value onnx::roundTo(Node &node, Value samples, Type type) {
  if (samples && Node::element(samples) != type && isa<IntegerType>(type))
    samples = node.emit<RoundOp>(samples);
  return node.cast(samples, type);
}

namespace {
/// Results `start` up to `end` of an axis, which elements `first` up to `last`
/// of the input are enough for.
struct Band {
  int64_t start, end, first, last;
  int64_t weights() const { return (end - start) * (last - first); }
};

/// An axis with the weights of each element of the input, result by result.
struct WeightMatrix {
  const ResizeAxis &axis;
  SmallVector<double> weights;
  /// Of each result, whether it lies outside of the input.
  SmallVector<bool> isOutside;

  WeightMatrix(const ResizeAxis &axis, const ResizeRule &rule);
  ArrayRef<double> row(int64_t y) const {
    return ArrayRef(weights).slice(y * axis.input, axis.input);
  }
  SmallVector<Band> bands() const;
  /// Of a band, with an axis of the input and one of the result.
  Expr matrix(Expr x, const Band &band, bool inputFirst) const;
  /// The axis of `x` resampled.
  Expr multiply(Expr x) const;
};
} // namespace

WeightMatrix::WeightMatrix(const ResizeAxis &axis, const ResizeRule &rule)
    : axis(axis), weights(axis.output * axis.input, 0) {
  for (int64_t y = 0; y < axis.output; ++y) {
    double place = placeOf(axis, rule, double(y));
    isOutside.push_back(rule.coordinates == "tf_crop_and_resize" &&
                        (place < 0 || place > axis.input - 1));
    if (!isOutside.back())
      addWeights(axis, rule, place,
                 MutableArrayRef(weights).slice(y * axis.input, axis.input));
  }
}

SmallVector<Band> WeightMatrix::bands() const {
  // Columns of a product that vectors are enough for.
  constexpr int64_t kResults = 32;
  SmallVector<Band> all;
  int64_t needed = 0;
  for (int64_t start = 0; start < axis.output; start += kResults) {
    int64_t end = std::min(start + kResults, axis.output);
    Band band{start, end, axis.input, 0};
    for (int64_t y = start; y < end; ++y)
      for (auto [x, weight] : llvm::enumerate(row(y)))
        if (weight != 0) {
          band.first = std::min<int64_t>(band.first, x);
          band.last = std::max<int64_t>(band.last, x + 1);
        }
    // Results that all lie outside are sums of no element, thus of any times 0.
    if (band.last <= band.first)
      band.first = 0, band.last = 1;
    all.push_back(band);
    needed += band.weights();
  }
  Band whole{0, axis.output, 0, axis.input};
  return needed * 2 < whole.weights() ? all : SmallVector<Band>{whole};
}

Expr WeightMatrix::matrix(Expr x, const Band &band, bool inputFirst) const {
  int64_t results = band.end - band.start, inputs = band.last - band.first;
  SmallVector<double> values;
  for (int64_t y = band.start; y < band.end; ++y)
    llvm::append_range(values, row(y).slice(band.first, inputs));
  Node &node = x.builder();
  Expr matrix(node, node.constant(x.element(), {results, inputs}, values));
  return inputFirst ? matrix.transpose({1, 0}) : matrix;
}

Expr WeightMatrix::multiply(Expr x) const {
  int64_t last = x.rank() - 1;
  bool areRows = axis.axis == last - 1;
  auto order = llvm::to_vector(llvm::seq(x.rank()));
  // An axis in front of the last two becomes the last one for the product.
  if (!areRows)
    std::swap(order[axis.axis], order[last]);
  x = x.transpose(order);
  int64_t own = areRows ? axis.axis : last;
  SmallVector<Expr> parts;
  for (const Band &band : bands()) {
    Expr factor = matrix(x, band, /*inputFirst=*/!areRows);
    Expr part = x.slice(own, band.first, band.last);
    parts.push_back(areRows ? matmul(factor, part) : matmul(part, factor));
  }
  x = parts.size() == 1 ? parts.front() : concat(parts, own);
  return x.transpose(order);
}

Value onnx::resizeByWeights(Node &node, Value input, ArrayRef<ResizeAxis> axes,
                            const ResizeRule &rule) {
  if (failed(checkRule(node, rule)))
    return {};
  Expr x(node, input);
  Type type = x.element(), wide = Node::realType(type);
  x = x.cast(wide.isF64() ? wide : Float32Type::get(node.context()));
  std::optional<Expr> outside;
  for (const ResizeAxis &axis : axes) {
    WeightMatrix weights(axis, rule);
    x = weights.multiply(x);
    if (llvm::is_contained(weights.isOutside, true)) {
      SmallVector<int64_t> own(x.rank(), 1);
      own[axis.axis] = axis.output;
      auto flags =
          RankedTensorType::get(own, IntegerType::get(node.context(), 1));
      Expr here(node, node.constant(DenseElementsAttr::get(
                          flags, ArrayRef<bool>(weights.isOutside))));
      outside = outside ? *outside | here : here;
    }
  }
  if (outside)
    x = where(*outside, x.like(rule.extrapolation), x);
  return roundTo(node, x, type);
}
