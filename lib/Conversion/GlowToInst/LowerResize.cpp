//===- LowerResize.cpp - resampling as gathers and weighted sums ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes and scales are constant, so which elements an output is made of, and
// with which weights, is known per axis: one gather per tap, then one map. The
// rules are those of ONNX's Resize.
//
//===----------------------------------------------------------------------===//
#include "glow/Conversion/GlowToInst/GlowToInst.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Support/ResizeAxis.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

namespace {
/// What every output position along one axis is made of, tap by tap.
struct Taps {
  SmallVector<SmallVector<int64_t>> indices;
  SmallVector<SmallVector<float>> weights; // Empty for a plain selection.
};

using Axis = ResizeAxis;
} // namespace

static ArrayRef<int64_t> shapeOf(Value buffer) {
  return cast<MemRefType>(buffer.getType()).getShape();
}

/// The input coordinate of an output position; nothing for an unknown mode.
static std::optional<float> coordinate(StringRef mode, const Axis &axis,
                                       int64_t position) {
  float x = static_cast<float>(position);
  float in = static_cast<float>(axis.in), out = static_cast<float>(axis.out);
  float halfPixel = axis.unscaled(x + 0.5f) - 0.5f;
  if (mode == "half_pixel")
    return halfPixel;
  if (mode == "pytorch_half_pixel")
    return axis.out > 1 ? halfPixel : 0.0f;
  if (mode == "align_corners")
    return axis.out > 1 ? x * (in - 1) / (out - 1) : 0.0f;
  if (mode == "asymmetric")
    return axis.unscaled(x);
  if (mode == "half_pixel_symmetric")
    return in / 2 * (1 - out / (axis.scale * in)) + halfPixel;
  return std::nullopt;
}

static std::optional<float> roundNearest(StringRef mode, float x) {
  if (mode == "round_prefer_floor" || mode.empty())
    return std::ceil(x - 0.5f);
  if (mode == "round_prefer_ceil")
    return std::floor(x + 0.5f);
  if (mode == "floor")
    return std::floor(x);
  if (mode == "ceil")
    return std::ceil(x);
  return std::nullopt;
}

/// Keys' cubic convolution kernel at the four neighbours of a point that lies
/// `t` beyond the second.
static std::array<float, 4> cubicWeights(float a, float t) {
  auto inner = [&](float d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  auto outer = [&](float d) {
    return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a;
  };
  return {outer(1 + t), inner(t), inner(1 - t), outer(2 - t)};
}

static FailureOr<Taps> tapsAlong(ResizeOp op, const Axis &axis) {
  bool nearest = op.getMode() == "nearest", linear = op.getMode() == "linear";
  if (!nearest && !linear && op.getMode() != "cubic")
    return op.emitOpError("mode '") << op.getMode() << "' is not supported";
  size_t count = nearest ? 1 : linear ? 2 : 4;
  Taps taps;
  taps.indices.resize(count);
  taps.weights.resize(nearest ? 0 : count);
  for (int64_t i = 0; i < axis.out; ++i) {
    auto x = coordinate(op.getCoordinateMode(), axis, i);
    if (!x)
      return op.emitOpError("coordinate mode '")
             << op.getCoordinateMode() << "' is not supported";
    auto add = [&](size_t tap, float place) {
      auto last = static_cast<float>(axis.in - 1);
      taps.indices[tap].push_back(
          static_cast<int64_t>(std::clamp(place, 0.0f, last)));
    };
    if (nearest) {
      auto place = roundNearest(op.getNearestMode(), *x);
      if (!place)
        return op.emitOpError("nearest mode '")
               << op.getNearestMode() << "' is not supported";
      add(0, *place);
      continue;
    }
    float base = std::floor(*x), t = *x - base;
    std::array<float, 4> weights{1 - t, t, 0, 0};
    if (!linear)
      weights = cubicWeights(op.getCubicCoeff().convertToFloat(), t);
    for (size_t tap = 0; tap < count; ++tap) {
      add(tap, base + static_cast<float>(tap) - (linear ? 0.0f : 1.0f));
      taps.weights[tap].push_back(weights[tap]);
    }
  }
  return taps;
}

/// Weights along `axis` in the element type, broadcast to the other axes.
static Value weightsBuffer(InstLowering &lowering, ArrayRef<float> weights,
                           FloatType element, int64_t axis, int64_t rank) {
  SmallVector<APFloat> values;
  for (float weight : weights) {
    APFloat value(weight);
    bool losesInfo;
    value.convert(element.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    values.push_back(value);
  }
  SmallVector<int64_t> shape(rank, 1);
  shape[axis] = weights.size();
  return lowering.constant(
      DenseElementsAttr::get(RankedTensorType::get(shape, element), values));
}

static Value resample(ResizeOp op, Value input, int64_t axis, const Taps &taps,
                      Value output, InstLowering &lowering) {
  Type element = cast<MemRefType>(output.getType()).getElementType();
  SmallVector<Value> inputs;
  for (ArrayRef<int64_t> indices : taps.indices) {
    Value part = taps.weights.empty()
                     ? output
                     : lowering.scratch(shapeOf(output), element);
    inst::GatherOp::create(lowering.builder, op.getLoc(), input,
                           lowering.constantInts(indices), part, axis);
    inputs.push_back(part);
  }
  if (taps.weights.empty())
    return output;
  size_t count = inputs.size();
  for (ArrayRef<float> weights : taps.weights)
    inputs.push_back(weightsBuffer(lowering, weights, cast<FloatType>(element),
                                   axis, shapeOf(output).size()));
  ScalarBuilder scalars(lowering.builder, op.getLoc(), element, element);
  lowering.map(inputs, output, [&](ValueRange args) {
    Value sum;
    for (size_t i = 0; i < count; ++i) {
      Value product = scalars.mul(args[i], args[count + i]);
      sum = sum ? scalars.add(sum, product) : product;
    }
    return sum;
  });
  return output;
}

LogicalResult ResizeOp::lower(InstLowering &lowering) {
  DenseElementsAttr scales;
  if (!matchPattern(getScales(), m_Constant(&scales)))
    return emitOpError("needs constant scales");
  Value current = lowering.buffer(getInput());
  Value output = lowering.allocate(getResult());
  Type element = cast<MemRefType>(output.getType()).getElementType();
  if (getMode() != "nearest" && !isa<FloatType>(element))
    return emitOpError("in mode '")
           << getMode() << "' needs floats, not " << element;
  SmallVector<int64_t> shape(shapeOf(current));
  SmallVector<std::pair<int64_t, Taps>> axes;
  auto factors = scales.getValues<float>();
  for (auto [i, extent] : llvm::enumerate(shapeOf(output))) {
    Axis axis{shape[i], extent, factors[i]};
    if (axis.in == axis.out && axis.scale == 1.0f)
      continue;
    FailureOr<Taps> taps = tapsAlong(*this, axis);
    if (failed(taps))
      return failure();
    axes.emplace_back(static_cast<int64_t>(i), std::move(*taps));
  }
  if (axes.empty())
    lowering.copy(current, output);
  for (auto &[axis, taps] : axes) {
    shape[axis] = shapeOf(output)[axis];
    bool isLast = axis == axes.back().first;
    Value target = isLast ? output : lowering.scratch(shape, element);
    current = resample(*this, current, axis, taps, target, lowering);
  }
  return success();
}
