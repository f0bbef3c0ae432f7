//===- Pool.cpp - pooling -------------------------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "Expr.h"
#include "Window.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// Padding behind the input that lets the last window begin where `ceil_mode`
/// has one, whose size then is that of the others.
static LogicalResult padForCeil(Node &node, ArrayRef<int64_t> spatial,
                                WindowAttrs &w) {
  for (auto [i, extent] : llvm::enumerate(spatial)) {
    if (ShapedType::isDynamic(extent))
      return node.fail("with ceil_mode its spatial extents must be known");
    int64_t &behind = w.pads[spatial.size() + i];
    auto windows = windowExtent(std::nullopt, extent,
                                {w.kernel[i], w.strides[i], w.dilations[i],
                                 w.pads[i], behind, /*ceil=*/true});
    if (failed(windows))
      return node.fail("its window does not fit the padded input");
    int64_t span = (w.kernel[i] - 1) * w.dilations[i] + 1;
    int64_t end = (*windows - 1) * w.strides[i] + span;
    behind = std::max(behind, end - extent - w.pads[i]);
  }
  return success();
}

/// With `windowSize`, which receives the number of its elements, all windows
/// are whole.
static Value buildPool(Node &node, PoolKind kind, Value x, bool countPad,
                       int64_t *windowSize = nullptr) {
  if (!x)
    return {};
  auto spatial = Node::dims(x).drop_front(std::min<size_t>(2, Node::rank(x)));
  if (!node.has("kernel_shape"))
    return (void)node.fail("attribute 'kernel_shape' is missing"), Value();
  FailureOr<WindowAttrs> w = readWindow(node, spatial, {});
  if (failed(w) || failed(padSame(node, spatial, *w)))
    return {};
  if (windowSize)
    for (int64_t extent : w->kernel)
      if (mulOverflows(*windowSize, extent, *windowSize))
        return (void)node.fail("the window overflows"), Value();
  bool ceil = node.flag("ceil_mode");
  if (ceil && windowSize) {
    if (failed(padForCeil(node, spatial, *w)))
      return {};
    ceil = false;
  }
  return node.emit<PoolOp>(x,
                           {{"kind", PoolKindAttr::get(node.context(), kind)},
                            node.i64s("kernel_shape", w->kernel),
                            node.i64s("strides", w->strides),
                            node.i64s("pads", w->pads),
                            node.i64s("dilations", w->dilations),
                            node.unit("ceil_mode", ceil),
                            node.unit("count_include_pad", countPad)});
}

/// Less than any sum of places.
static constexpr int64_t kOutside = -(int64_t(1) << 56);

/// Where along an axis each window's element `tap` reads the input, in elements
/// that are `step` apart; kOutside in the padding.
static SmallVector<int64_t> placesOf(const WindowAttrs &w, size_t axis,
                                     int64_t tap, int64_t input, int64_t output,
                                     int64_t step) {
  SmallVector<int64_t> places;
  for (int64_t o = 0; o < output; ++o) {
    int64_t place =
        o * w.strides[axis] - w.pads[axis] + tap * w.dilations[axis];
    places.push_back(place < 0 || place >= input ? kOutside : place * step);
  }
  return places;
}

/// The values that a window's element `tap` reads in all windows, from an input
/// that is padded.
static Expr readTap(Expr padded, const WindowAttrs &w, ArrayRef<int64_t> tap,
                    ArrayRef<int64_t> outputs) {
  for (auto [axis, place] : llvm::enumerate(tap)) {
    int64_t start = place * w.dilations[axis];
    padded = padded.slice(2 + axis, start,
                          start + (outputs[axis] - 1) * w.strides[axis] + 1,
                          w.strides[axis]);
  }
  return padded;
}

/// The least number of a type.
static Value lowest(Node &node, Type type) {
  if (isa<FloatType>(type))
    return node.scalar(type, -std::numeric_limits<double>::infinity());
  bool isUnsigned = type.isUnsignedInteger();
  return node.scalar(
      type,
      isUnsigned ? 0 : -std::ldexp(1.0, type.getIntOrFloatBitWidth() - 1));
}

/// The maximum of each window and its place in the input, which counts elements
/// in row-major order; the spatial axes in column-major order if
/// `storage_order` is set. One element of the windows after the other.
static LogicalResult importMaxPoolIndices(Node &node, Value pooled) {
  Expr x(node, node.in(0)), y(node, pooled);
  bool columnMajor = node.flag("storage_order");
  if (!y)
    return failure();
  if (!x.element().isIntOrFloat())
    return node.fail("has the output 'Indices' for numbers only");
  for (Expr e : {x, y})
    if (llvm::any_of(Node::dims(e), ShapedType::isDynamic))
      return node.fail("with the output 'Indices' needs known extents");
  auto spatial = Node::dims(x).drop_front(2),
       outputs = Node::dims(y).drop_front(2);
  FailureOr<WindowAttrs> w = readWindow(node, spatial, {});
  if (failed(w) || failed(padSame(node, spatial, *w)))
    return failure();
  size_t axes = spatial.size();
  SmallVector<int64_t> pads(2 * x.rank(), 0), steps(axes, 1);
  int64_t taps = 1, plane = 1;
  for (size_t i = 0; i < axes; ++i) {
    size_t axis = columnMajor ? i : axes - 1 - i;
    steps[axis] = plane;
    plane *= spatial[axis];
    if (w->kernel[i] > 4096 || (taps *= w->kernel[i]) > 4096)
      return node.fail("with the output 'Indices' needs smaller windows");
    pads[2 + i] = w->pads[i];
    pads[x.rank() + 2 + i] =
        std::max<int64_t>(0, (outputs[i] - 1) * w->strides[i] +
                                 (w->kernel[i] - 1) * w->dilations[i] + 1 -
                                 spatial[i] - w->pads[i]);
  }
  constexpr int64_t kMaxPlanes = 1 << 26;
  if (isTooLarge(Node::dims(x)) || x.dim(0) * x.dim(1) > kMaxPlanes)
    return node.fail("with the output 'Indices' needs fewer channels");
  Expr padded = x.emit<PadOp>(
      {node.shape(pads), lowest(node, x.element())},
      Attr{"mode", PadModeAttr::get(node.context(), PadMode::Constant)});
  bool hasPads = llvm::any_of(pads, [](int64_t pad) { return pad != 0; });
  std::optional<Expr> best, place;
  for (int64_t tap = 0; tap < taps && !node.failed(); ++tap) {
    SmallVector<int64_t> at(axes);
    for (int64_t rest = tap, i = axes; i-- > 0; rest /= w->kernel[i])
      at[i] = rest % w->kernel[i];
    Expr value = readTap(padded, *w, at, outputs);
    std::optional<Expr> here;
    for (size_t i = 0; i < axes; ++i) {
      SmallVector<int64_t> own(axes, 1);
      own[i] = outputs[i];
      Expr part(node, node.shape(placesOf(*w, i, at[i], spatial[i], outputs[i],
                                          steps[i])));
      here = here ? *here + part.reshape(own) : part.reshape(own);
    }
    if (best) {
      Expr wins = value > *best;
      // The least number may be in the input as well.
      if (hasPads)
        wins = (*here >= here->like(0)) & (wins | (*place < place->like(0)));
      place = where(wins, *here, *place);
      best = where(wins, value, *best);
    } else {
      place = here->expand(value.shape());
      best = value;
    }
  }
  // Windows of padding alone have no maximum.
  if (place && hasPads)
    place = where(*place < place->like(0), place->like(0), *place);
  Expr planes(node, node.shape(llvm::to_vector(
                        llvm::seq<int64_t>(0, x.dim(0) * x.dim(1)))));
  SmallVector<int64_t> own(x.rank(), 1);
  own[0] = x.dim(0);
  own[1] = x.dim(1);
  if (failed(node.result(*place + planes.reshape(own) * double(plane), 1)))
    return failure();
  return node.result(y);
}

/// Puts each element at its place in a tensor of zeros, as MaxPool counts them.
static LogicalResult importMaxUnpool(Node &node) {
  Expr x(node, node.in(0)), places(node, node.in(1));
  if (x.rank() < 3 || Node::dims(x) != Node::dims(places) ||
      llvm::any_of(Node::dims(x), ShapedType::isDynamic))
    return node.fail("needs values and indices of the same, known extents");
  auto kernel = node.integers("kernel_shape");
  size_t axes = x.rank() - 2;
  auto strides = node.integers("strides", SmallVector<int64_t>(axes, 1));
  auto pads = node.integers("pads", SmallVector<int64_t>(2 * axes, 0));
  if (kernel.size() != axes || strides.size() != axes ||
      pads.size() != 2 * axes)
    return node.fail("attributes do not fit the number of spatial axes");
  SmallVector<int64_t> dims(Node::dims(x)), behind(2 * x.rank(), 0);
  for (size_t i = 0; i < axes; ++i) {
    int64_t &extent = dims[2 + i];
    if (mulOverflows(extent - 1, strides[i], extent) ||
        addOverflows(extent, kernel[i], extent) ||
        addOverflows(extent, -pads[i], extent) ||
        addOverflows(extent, -pads[axes + i], extent) || extent < 1)
      return node.fail("the extents of the result are not positive");
  }
  if (isTooLarge(dims))
    return node.fail("its result has more than 2^40 elements");
  int64_t size = *numElements(dims);
  Expr zeros(node, node.emit<SplatOp>({x.like(0), node.shape(size)}));
  Attr replace{"kind", ScatterKindAttr::get(node.context(), ScatterKind::None)};
  Expr result = zeros.emit<ScatterElementsOp>(
      {zeros.checked(places.reshape({-1}), 0), x.reshape({-1})},
      {replace, node.i64("axis", 0)});
  result = result.reshape(dims);
  if (!node.in(2))
    return node.result(result);
  auto wanted = node.constant(2, "'output_shape'");
  if (failed(wanted))
    return failure();
  if (wanted->size() != dims.size())
    return node.fail("'output_shape' must have one extent per axis");
  for (auto [i, extent] : llvm::enumerate(*wanted))
    if ((behind[dims.size() + i] = extent - dims[i]) < 0)
      return node.fail("'output_shape' is smaller than what is unpooled");
  return node.result(result.emit<PadOp>(
      {node.shape(behind), result.like(0)},
      Attr{"mode", PadModeAttr::get(node.context(), PadMode::Constant)}));
}

Value onnx::buildAveragePool(Node &node, Value x) {
  return buildPool(node, PoolKind::Average, x, node.flag("count_include_pad"));
}

static LogicalResult importPool(Node &node) {
  bool isMax = node.type() == "MaxPool";
  Value result = isMax ? buildPool(node, PoolKind::Max, node.in(0), false)
                       : buildAveragePool(node, node.in(0));
  if (isMax && node.wantsOutput(1))
    return importMaxPoolIndices(node, result);
  node.ignore("storage_order");
  return node.result(result);
}

static LogicalResult exportPool(PoolOp op, NodeWriter &n) {
  if (op.isChannelsLast())
    return hasNoForm(op, "in another layout");
  bool isMax = op.getKind() == PoolKind::Max;
  n.type(isMax ? "MaxPool" : "AveragePool").input(op.getInput());
  if (!isMax)
    n.attr("count_include_pad", op.getCountIncludePad());
  return n.attr("kernel_shape", op.getKernelShape())
      .attr("strides", op.getStrides())
      .attr("pads", op.getPads())
      .attr("dilations", op.getDilations())
      .attr("ceil_mode", op.getCeilMode())
      .done();
}

/// Spatial axes of an input of batch, channels, spatial…
static SmallVector<int64_t> spatialAxes(Value x) {
  return llvm::to_vector(
      llvm::seq<int64_t>(2, std::max<int64_t>(2, Node::rank(x))));
}

static LogicalResult importGlobalPool(Node &node) {
  ReduceKind kind =
      node.type() == "GlobalMaxPool" ? ReduceKind::Max : ReduceKind::Mean;
  return node.result(
      node.reduce(kind, node.in(0), spatialAxes(node.in(0)), true));
}

/// |x|^p of the input, and its inverse as the result.
static Value powerOfAbs(Node &node, double p) {
  Value x = node.emit<AbsOp>(node.widenHalves(node.in(0)));
  return p == 1 ? x : node.emit<PowOp>({x, node.scalarLike(x, p)});
}
static LogicalResult resultAsRoot(Node &node, Value x, double p) {
  if (p != 1)
    x = node.emit<PowOp>({x, node.scalarLike(x, 1 / p)});
  return node.result(node.cast(x, Node::element(node.in(0))));
}
/// The exponent is an integer from version 2 on.
static double exponent(Node &node) {
  return node.opset() < 2 ? node.real("p", 2) : node.integer("p", 2);
}

static LogicalResult importGlobalLpPool(Node &node) {
  double p = exponent(node);
  Value sum = node.reduce(ReduceKind::Sum, powerOfAbs(node, p),
                          spatialAxes(node.in(0)), true);
  return resultAsRoot(node, sum, p);
}

static LogicalResult importLpPool(Node &node) {
  double p = exponent(node);
  int64_t size = 1;
  Value mean = buildPool(node, PoolKind::Average, powerOfAbs(node, p),
                         /*countPad=*/true, &size);
  Value sum = node.emit<MulOp>({mean, node.scalarLike(mean, size)});
  return resultAsRoot(node, sum, p);
}

void onnx::addPoolOps(OpTable &table) {
  table.add("AveragePool", 1, 1, importPool).exports(exportPool);
  table.add("GlobalAveragePool", 1, 1, importGlobalPool);
  table.add("GlobalLpPool", 1, 1, importGlobalLpPool);
  table.add("GlobalMaxPool", 1, 1, importGlobalPool);
  table.add("LpPool", 1, 1, importLpPool);
  table.add("MaxPool", 1, 1, importPool);
  table.add("MaxUnpool", 9, {2, 3}, importMaxUnpool);
}
