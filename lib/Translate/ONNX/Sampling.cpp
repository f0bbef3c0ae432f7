//===- Sampling.cpp - values between the points of a tensor ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A sample is a weighted sum of the elements around a position. Each axis gives
// its neighbours with their weights; one gather per combination of them reads
// all channels of all positions.
//
//===----------------------------------------------------------------------===//
#include "Moved.h"
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

namespace {
/// A neighbour along one axis: whole numbers as floats, of the positions'
/// shape.
struct Tap {
  Expr index;
  std::optional<Expr> weight; // none: 1
};

enum class Outside { Zeros, Border, Reflection };

/// What GridSample says about all axes.
struct GridRule {
  Outside outside;
  bool alignCorners;
};
} // namespace

// -- Neighbours ---------------------------------------------------------------

/// The extents of the axes of `x` from `first` on, each a scalar of i64: a
/// constant, or what a run finds.
static SmallVector<Expr> extentsOf(Expr x, int64_t first) {
  Node &node = x.builder();
  Type i64 = IntegerType::get(node.context(), 64);
  SmallVector<Expr> extents;
  for (int64_t axis = first; axis < x.rank(); ++axis)
    extents.push_back(ShapedType::isDynamic(x.dim(axis))
                          ? x.shape(axis, axis + 1).squeeze({0})
                          : Expr(node, node.scalar(i64, double(x.dim(axis)))));
  return extents;
}

/// Mirrors `x` at both edges until it lies within them.
static Expr reflect(Expr x, Expr extent, const GridRule &rule) {
  double low = rule.alignCorners ? 0 : -0.5;
  // Where there is one element, any span will do: the result is clamped.
  Expr span = rule.alignCorners ? maximum(extent - 1.0, 1.0) : extent;
  span = span.cast(x.element());
  Expr phase = abs(x - low).emit<FmodOp>({span * 2.0});
  return where(phase > span, span * 2.0 - phase, phase) + low;
}

/// `x` moved inside, where the edges are clamped or mirrored.
static Expr inside(Expr x, Expr extent, const GridRule &rule) {
  if (rule.outside == Outside::Reflection)
    x = reflect(x, extent, rule);
  return minimum(maximum(x, 0.0), (extent - 1.0).cast(x.element()));
}

/// Weights of the four elements around a position by cubic convolution (Keys,
/// 1981) with a = -0.75; `t` is the distance from the second of them.
static SmallVector<Expr> cubicWeights(Expr t) {
  constexpr double a = -0.75;
  auto far = [](Expr d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  auto near = [](Expr d) { return ((a + 2) * d - (a + 3)) * d * d + 1.0; };
  return {far(t + 1.0), near(t), near(1.0 - t), far(2.0 - t)};
}

static SmallVector<Tap> tapsOf(Node &node, Expr x, StringRef mode) {
  if (mode == "nearest")
    return {{x.emit<RoundOp>(), std::nullopt}};
  Expr low = floor(x), t = x - low;
  if (mode == "linear" || mode == "bilinear")
    return {{low, 1.0 - t}, {low + 1.0, t}};
  if (mode == "cubic" || mode == "bicubic") {
    SmallVector<Tap> taps;
    for (auto [i, weight] : llvm::enumerate(cubicWeights(t)))
      taps.push_back({low + (double(i) - 1), weight});
    return taps;
  }
  (void)node.fail("unknown mode '" + mode + "'");
  return {};
}

// -- Samples ------------------------------------------------------------------

/// Samples of `data`, (n, extents..., channels) or with one axis of all
/// elements (n, elements, channels), with one list of neighbours per axis: (n,
/// positions..., channels).
static Expr sample(Expr data, ArrayRef<Expr> extents,
                   ArrayRef<SmallVector<Tap>> taps, const GridRule &rule) {
  Node &node = data.builder();
  Type i64 = IntegerType::get(node.context(), 64);
  std::optional<Expr> sum;
  SmallVector<size_t> chosen(extents.size(), 0);
  bool isFlat = data.rank() == 3;
  for (bool more = true; more && !node.failed();) {
    std::optional<Expr> weight, isInside;
    SmallVector<Value> place;
    for (auto [axis, extent] : llvm::enumerate(extents)) {
      const Tap &tap = taps[axis][chosen[axis]];
      Expr index = inside(tap.index, extent, rule);
      if (rule.outside == Outside::Zeros) {
        Expr exists = tap.index == index;
        isInside = isInside ? *isInside & exists : exists;
      }
      index = index.cast(i64);
      if (isFlat && axis > 0)
        place = {Expr(node, place[0]) * extent + index};
      else
        place.push_back(index);
      if (tap.weight)
        weight = weight ? *weight * *tap.weight : *tap.weight;
    }
    int64_t last = Expr(node, place[0]).rank();
    Expr value = data.emit<GatherNDOp>({stack(node, place, last)},
                                       node.i64("batch_dims", 1));
    if (isInside)
      value = where(isInside->unsqueeze({last}), value, value.like(0));
    if (weight)
      value = value * weight->unsqueeze({last}).cast(value.element());
    sum = sum ? *sum + value : value;
    // The next combination.
    more = false;
    for (size_t axis = extents.size(); axis-- > 0 && !more;) {
      more = ++chosen[axis] < taps[axis].size();
      if (!more)
        chosen[axis] = 0;
    }
  }
  return sum ? *sum : Expr(node, Value());
}

static FailureOr<GridRule> readRule(Node &node) {
  StringRef padding = node.string("padding_mode", "zeros");
  GridRule rule{Outside::Zeros, node.flag("align_corners")};
  if (padding == "border")
    rule.outside = Outside::Border;
  else if (padding == "reflection")
    rule.outside = Outside::Reflection;
  else if (padding != "zeros")
    return node.fail("unknown padding_mode '" + padding + "'");
  return rule;
}

/// (n, channels, extents...) at positions (n, extents..., axes), whose last
/// axis counts from the innermost one and runs from -1 to 1 over the tensor.
static LogicalResult importGridSample(Node &node) {
  Moved moved(node, node.in(0));
  Expr x = moved.numbers(), grid(node, node.in(1));
  StringRef mode =
      node.string("mode", node.opset() < 20 ? "bilinear" : "linear");
  if (moved.isByPlace() && mode != "nearest")
    return node.fail("there is nothing between strings; mode 'nearest' takes "
                     "one of them");
  auto rule = readRule(node);
  if (failed(rule) || node.failed())
    return failure();
  int64_t axes = x.rank() - 2;
  if (axes < 1 || grid.rank() != x.rank() || grid.dim(axes + 1) != axes)
    return node.fail("the grid must have the input's rank and one coordinate "
                     "per spatial axis");
  auto dims = Node::dims(x).drop_front(2);
  if (llvm::is_contained(dims, 0))
    return node.fail("cannot sample a tensor without elements");
  if (!grid.element().isF64())
    grid = grid.cast(Float32Type::get(node.context()));
  // One axis of positions where their number is known.
  SmallVector<int64_t> whole{Node::dims(grid)[0], x.dim(1)};
  llvm::append_range(whole, Node::dims(grid).drop_front().drop_back());
  bool isOpen =
      llvm::any_of(ArrayRef(whole).drop_front(), ShapedType::isDynamic);
  if (ShapedType::isDynamic(whole[0]))
    whole[0] = -1;
  if (!isOpen)
    grid = grid.reshape(
        {whole[0], llvm::product_of(ArrayRef(whole).drop_front(2)), axes});
  int64_t last = grid.rank() - 1;
  SmallVector<Expr> extents = extentsOf(x, 2);
  SmallVector<SmallVector<Tap>> taps;
  for (auto [axis, length] : llvm::enumerate(extents)) {
    Expr extent = length.cast(grid.element());
    int64_t coordinate = axes - 1 - axis;
    Expr p = grid.slice(last, coordinate, coordinate + 1).squeeze({last});
    p = rule->alignCorners ? (p + 1.0) / 2.0 * (extent - 1.0)
                           : ((p + 1.0) * extent - 1.0) / 2.0;
    // Positions outside are moved before their two neighbours are looked for.
    // Of one neighbour or four each is moved on its own, as PyTorch does it.
    if (mode.ends_with("linear") && rule->outside != Outside::Zeros)
      p = inside(p, length, *rule);
    taps.push_back(tapsOf(node, p, mode));
    if (taps.back().empty())
      return failure();
  }
  // The channels last, and elements counted through all axes where that is
  // known.
  SmallVector<int64_t> channelsLast{0}, channelsSecond{0, last};
  llvm::append_range(channelsLast, llvm::seq<int64_t>(2, axes + 2));
  channelsLast.push_back(1);
  llvm::append_range(channelsSecond, llvm::seq<int64_t>(1, last));
  bool isKnown =
      llvm::none_of(Node::dims(x).drop_front(), ShapedType::isDynamic);
  int64_t batch = ShapedType::isDynamic(x.dim(0)) ? -1 : x.dim(0);
  Expr data = isKnown ? x.reshape({batch, x.dim(1), llvm::product_of(dims)})
                            .transpose({0, 2, 1})
                      : x.transpose(channelsLast);
  // Sums of weighted booleans are true where they are not zero.
  if (x.element().isInteger(1))
    data = data.cast(Float32Type::get(node.context()));
  Expr result = sample(data, extents, taps, *rule).transpose(channelsSecond);
  if (!isOpen)
    result = result.reshape(whole);
  return node.result(moved.restore(result.cast(x.element())));
}

// -- Affine grids -------------------------------------------------------------

/// The centres of `extent` cells from -1 to 1, or evenly spaced points with
/// both ends.
static Expr gridLine(Node &node, int64_t extent, bool alignCorners, Type type) {
  SmallVector<Attribute> values;
  for (int64_t i = 0; i < extent; ++i) {
    double x = alignCorners
                   ? (extent > 1 ? -1 + 2.0 * i / double(extent - 1) : -1)
                   : (2.0 * i + 1) / double(extent) - 1;
    values.push_back(FloatAttr::get(type, x));
  }
  return {node, node.constant(DenseElementsAttr::get(
                    RankedTensorType::get({extent}, type), values))};
}

/// Positions for GridSample: theta (n, axes, axes + 1) times the homogeneous
/// coordinates of every element of a tensor of the given size.
static LogicalResult importAffineGrid(Node &node) {
  auto size = node.constant(1, "'size'");
  if (failed(size))
    return failure();
  Expr theta(node, node.in(0));
  if (!isa<FloatType>(theta.element()))
    return node.fail("needs matrices of floats");
  int64_t axes = size->size() - 2;
  bool alignCorners = node.flag("align_corners");
  if ((axes != 2 && axes != 3) || theta.rank() != 3 || theta.dim(1) != axes ||
      theta.dim(2) != axes + 1)
    return node.fail("needs a size of 4 or 5 extents and one matrix per batch "
                     "of as many rows as spatial axes");
  auto dims = ArrayRef(*size).drop_front(2);
  for (int64_t extent : *size)
    if (extent < 1 || extent > (1 << 24))
      return node.fail("extents must be positive and at most 2^24");
  Type type = theta.element();
  SmallVector<int64_t> whole(dims);
  whole.push_back(1);
  SmallVector<Expr> coordinates; // the innermost axis first
  for (int64_t axis = axes; axis-- > 0;) {
    SmallVector<int64_t> own(axes + 1, 1);
    own[axis] = dims[axis];
    coordinates.push_back(gridLine(node, dims[axis], alignCorners, type)
                              .reshape(own)
                              .expand({node, node.shape(whole)}));
  }
  coordinates.push_back(theta.like(1).expand({node, node.shape(whole)}));
  Expr points = concat(coordinates, axes).reshape({-1, axes + 1});
  Expr grid = matmul(points, theta.transpose({0, 2, 1}));
  SmallVector<int64_t> shape{size->front()};
  llvm::append_range(shape, dims);
  shape.push_back(axes);
  return node.result(grid.reshape(shape));
}

// -- Deformable convolution ---------------------------------------------------

/// The positions that each kernel element of each window reads, per axis: (n *
/// groups, kernel elements * windows), from the offsets (n, groups * kernel
/// elements * 2, oh, ow).
static SmallVector<Expr>
kernelPositions(Node &node, Expr offsets, int64_t groups,
                ArrayRef<int64_t> kernel, ArrayRef<int64_t> pads,
                ArrayRef<int64_t> strides, ArrayRef<int64_t> dilations) {
  int64_t taps = kernel[0] * kernel[1], height = offsets.dim(2),
          width = offsets.dim(3), all = offsets.dim(0) * groups;
  Expr each = offsets.reshape({all, taps, 2, height * width});
  SmallVector<Expr> result;
  for (int64_t axis : {0, 1}) {
    SmallVector<float> base;
    for (int64_t tap = 0; tap < taps; ++tap)
      for (int64_t o = 0; o < height * width; ++o) {
        int64_t k = axis == 0 ? tap / kernel[1] : tap % kernel[1];
        int64_t place = axis == 0 ? o / width : o % width;
        base.push_back(
            float(place * strides[axis] - pads[axis] + k * dilations[axis]));
      }
    auto type = RankedTensorType::get({taps, height * width},
                                      Float32Type::get(node.context()));
    Expr still(node, node.constant(
                         DenseElementsAttr::get(type, ArrayRef<float>(base))));
    Expr moved = each.slice(2, axis, axis + 1).squeeze({2});
    result.push_back((moved.cast(still.element()) + still)
                         .reshape({all, taps * height * width}));
  }
  return result;
}

/// A convolution whose windows read at fractional positions of their own (Dai
/// et al., https://arxiv.org/abs/1703.06211): samples, then a product of
/// matrices.
static LogicalResult importDeformConv(Node &node) {
  Expr x(node, node.in(0)), weight(node, node.in(1)), offsets(node, node.in(2));
  for (Expr e : {x, weight, offsets})
    if (e.rank() != 4 || llvm::any_of(Node::dims(e), ShapedType::isDynamic))
      return node.fail("needs rank 4 and known extents");
  int64_t batch = x.dim(0), channels = x.dim(1), outputs = weight.dim(0);
  int64_t height = offsets.dim(2), width = offsets.dim(3);
  SmallVector<int64_t> kernel{weight.dim(2), weight.dim(3)};
  auto given = node.integers("kernel_shape", kernel);
  auto pads = node.integers("pads", {0, 0, 0, 0});
  auto strides = node.integers("strides", {1, 1});
  auto dilations = node.integers("dilations", {1, 1});
  int64_t groups = node.integer("group", 1);
  int64_t offsetGroups = node.integer("offset_group", 1);
  int64_t taps = kernel[0] * kernel[1];
  if (ArrayRef(given) != ArrayRef(kernel) || pads.size() != 4 ||
      strides.size() != 2 || dilations.size() != 2 || groups < 1 ||
      offsetGroups < 1 || channels % offsetGroups || outputs % groups ||
      weight.dim(1) * groups != channels ||
      offsets.dim(1) != offsetGroups * taps * 2 || offsets.dim(0) != batch)
    return node.fail("the extents of its inputs do not fit its attributes");
  for (int64_t axis : {0, 1}) {
    int64_t room = x.dim(2 + axis) + pads[axis] + pads[2 + axis] -
                   (kernel[axis] - 1) * dilations[axis] - 1;
    if (strides[axis] < 1 || room < 0 ||
        room / strides[axis] + 1 != offsets.dim(2 + axis))
      return node.fail("the offsets have not the extents of the result");
  }
  GridRule rule{Outside::Zeros, true};
  SmallVector<SmallVector<Tap>> neighbours;
  for (Expr position : kernelPositions(node, offsets, offsetGroups, kernel,
                                       pads, strides, dilations))
    neighbours.push_back(tapsOf(node, position, "linear"));
  int64_t windows = height * width, part = channels / offsetGroups;
  Expr samples =
      sample(x.reshape({batch * offsetGroups, part, x.dim(2) * x.dim(3)})
                 .transpose({0, 2, 1}),
             extentsOf(x, 2), neighbours, rule);
  if (node.in(4))
    samples = samples * Expr(node, node.in(4))
                            .reshape({batch * offsetGroups, taps * windows, 1});
  // (n, offset group, tap, window, channel) to (n, group, channel * tap,
  // window).
  samples = samples.reshape({batch, offsetGroups, taps, windows, part})
                .transpose({0, 1, 4, 2, 3})
                .reshape({batch, groups, channels / groups * taps, windows});
  Expr filter =
      weight.reshape({groups, outputs / groups, channels / groups * taps});
  Expr result =
      matmul(filter, samples).reshape({batch, outputs, height, width});
  if (node.in(3))
    result = result + Expr(node, node.in(3)).reshape({outputs, 1, 1});
  return node.result(result);
}

void onnx::addSamplingOps(OpTable &table) {
  table.add("DeformConv", 19, {3, 5}, importDeformConv).alike({0, 1, 2, 3, 4});
  table.add("AffineGrid", 20, 2, importAffineGrid);
  table.add("GridSample", 16, 2, importGridSample).perPart();
}
