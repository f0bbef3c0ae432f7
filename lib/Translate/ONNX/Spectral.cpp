//===- Spectral.cpp - Fourier transforms ----------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A transform of known length is a product with a constant matrix. A long one
// whose length has divisors is several products with small matrices (Cooley and
// Tukey, 1965). One whose length only a run knows is a product with a matrix
// that the run makes. Complex numbers are pairs in the last axis, which has
// extent 1 if they are real.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "OpTable.h"
#include "Tensors.h"
#include "llvm/Support/MathExtras.h"
#include <array>
#include <cmath>
#include <vector>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// Of the matrices of one transform.
static constexpr int64_t kMaxElements = 1 << 26;

namespace {
/// A transform along one axis.
struct Transform {
  int64_t length;
  bool inverse;
  /// Elements of the result that are wanted, and parts of each: 1 for the real
  /// part alone.
  int64_t outputs, parts;
};
} // namespace

/// The extent of the last factor of a transform. Up to 64 elements one matrix
/// is as fast as two, which read and write everything twice.
static int64_t radixOf(int64_t length) {
  constexpr int64_t kWhole = 64, kLargest = 32;
  if (length > kWhole)
    for (int64_t radix = kLargest; radix > 1; --radix)
      if (radix * radix <= length && length % radix == 0)
        return radix;
  return length;
}

/// For each of `groups` remainders of the outputs' index, the matrix that takes
/// `given` elements of `parts` parts each, side by side, to the outputs that
/// have it: output `k * groups + group` is the sum of
/// `x[i] exp(-2 pi sqrt(-1) i (k * groups + group) / length)`.
static Expr matricesOf(Node &node, const Transform &t, int64_t groups,
                       int64_t given, int64_t parts, Type type) {
  if (node.failed())
    return {node, Value()};
  int64_t wanted = llvm::divideCeil(t.outputs, groups);
  int64_t rows, columns, count;
  if (llvm::MulOverflow(given, parts, rows) ||
      llvm::MulOverflow(wanted, t.parts, columns) ||
      llvm::MulOverflow(rows, columns, count) ||
      llvm::MulOverflow(count, groups, count) || count > kMaxElements) {
    (void)node.fail("a transform of this length is not supported: its "
                    "matrices would have more than 2^26 elements");
    return {node, Value()};
  }
  double sign = t.inverse ? 1 : -1;
  double scale = t.inverse ? double(groups) / t.length : 1;
  std::vector<double> values;
  values.reserve(count);
  for (int64_t group = 0; group < groups; ++group)
    for (int64_t in = 0; in < given; ++in)
      for (int64_t part = 0; part < parts; ++part)
        for (int64_t out = group; out < wanted * groups; out += groups) {
          // Reduced first: the angle stays small and exact.
          double angle =
              sign * 2 * M_PI * double((in * out) % t.length) / t.length;
          double cosine = scale * std::cos(angle),
                 sine = scale * std::sin(angle);
          values.push_back(part == 0 ? cosine : -sine);
          if (t.parts == 2)
            values.push_back(part == 0 ? sine : cosine);
        }
  return {node, node.constant(type, {groups, rows, columns}, values)};
}

namespace {
/// The axes in front of a transform's elements: one of all rows, or as they
/// were where only a run knows how many rows there are. Merged, valid rows
/// would lie between others.
struct Rows {
  Expr shape;
  int64_t rank;

  static Rows of(Expr x) {
    int64_t rank = x.rank() - 2;
    return {x.shape(0, rank), rank};
  }
  Expr extents(ArrayRef<int64_t> values) const {
    Node &node = shape.builder();
    return {node, node.shape(values)};
  }
  /// `x` with axes in front of and behind those of the rows.
  Expr reshape(Expr x, ArrayRef<int64_t> front,
               ArrayRef<int64_t> behind) const {
    return x.reshape(concat({extents(front), shape, extents(behind)}, 0));
  }
  /// So many rows in place of each one.
  Rows times(int64_t count) const {
    Expr last = shape.slice(0, rank - 1, rank) * double(count);
    return {concat({shape.slice(0, 0, rank - 1), last}, 0), rank};
  }
  /// A permutation that puts the axes of the rows, which begin at `first`,
  /// between others.
  SmallVector<int64_t> order(ArrayRef<int64_t> front, ArrayRef<int64_t> behind,
                             int64_t first) const {
    SmallVector<int64_t> axes(front);
    llvm::append_range(axes, llvm::seq(first, first + rank));
    llvm::append_range(axes, behind);
    return axes;
  }
};
} // namespace

/// `x`, given as (rows, elements, parts), transformed along the axis of its
/// elements, of which `given` are there. Elements that are missing are zeros.
static Expr transformRows(Expr x, const Rows &rows, const Transform &t,
                          int64_t given, int64_t parts) {
  Node &node = x.builder();
  int64_t radix = radixOf(t.length), groups = t.length / radix, n = rows.rank;
  if (groups > 1) {
    // Those that are `radix` apart are transformed by themselves. What is left
    // depends on the outputs' index modulo `groups`.
    if (given < t.length) {
      SmallVector<int64_t> pads(2 * (n + 2), 0);
      pads[n + 2 + n] = t.length - given;
      x = x.emit<PadOp>(
          {node.shape(pads), x.like(0)},
          Attr{"mode", PadModeAttr::get(node.context(), PadMode::Constant)});
    }
    x = rows.reshape(x, {}, {groups, radix, parts})
            .transpose(rows.order({}, {n + 1, n, n + 2}, 0));
    Rows each = rows.times(radix);
    x = transformRows(each.reshape(x, {}, {groups, parts}), each,
                      {groups, t.inverse, groups, 2}, groups, parts);
    given = radix;
    parts = 2;
    x = rows.reshape(x, {}, {radix, groups, 2})
            .transpose(rows.order({n + 1}, {n, n + 2}, 0));
  }
  int64_t wanted = llvm::divideCeil(t.outputs, groups);
  SmallVector<int64_t> matrices{groups};
  matrices.append(n - 1, 1);
  llvm::append_values(matrices, given * parts, wanted * t.parts);
  Expr product = matmul(
      rows.reshape(x, {groups}, {given * parts}),
      matricesOf(node, t, groups, given, parts, x.element()).reshape(matrices));
  x = rows.reshape(product, {groups}, {wanted, t.parts})
          .transpose(rows.order({}, {n + 1, 0, n + 2}, 1));
  return rows.reshape(x, {}, {wanted * groups, t.parts}).slice(n, 0, t.outputs);
}

/// 0, 1, ... up to `count`, a scalar of i64.
static Expr countTo(Expr count) {
  Node &node = count.builder();
  return {node, node.emit<RangeOp>({count.like(0), count, count.like(1)})};
}

/// `x`, given as (..., elements, parts), transformed along the axis of its
/// elements, as many as a run has, by matrices that the run makes.
static Expr transformOpen(Expr x, bool isInverse, bool isOnesided) {
  Node &node = x.builder();
  int64_t axis = x.rank() - 2;
  Expr given = x.shape(axis, axis + 1).squeeze({0});
  Expr length = isInverse && isOnesided ? (given - 1.0) * 2.0 : given;
  Expr wanted = isOnesided && !isInverse ? length / 2.0 + 1.0 : length;
  Type f64 = Float64Type::get(node.context());
  Type type = x.element().isF64() ? f64 : Float32Type::get(node.context());
  // Whole turns are left out first: the angle stays small and exact.
  Expr in = x.positions(axis), out = countTo(wanted);
  Expr turns = in.unsqueeze({1}).cast(f64) * out.cast(f64) / length.cast(f64);
  Expr angle =
      (turns - floor(turns)).cast(type) * (isInverse ? 2 * M_PI : -2 * M_PI);
  Expr cosine = angle.emit<CosOp>(), sine = angle.emit<SinOp>();
  if (isInverse) {
    Expr weight = 1.0 / length.cast(type);
    // The other half is conjugate to this one: its sum has the same real part.
    if (isOnesided) {
      Expr isAlone = (in == in.like(0)) | (in * 2.0 == length);
      weight = where(isAlone, weight, weight * 2.0).unsqueeze({1});
    }
    cosine = cosine * weight;
    sine = sine * weight;
  }
  auto part = [&](int64_t i) {
    return x.slice(axis + 1, i, i + 1).squeeze({axis + 1}).cast(type);
  };
  bool isComplex = x.dim(axis + 1) == 2;
  Expr real = matmul(part(0), cosine);
  if (isComplex)
    real = real - matmul(part(1), sine);
  SmallVector<Value> parts{real.cast(x.element())};
  if (!isInverse || !isOnesided) {
    Expr imaginary = matmul(part(0), sine);
    if (isComplex)
      imaginary = imaginary + matmul(part(1), cosine);
    parts.push_back(imaginary.cast(x.element()));
  }
  return stack(node, parts, axis + 1);
}

/// `x`, given as (..., elements, parts), transformed along the axis of its
/// elements, which is cut or filled with zeros.
static Expr transformKnown(Expr x, int64_t length, bool isInverse,
                           bool isOnesided) {
  Node &node = x.builder();
  int64_t half = length / 2 + 1, axis = x.rank() - 2, rows = 1;
  Transform t{length, isInverse, length, 2};
  if (isOnesided && !isInverse)
    t.outputs = half;
  if (isOnesided && isInverse)
    t.parts = 1;
  auto leading = Node::dims(x).drop_back(2);
  bool isOpen = llvm::any_of(leading, ShapedType::isDynamic);
  for (int64_t extent : leading)
    rows *= ShapedType::isDynamic(extent) ? 1 : extent;
  // The matrices of longer ones have more elements than are allowed.
  constexpr int64_t kMostElements = int64_t(1) << 40;
  if (length < 1 || length > kMaxElements || x.dim(axis) < 1 ||
      rows > kMostElements / length) {
    (void)node.fail("a transform of " + Twine(length) +
                    " elements is not supported");
    return {node, Value()};
  }
  int64_t given =
      std::min(x.dim(axis), isOnesided && isInverse ? half : length);
  Expr parts(node, node.shape({t.outputs, t.parts}));
  Expr shape = axis > 0 ? concat({x.shape(0, axis), parts}, 0) : parts;
  // A reshape would take an extent of 0 for the input's.
  if (rows == 0)
    return x.like(0).expand(shape);
  int64_t own = x.dim(axis + 1);
  x = x.slice(axis, 0, given);
  if (!isOpen)
    x = x.reshape({rows, given, own});
  if (t.parts == 1) {
    // The other half is conjugate to this one: its sum has the same real part.
    std::vector<double> weights(given, 2);
    weights[0] = 1;
    if (length % 2 == 0 && given == half)
      weights.back() = 1;
    x = x * Expr(node, node.constant(x.element(), {given, 1}, weights));
  }
  return transformRows(x, Rows::of(x), t, given, own).reshape(shape);
}

/// `x` transformed along `axis`, to `length` elements if that is known. If
/// `isOnesided`, half of a spectrum is wanted or, of an inverse transform,
/// given.
static Expr transform(Expr x, int64_t axis, int64_t length, bool isInverse,
                      bool isOnesided) {
  // The axis goes in front of the parts.
  SmallVector<int64_t> to, back(x.rank());
  for (int64_t i = 0; i < x.rank() - 1; ++i)
    if (i != axis)
      to.push_back(i);
  llvm::append_values(to, axis, x.rank() - 1);
  for (auto [i, from] : llvm::enumerate(to))
    back[from] = i;
  x = x.transpose(to);
  x = ShapedType::isDynamic(length)
          ? transformOpen(x, isInverse, isOnesided)
          : transformKnown(x, length, isInverse, isOnesided);
  return x.transpose(back);
}

/// The signal, if its last axis holds numbers.
static std::optional<Expr> readSignal(Node &node) {
  Expr x(node, node.in(0));
  if (x.rank() < 2 || x.dim(x.rank() - 1) < 1 || x.dim(x.rank() - 1) > 2) {
    (void)node.fail("the signal needs 1 or 2 (real, or complex numbers) as its "
                    "last extent");
    return std::nullopt;
  }
  return x;
}

static LogicalResult importDFT(Node &node) {
  auto x = readSignal(node);
  if (!x)
    return failure();
  bool isInverse = node.flag("inverse"), isOnesided = node.flag("onesided");
  int64_t axis;
  if (node.opset() < 20) {
    axis = node.integer("axis", 1);
  } else {
    axis = -2;
    if (node.in(2)) {
      auto given = node.constant(2, "'axis'");
      if (failed(given))
        return failure();
      axis = given->empty() ? axis : given->front();
    }
  }
  axis = node.axis(axis, x->rank());
  if (node.failed())
    return failure();
  if (axis == x->rank() - 1)
    return node.fail("the last axis holds real and imaginary parts");
  int64_t length = x->dim(axis);
  bool isOpen = ShapedType::isDynamic(length);
  if (isInverse && isOnesided && !isOpen)
    length = 2 * (length - 1);
  if (node.in(1)) {
    auto given = node.constant(1, "'dft_length'");
    if (failed(given))
      return failure();
    if (given->size() == 1)
      length = given->front();
  }
  if (isOpen && !ShapedType::isDynamic(length))
    return node.fail("needs a known extent of the axis to cut it or fill it "
                     "to 'dft_length'");
  return node.result(transform(*x, axis, length, isInverse, isOnesided));
}

/// Where the samples of frames of `length` are in a signal (batch, samples,
/// parts): (frames, length).
static FailureOr<Expr> framePlaces(Expr x, int64_t length, int64_t step) {
  Node &node = x.builder();
  if (ShapedType::isDynamic(x.dim(1))) {
    Expr room = x.shape(1, 2).squeeze({0}) - double(length - step);
    Expr frames = countTo(maximum(room, 0.0) / double(step));
    Expr within = countTo(frames.like(double(length)));
    return frames.unsqueeze({1}) * double(step) + within;
  }
  int64_t frames = 1 + (x.dim(1) - length) / step, count;
  if (llvm::MulOverflow(frames, length, count) || count > (1 << 26))
    return node.fail("its frames have more than 2^26 samples");
  SmallVector<int64_t> places;
  for (int64_t f = 0; f < frames; ++f)
    for (int64_t i = 0; i < length; ++i)
      places.push_back(f * step + i);
  return Expr(node, node.shape(places)).reshape({frames, length});
}

/// Transforms of overlapping frames of a signal (batch, samples, parts), each
/// multiplied by a window: (batch, frames, bins, 2).
static LogicalResult importSTFT(Node &node) {
  auto x = readSignal(node);
  auto step = node.constant(1, "'frame_step'");
  if (!x || failed(step))
    return failure();
  int64_t length = node.in(2) ? Node::dims(node.in(2))[0] : 0;
  if (node.in(3)) {
    auto given = node.constant(3, "'frame_length'");
    if (failed(given))
      return failure();
    if (given->size() == 1)
      length = given->front();
  }
  if (x->rank() != 3 || step->size() != 1 || step->front() < 1 || length < 1 ||
      (!ShapedType::isDynamic(x->dim(1)) && length > x->dim(1)))
    return node.fail("needs a signal of rank 3, a positive frame_step, and "
                     "frames that are not longer than the signal");
  auto places = framePlaces(*x, length, step->front());
  if (failed(places))
    return failure();
  Expr cut = x->gather(*places, 1);
  if (node.in(2))
    cut = cut * Expr(node, node.in(2)).reshape({length, 1});
  bool isOnesided = node.flag("onesided", true);
  return node.result(transform(cut, 2, length, false, isOnesided));
}

// -- Windows ------------------------------------------------------------------

/// a - b cos x + c cos 2x over one period of `size` points.
static LogicalResult importWindow(Node &node) {
  auto size = node.constant(0, "'size'");
  if (failed(size))
    return failure();
  if (size->size() != 1 || size->front() < 0 || size->front() > (1 << 24))
    return node.fail("'size' must be one number from 0 to 2^24");
  std::string reason;
  Type type =
      elementTypeOf(static_cast<int32_t>(node.integer("output_datatype", 1)),
                    node.context(), reason);
  auto number = dyn_cast_if_present<FloatType>(type);
  if (!number)
    return node.fail("output_datatype must be a floating-point type");
  std::array<double, 3> weights = {0.5, 0.5, 0};
  if (node.type() == "HammingWindow")
    weights = {25.0 / 46, 21.0 / 46, 0};
  if (node.type() == "BlackmanWindow")
    weights = {0.42, 0.5, 0.08};
  int64_t count = size->front();
  double period = double(node.flag("periodic", true) ? count : count - 1);
  SmallVector<Attribute> values;
  for (int64_t i = 0; i < count; ++i) {
    double x = period > 0 ? 2 * M_PI * double(i) / period : M_PI;
    values.push_back(FloatAttr::get(number, weights[0] -
                                                weights[1] * std::cos(x) +
                                                weights[2] * std::cos(2 * x)));
  }
  return node.result(node.constant(
      DenseElementsAttr::get(RankedTensorType::get({count}, number), values)));
}

/// Triangles on the mel scale, 2595 log10(1 + f / 700), whose corners are
/// rounded down to bins of the spectrum.
static LogicalResult importMelWeightMatrix(Node &node) {
  auto bins = node.constant(0, "'num_mel_bins'");
  auto length = node.constant(1, "'dft_length'");
  if (failed(bins) || failed(length))
    return failure();
  if (bins->size() != 1 || length->size() != 1 || bins->front() < 1 ||
      length->front() < 1 || bins->front() > (1 << 20) ||
      length->front() > (1 << 24))
    return node.fail("num_mel_bins and dft_length must be positive numbers");
  Type type = Float32Type::get(node.context());
  if (int64_t number = node.integer("output_datatype", 1); number != 1) {
    std::string reason;
    type = elementTypeOf(static_cast<int32_t>(number), node.context(), reason);
    if (!type)
      return node.fail("attribute 'output_datatype': " + reason);
  }
  Type f64 = Float64Type::get(node.context());
  auto input = [&](unsigned i) { return Expr(node, node.in(i)).cast(f64); };
  auto mel = [](Expr f) { return log(f / 700.0 + 1.0) * (2595 / M_LN10); };
  Type i64 = IntegerType::get(node.context(), 64);
  auto count = [&](int64_t n) {
    return countTo({node, node.scalar(i64, double(n))}).cast(f64);
  };
  int64_t corners = bins->front() + 2;
  Expr low = mel(input(3)), high = mel(input(4));
  Expr f = count(corners) * ((high - low) / double(corners)) + low;
  f = f.like(10).emit<PowOp>({f / 2595.0}) * 700.0 - 700.0;
  f = floor(f * double(length->front() + 1) / input(2));
  Expr left = f.slice(0, 0, -2), peak = f.slice(0, 1, -1);
  Expr right = f.slice(0, 2, corners);
  Expr bin = count(length->front() / 2 + 1).unsqueeze({1});
  // A side without extent is not divided by.
  Expr rises =
      where(peak == left, f.like(1), (bin - left) / maximum(peak - left, 1.0));
  Expr falls = (right - bin) / maximum(right - peak, 1.0);
  Expr zero = f.like(0);
  Expr result = where((bin >= peak) & (bin < right), falls,
                      where((bin >= left) & (bin <= peak), rises, zero));
  return node.result(result.cast(type));
}

void onnx::addSpectralOps(OpTable &table) {
  table.add("MelWeightMatrix", 17, 5, importMelWeightMatrix);
  table.add("DFT", 17, {1, 3}, importDFT);
  table.add("BlackmanWindow", 17, 1, importWindow);
  table.add("HammingWindow", 17, 1, importWindow);
  table.add("HannWindow", 17, 1, importWindow);
  table.add("STFT", 17, {2, 4}, importSTFT);
}
