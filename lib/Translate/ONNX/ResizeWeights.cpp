//===- ResizeWeights.cpp - resampling as products with weights ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resampling is a product with a matrix of weights along each axis. Where the
// graph's op lacks a rule of Resize (antialiasing, crops, elements outside that
// are left out), it is imported as these products.
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

Value onnx::resizeByWeights(Node &node, Value input, ArrayRef<ResizeAxis> axes,
                            const ResizeRule &rule) {
  if (failed(checkRule(node, rule)))
    return {};
  Expr x(node, input);
  Type type = x.element(), wide = Node::realType(type);
  x = x.cast(wide.isF64() ? wide : Float32Type::get(node.context()));
  std::optional<Expr> outside;
  for (const ResizeAxis &axis : axes) {
    SmallVector<double> weights;
    SmallVector<bool> isOutside;
    for (int64_t y = 0; y < axis.output; ++y) {
      double place = placeOf(axis, rule, double(y));
      isOutside.push_back(rule.coordinates == "tf_crop_and_resize" &&
                          (place < 0 || place > axis.input - 1));
      weights.append(axis.input, 0);
      if (!isOutside.back())
        addWeights(axis, rule, place,
                   MutableArrayRef(weights).take_back(axis.input));
    }
    Expr matrix(node,
                node.constant(x.element(), {axis.output, axis.input}, weights));
    // The axis becomes the last one for the product.
    auto order = llvm::to_vector(llvm::seq(x.rank()));
    std::swap(order[axis.axis], order.back());
    x = matmul(x.transpose(order), matrix.transpose({1, 0})).transpose(order);
    if (llvm::is_contained(isOutside, true)) {
      SmallVector<int64_t> own(x.rank(), 1);
      own[axis.axis] = axis.output;
      auto flags =
          RankedTensorType::get(own, IntegerType::get(node.context(), 1));
      Expr here(node, node.constant(DenseElementsAttr::get(
                          flags, ArrayRef<bool>(isOutside))));
      outside = outside ? *outside | here : here;
    }
  }
  if (outside)
    x = where(*outside, x.like(rule.extrapolation), x);
  return roundTo(node, x, type);
}
