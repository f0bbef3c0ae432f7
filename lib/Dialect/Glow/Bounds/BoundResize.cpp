//===- BoundResize.cpp - resampling axes of bounded extents ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where elements are repeated, each as often, the op stays as it is. Otherwise
// which places of the input a place of the result is made of is computed when
// the model runs, from the extents.
//
//===----------------------------------------------------------------------===//
#include "Rules.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace mlir::glow;

namespace {
/// An axis whose extents are known when the model runs only. A scale of 0
/// stands for their ratio.
struct OpenAxis {
  int64_t axis;
  AffineExpr in, out;
  float scale;
};

/// Computes the places of the input that an axis of the result is made of.
class Resampler {
public:
  Resampler(ResizeOp op, BoundedGraph &graph, const OpenAxis &axis)
      : op(op), graph(graph), axis(axis), b(graph.before(op)),
        in(number(axis.in)),
        // Without results nobody sees what is divided by it.
        out(b.create<MaximumOp>(number(axis.out), b.scalar(1, f64()))) {}

  FailureOr<Value> resample(Value input);

private:
  Value number(AffineExpr expression) {
    return b.castTo(graph.scalar(expression), f64());
  }
  Type f32() { return b.builder.getF32Type(); }
  Type f64() { return b.builder.getF64Type(); }
  /// As ONNX computes coordinates in f32, these are rounded to it.
  Value round(Value value) { return b.castTo(value, f32()); }
  Value real(double value) { return b.scalar(value, f32()); }

  Value unscaled(Value place);
  FailureOr<Value> coordinates();
  FailureOr<Value> nearestTo(Value coordinates);
  Value gather(Value input, Value places);
  Value weigh(Value input, Value coordinates);
  SmallVector<Value> weights(Value t);

  ResizeOp op;
  BoundedGraph &graph;
  const OpenAxis &axis;
  GraphBuilder b;
  Value in, out;
};
} // namespace

/// A coordinate of the result in the input.
Value Resampler::unscaled(Value place) {
  Value wide = b.castTo(place, f64());
  if (axis.scale)
    return round(b.create<DivOp>(wide, b.scalar(axis.scale, f64())));
  return round(b.create<DivOp>(b.mul(wide, in), out));
}

FailureOr<Value> Resampler::coordinates() {
  StringRef mode = op.getCoordinateMode();
  int64_t count = graph.bound(BoundedDim(axis.out));
  Value place = b.castTo(graph.positions(b, count, 0, 1), f32());
  if (mode == "asymmetric")
    return unscaled(place);
  Value one = b.scalar(1, f64());
  if (mode == "align_corners") {
    // A single place is 0, whatever it is divided by.
    Value steps = b.create<MaximumOp>(b.sub(out, one), one);
    Value whole = b.mul(place, round(b.sub(in, one)));
    return b.create<DivOp>(whole, round(steps));
  }
  Value half = b.sub(unscaled(b.add(place, real(0.5))), real(0.5));
  if (mode == "half_pixel")
    return half;
  if (mode == "pytorch_half_pixel")
    return b.create<WhereOp>(b.create<LessOp>(one, out), half, real(0));
  if (mode == "half_pixel_symmetric") {
    if (!axis.scale)
      return half;
    Value whole = b.mul(in, b.scalar(axis.scale, f64()));
    Value left = b.sub(one, b.create<DivOp>(out, whole));
    Value offset = b.mul(b.mul(in, b.scalar(0.5, f64())), left);
    return b.add(half, round(offset));
  }
  return graph.fail(op, "its coordinate mode '" + mode +
                            "' is not known where extents are open");
}

FailureOr<Value> Resampler::nearestTo(Value coordinates) {
  StringRef mode = op.getNearestMode();
  if (mode == "floor")
    return b.create<FloorOp>(coordinates);
  if (mode == "ceil")
    return b.create<CeilOp>(coordinates);
  if (mode == "round_prefer_ceil")
    return b.create<FloorOp>(b.add(coordinates, real(0.5)));
  if (mode == "round_prefer_floor")
    return b.create<CeilOp>(b.sub(coordinates, real(0.5)));
  return graph.fail(op, "its nearest mode '" + mode + "' is not known");
}

/// Places before the first element or behind the last one read these. Stated of
/// integers, so that it is known how far the input is read.
Value Resampler::gather(Value input, Value places) {
  Type type = b.builder.getI64Type();
  Value last = graph.scalar(simplifySum(axis.in - 1));
  Value indices =
      b.create<ClampOp>(b.castTo(places, type), b.scalar(0, type), last);
  return b.create<GatherOp>(input, indices, axis.axis);
}

/// Those of two or four neighbours of places that lie `t` behind one of them.
SmallVector<Value> Resampler::weights(Value t) {
  Value near = b.sub(real(1), t);
  if (op.getMode() == "linear")
    return {near, t};
  // Keys' kernel, https://doi.org/10.1109/TASSP.1981.1163711.
  double a = op.getCubicCoeff().convertToDouble();
  auto polynomial = [&](Value x, ArrayRef<double> coefficients) {
    Value sum = real(coefficients.front());
    for (double coefficient : coefficients.drop_front())
      sum = b.add(b.mul(sum, x), real(coefficient));
    return sum;
  };
  auto inner = [&](Value x) { return polynomial(x, {a + 2, -(a + 3), 0, 1}); };
  auto outer = [&](Value x) {
    return polynomial(x, {a, -5 * a, 8 * a, -4 * a});
  };
  return {outer(b.add(t, real(1))), inner(t), inner(near),
          outer(b.add(near, real(1)))};
}

Value Resampler::weigh(Value input, Value coordinates) {
  Type element = elementType(input);
  int64_t rank = dimsOf(input).size();
  Value base = b.create<FloorOp>(coordinates), sum;
  double before = op.getMode() == "cubic" ? 1 : 0;
  for (auto [tap, weight] :
       llvm::enumerate(weights(b.sub(coordinates, base)))) {
    Value place = b.add(base, real(static_cast<double>(tap) - before));
    Value along = b.alongAxis(b.castTo(weight, element), axis.axis, rank);
    Value part = b.mul(gather(input, place), along);
    sum = sum ? b.add(sum, part) : part;
  }
  return sum;
}

FailureOr<Value> Resampler::resample(Value input) {
  FailureOr<Value> places = coordinates();
  if (failed(places))
    return failure();
  if (op.getMode() != "nearest")
    return weigh(input, *places);
  places = nearestTo(*places);
  if (failed(places))
    return failure();
  return gather(input, *places);
}

/// How many times as long an axis becomes, if that is a whole number and each
/// element is only repeated, whatever comes behind the last one.
static std::optional<int64_t> factorOf(ResizeOp op, const OpenAxis &axis,
                                       BoundedGraph &graph) {
  int64_t in = graph.bound(BoundedDim(axis.in)),
          out = graph.bound(BoundedDim(axis.out));
  StringRef mode = op.getCoordinateMode(), rounding = op.getNearestMode();
  bool isBefore =
      rounding == "floor" || (rounding != "ceil" && mode != "asymmetric");
  if (op.getMode() != "nearest" || !isBefore || mode == "align_corners" ||
      in == 0 || out < in || out % in != 0)
    return std::nullopt;
  int64_t factor = out / in;
  bool isSame = axis.scale == 0 || axis.scale == static_cast<float>(factor);
  if (!isSame || !areEqual(axis.out, axis.in * factor))
    return std::nullopt;
  return factor;
}

LogicalResult glow::boundThis(ResizeOp op, BoundedGraph &graph) {
  BoundedDims dims = graph.dims(op.getInput());
  ShapeInts sizes = graph.elements(op.getSizes());
  DenseElementsAttr constant;
  if (!sizes || sizes->size() != dims.size() ||
      llvm::is_contained(*sizes, AffineExpr()) ||
      !matchPattern(op.getScales(), m_Constant(&constant)))
    return graph.fail(op, "its sizes are computed from data");
  auto scales = llvm::to_vector(constant.getValues<float>());
  StringRef mode = op.getMode();
  if (mode != "nearest" && mode != "linear" && mode != "cubic")
    return op.emitOpError("mode '") << mode << "' is not supported";
  Value value = op.getInput();
  SmallVector<OpenAxis> computed;
  // What one op makes of the axes that are fixed, or become longer by a factor.
  BoundedDims first = dims;
  bool keepsOp = false;
  for (auto [i, size] : llvm::enumerate(*sizes)) {
    AffineExpr extent = dims[i].extent(graph.context());
    if (areEqual(size, extent) && (scales[i] == 0 || scales[i] == 1)) {
      scales[i] = 1;
      continue;
    }
    OpenAxis axis{static_cast<int64_t>(i), extent, size, scales[i]};
    if (dims[i].isStatic() && isa<AffineConstantExpr>(size)) {
      first[i] = BoundedDim(size);
      keepsOp = true;
      continue;
    }
    auto input = graph.range(extent), result = graph.range(size);
    if (!dims[i].isPrefix())
      return graph.fail(op, "it resamples merged axes");
    if (!input || input->lower < 1 || !result || result->lower < 0)
      return graph.fail(op, "axis " + Twine(i) + " may be empty");
    auto factor = factorOf(op, axis, graph);
    scales[i] = static_cast<float>(factor.value_or(1));
    if (!factor) {
      computed.push_back(axis);
      continue;
    }
    first[i] = BoundedDim(size);
    keepsOp = true;
  }
  GraphBuilder b = graph.before(op);
  if (keepsOp) {
    auto type = cast<RankedTensorType>(op.getScales().getType());
    Value factors =
        b.create<ConstantOp>(type, cast<ElementsAttr>(DenseElementsAttr::get(
                                       type, ArrayRef<float>(scales))));
    value = b.create<ResizeOp>(value, factors, b.ints(graph.bounds(first)),
                               mode, op.getCoordinateMode(),
                               op.getNearestMode(), op.getCubicCoeff());
  }
  for (const OpenAxis &axis : computed) {
    first[axis.axis] = BoundedDim(axis.out);
    FailureOr<Value> resampled = Resampler(op, graph, axis).resample(value);
    if (failed(resampled))
      return failure();
    value = *resampled;
  }
  return graph.replace(op, value, first);
}
