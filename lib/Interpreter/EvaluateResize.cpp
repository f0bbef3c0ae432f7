//===- EvaluateResize.cpp - spatial resampling ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All modes are separable: one axis after another is resampled, each result
// place being a weighted sum of one, two or four input places.
//
//===----------------------------------------------------------------------===//
#include "Evaluators.h"
#include "Lanes.h"
#include "Movement.h"
#include "glow/Support/ResizeAxis.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
using Axis = ResizeAxis;
/// What one place of the result is made of.
struct Taps {
  SmallVector<int64_t, 4> places;
  SmallVector<double, 4> weights;
};
using Coordinate = float (*)(const Axis &axis, float place);
using Rounding = double (*)(double coordinate);
} // namespace

/// The input coordinate of a result place in each of ONNX's modes, or null.
static Coordinate findCoordinate(StringRef mode) {
  return llvm::StringSwitch<Coordinate>(mode)
      .Case("asymmetric", [](const Axis &a, float x) { return a.unscaled(x); })
      .Case("half_pixel",
            [](const Axis &a, float x) { return a.unscaled(x + 0.5f) - 0.5f; })
      .Case("half_pixel_symmetric",
            [](const Axis &a, float x) {
              float adjustment = a.out / (a.scale * a.in);
              float offset = a.in / 2.0f * (1 - adjustment);
              return offset + a.unscaled(x + 0.5f) - 0.5f;
            })
      .Case("pytorch_half_pixel",
            [](const Axis &a, float x) {
              return a.out > 1 ? a.unscaled(x + 0.5f) - 0.5f : 0.0f;
            })
      .Case("align_corners",
            [](const Axis &a, float x) {
              return a.out > 1 ? x * (a.in - 1) / (a.out - 1) : 0.0f;
            })
      .Case("tf_half_pixel_for_nn",
            [](const Axis &a, float x) { return a.unscaled(x + 0.5f); })
      .Default(nullptr);
}

static Rounding findRounding(StringRef mode) {
  return llvm::StringSwitch<Rounding>(mode)
      .Case("round_prefer_floor", [](double x) { return std::ceil(x - 0.5); })
      .Case("round_prefer_ceil", [](double x) { return std::floor(x + 0.5); })
      .Case("floor", [](double x) { return std::floor(x); })
      .Case("ceil", [](double x) { return std::ceil(x); })
      .Default(nullptr);
}

/// The weights of neighbours 0 and 1, or of -1, 0, 1 and 2, of a coordinate
/// that lies `t` behind neighbour 0. Cubic: Keys,
/// https://doi.org/10.1109/TASSP.1981.1163711.
static SmallVector<double, 4> neighbourWeights(bool cubic, double t, double a) {
  if (!cubic)
    return {1 - t, t};
  auto near = [a](double x) { return ((a + 2) * x - (a + 3)) * x * x + 1; };
  auto far = [a](double x) {
    return ((a * x - 5 * a) * x + 8 * a) * x - 4 * a;
  };
  return {far(t + 1), near(t), near(1 - t), far(2 - t)};
}

/// Places outside the input read its edge.
static int64_t clampPlace(double place, int64_t extent) {
  // Written so that NaN, from a scale near 0, becomes a place too.
  if (!(place > 0))
    return 0;
  return static_cast<int64_t>(std::min(place, static_cast<double>(extent - 1)));
}

static std::vector<Taps> axisTaps(ResizeOp op, const Axis &axis,
                                  Coordinate coordinate) {
  bool cubic = op.getMode() == "cubic";
  double a = op.getCubicCoeff().convertToDouble();
  std::vector<Taps> taps(axis.out);
  for (auto [i, tap] : llvm::enumerate(taps)) {
    double x = coordinate(axis, i), base = std::floor(x);
    tap.weights = neighbourWeights(cubic, x - base, a);
    for (size_t j = 0; j < tap.weights.size(); ++j)
      tap.places.push_back(clampPlace(base + j - (cubic ? 1 : 0), axis.in));
  }
  return taps;
}

/// Resamples the axis of `lanes` that `view` singles out.
static std::vector<double> resample(const std::vector<double> &lanes,
                                    const AxisView &view,
                                    const std::vector<Taps> &taps) {
  int64_t extent = taps.size();
  std::vector<double> out(view.outer * extent * view.inner);
  for (int64_t o = 0; o < view.outer; ++o)
    for (int64_t i = 0; i < extent; ++i)
      for (auto [place, weight] : llvm::zip(taps[i].places, taps[i].weights)) {
        // A weight of 0 must not turn an infinite neighbour into NaN.
        if (weight == 0)
          continue;
        const double *from = &lanes[(o * view.extent + place) * view.inner];
        double *to = &out[(o * extent + i) * view.inner];
        for (int64_t j = 0; j < view.inner; ++j)
          to[j] += weight * from[j];
      }
  return out;
}

/// True if every place of the axis reads the place of the same number.
static bool isIdentity(const Axis &axis) {
  return axis.in == axis.out && axis.scale == 1.0f;
}

static void resizeNearest(const Tensor &input, ArrayRef<Axis> axes,
                          Coordinate coordinate, Rounding rounding,
                          Tensor &out) {
  SmallVector<AxisPlaces> places;
  for (const Axis &axis : axes) {
    AxisPlaces &own = places.emplace_back(axis.out);
    for (int64_t i = 0; i < axis.out; ++i)
      own[i] = isIdentity(axis)
                   ? i
                   : clampPlace(rounding(coordinate(axis, i)), axis.in);
  }
  gatherByAxes(input, places, /*fill=*/nullptr, out);
}

LogicalResult ResizeOp::evaluate(Inputs in, Outputs out) {
  Tensor input = in.getInput();
  SmallVector<int64_t> sizes = in.getSizes().ints();
  std::vector<double> scales = in.getScales().readAll<double>();
  size_t rank = input.getRank();
  Coordinate coordinate = findCoordinate(getCoordinateMode());
  Rounding rounding = findRounding(getNearestMode());
  bool nearest = getMode() == "nearest";
  if (sizes.size() != rank || scales.size() != rank)
    return emitOpError("needs ") << rank << " sizes and scales";
  if (!coordinate || (nearest && !rounding) ||
      (!nearest && getMode() != "linear" && getMode() != "cubic"))
    return emitOpError("does not know mode '")
           << getMode() << "' with coordinates '" << getCoordinateMode()
           << "' and rounding '" << getNearestMode() << "'";
  if (failed(allocateResult(*this, sizes, out[0])))
    return failure();
  if (out[0].size() == 0)
    return success();
  SmallVector<Axis> axes;
  for (size_t i = 0; i < rank; ++i) {
    axes.push_back({input.getDim(i), sizes[i], static_cast<float>(scales[i])});
    if (!(axes.back().scale > 0) || input.getDim(i) == 0)
      return emitOpError("cannot resize axis ")
             << i << " of extent " << input.getDim(i) << " by " << scales[i];
  }
  if (nearest) {
    resizeNearest(input, axes, coordinate, rounding, out[0]);
    return success();
  }
  std::vector<double> lanes = input.readAll<double>();
  Dims dims(input.getShape());
  for (auto [i, axis] : llvm::enumerate(axes)) {
    if (isIdentity(axis))
      continue;
    lanes =
        resample(lanes, AxisView(dims, i), axisTaps(*this, axis, coordinate));
    dims[i] = axis.out;
  }
  out[0].write(0, out[0].size(), lanes.data());
  return success();
}
