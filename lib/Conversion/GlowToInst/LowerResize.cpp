//===- LowerResize.cpp - resampling as gathers and weighted sums ----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Shapes and scales are constant, so which elements an output is made of, and
// with which weights, is known per axis. Where the axis becomes a whole number
// of times as long, results that many places apart are made of the same
// neighbours with the same weights: one map for all. Otherwise one gather per
// tap, then one map. The rules are those of ONNX's Resize.
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

/// Those of neighbours 0 and 1, or -1, 0, 1 and 2, of a point `t` beyond 0.
static SmallVector<float> weightsOf(ResizeOp op, float t) {
  if (op.getMode() == "linear")
    return {1 - t, t};
  auto all = cubicWeights(op.getCubicCoeff().convertToFloat(), t);
  return SmallVector<float>(all.begin(), all.end());
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
    float base = std::floor(*x);
    SmallVector<float> weights = weightsOf(op, *x - base);
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

/// Writes the sum of inputs times weights along an axis.
static void weigh(ResizeOp op, ArrayRef<Value> inputs,
                  ArrayRef<SmallVector<float>> weights, int64_t axis,
                  Value output, InstLowering &lowering) {
  auto element =
      cast<FloatType>(cast<MemRefType>(output.getType()).getElementType());
  SmallVector<Value> all(inputs);
  for (ArrayRef<float> list : weights)
    all.push_back(weightsBuffer(lowering, list, element, axis,
                                inst::shapeOf(output).size()));
  ScalarBuilder scalars(lowering.builder, op.getLoc(), element, element);
  lowering.map(all, output, [&](ValueRange args) {
    Value sum;
    for (size_t i = 0; i < inputs.size(); ++i) {
      Value product = scalars.mul(args[i], args[inputs.size() + i]);
      sum = sum ? scalars.add(sum, product) : product;
    }
    return sum;
  });
}

static void resample(ResizeOp op, Value input, int64_t axis, const Taps &taps,
                     Value output, InstLowering &lowering) {
  Type element = cast<MemRefType>(output.getType()).getElementType();
  SmallVector<Value> inputs;
  for (ArrayRef<int64_t> indices : taps.indices) {
    Value part = taps.weights.empty()
                     ? output
                     : lowering.scratch(inst::shapeOf(output), element);
    inst::GatherOp::create(lowering.builder, op.getLoc(), input,
                           lowering.constantInts(indices), part, axis);
    inputs.push_back(part);
  }
  if (!taps.weights.empty())
    weigh(op, inputs, taps.weights, axis, output, lowering);
}

// -- Whole factors ------------------------------------------------------------

namespace {
/// Results between two places of the input that are made of the same
/// neighbours.
struct Phases {
  int64_t first, base, count = 0;
  /// By tap, of each result. None for a plain selection.
  SmallVector<SmallVector<float>> weights;

  int64_t taps() const { return std::max<int64_t>(weights.size(), 1); }
  /// The first neighbour, from the place in front of the results.
  int64_t neighbour() const { return taps() == 4 ? base - 1 : base; }
};
} // namespace

/// Those of an axis that becomes a whole number of times as long; failure for
/// others, and for contiguous elements, whose results would not be, unless each
/// is repeated.
static FailureOr<SmallVector<Phases>> phasesAlong(ResizeOp op, const Axis &axis,
                                                  bool isContiguous) {
  StringRef mode = op.getCoordinateMode();
  bool isHalf = mode == "half_pixel" || mode == "pytorch_half_pixel" ||
                mode == "half_pixel_symmetric";
  bool nearest = op.getMode() == "nearest";
  if ((isContiguous && !nearest) || axis.in == 0 || axis.out % axis.in != 0 ||
      !(isHalf || mode == "asymmetric") ||
      !(nearest || op.getMode() == "linear" || op.getMode() == "cubic"))
    return failure();
  int64_t factor = axis.out / axis.in;
  if (axis.scale != static_cast<float>(factor))
    return failure();
  float shift = isHalf ? 0.5f : 0.0f;
  SmallVector<Phases> all;
  for (int64_t i = 0; i < factor; ++i) {
    float x = (static_cast<float>(i) + shift) / axis.scale - shift;
    auto place = nearest ? roundNearest(op.getNearestMode(), x)
                         : std::optional(std::floor(x));
    if (!place)
      return failure();
    auto base = static_cast<int64_t>(*place);
    if (all.empty() || all.back().base != base)
      all.push_back({i, base, 0, {}});
    Phases &own = all.back();
    ++own.count;
    if (nearest)
      continue;
    SmallVector<float> weights = weightsOf(op, x - *place);
    own.weights.resize(weights.size());
    for (auto [list, weight] : llvm::zip_equal(own.weights, weights))
      list.push_back(weight);
  }
  if (isContiguous && all.size() > 1)
    return failure();
  return all;
}

/// `size` places `apart` of an axis, from `start` on, each with an axis behind
/// it of `inner` places at a distance of `step`.
static Value placesOf(InstLowering &lowering, Value buffer, int64_t axis,
                      int64_t start, int64_t size, int64_t apart, int64_t inner,
                      int64_t step) {
  inst::StridedLayout layout = inst::layoutOf(buffer);
  SmallVector<int64_t> shape(inst::shapeOf(buffer)), strides(layout.strides);
  int64_t stride = strides[axis];
  shape[axis] = size;
  strides[axis] = stride * apart;
  shape.insert(shape.begin() + axis + 1, inner);
  strides.insert(strides.begin() + axis + 1, stride * step);
  return lowering.view(buffer, shape, strides, layout.offset + start * stride);
}

/// Writes the results of `phases` behind input places `start` up to `end`. All
/// neighbours lie in the input, or there is one place.
static void resampleBetween(ResizeOp op, Value input, const Axis &axis,
                            int64_t number, const Phases &phases, int64_t start,
                            int64_t end, Value output, InstLowering &lowering) {
  int64_t factor = axis.out / axis.in, size = end - start;
  Value target =
      placesOf(lowering, output, number, start * factor + phases.first, size,
               factor, phases.count, /*step=*/1);
  SmallVector<Value> parts;
  for (int64_t tap = 0; tap < phases.taps(); ++tap) {
    int64_t place = std::clamp<int64_t>(start + phases.neighbour() + tap, 0,
                                        axis.in - size);
    parts.push_back(placesOf(lowering, input, number, place, size, 1,
                             phases.count, /*step=*/0));
  }
  if (phases.weights.empty())
    lowering.copy(parts.front(), target);
  else
    weigh(op, parts, phases.weights, number + 1, target, lowering);
}

static void resample(ResizeOp op, Value input, const Axis &axis, int64_t number,
                     ArrayRef<Phases> all, Value output,
                     InstLowering &lowering) {
  for (const Phases &phases : all) {
    int64_t first = phases.neighbour(), last = first + phases.taps() - 1;
    int64_t start = std::clamp<int64_t>(-first, 0, axis.in);
    int64_t end = std::clamp<int64_t>(axis.in - last, start, axis.in);
    auto between = [&](int64_t from, int64_t to) {
      resampleBetween(op, input, axis, number, phases, from, to, output,
                      lowering);
    };
    if (start < end)
      between(start, end);
    // At the edges neighbours are the last element there is.
    for (int64_t place = 0; place < start; ++place)
      between(place, place + 1);
    for (int64_t place = end; place < axis.in; ++place)
      between(place, place + 1);
  }
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
  SmallVector<int64_t> shape(inst::shapeOf(current));
  SmallVector<std::pair<int64_t, Axis>> axes;
  auto factors = scales.getValues<float>();
  for (auto [i, extent] : llvm::enumerate(inst::shapeOf(output))) {
    Axis axis{shape[i], extent, factors[i]};
    if (axis.in == axis.out && axis.scale == 1.0f)
      continue;
    axes.emplace_back(static_cast<int64_t>(i), axis);
  }
  if (axes.empty())
    lowering.copy(current, output);
  for (auto &[number, axis] : axes) {
    shape[number] = axis.out;
    bool isLast = number == axes.back().first;
    Value target = isLast ? output : lowering.scratch(shape, element);
    bool isContiguous = llvm::all_of(ArrayRef(shape).drop_front(number + 1),
                                     [](int64_t size) { return size == 1; });
    FailureOr<SmallVector<Phases>> phases =
        phasesAlong(*this, axis, isContiguous);
    if (succeeded(phases)) {
      resample(*this, current, axis, number, *phases, target, lowering);
    } else {
      FailureOr<Taps> taps = tapsAlong(*this, axis);
      if (failed(taps))
        return failure();
      resample(*this, current, number, *taps, target, lowering);
    }
    current = target;
  }
  return success();
}
