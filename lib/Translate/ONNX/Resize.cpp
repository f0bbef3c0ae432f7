//===- Resize.cpp - resampling, and moving depth to space -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "Moved.h"
#include "OpTable.h"
#include "ResizeWeights.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

// -- Resize and Upsample ------------------------------------------------------

/// The elements of a constant float vector, or nothing.
static std::optional<SmallVector<float>> constantFloats(Value value) {
  DenseElementsAttr elements;
  if (!value || !matchPattern(value, m_Constant(&elements)) ||
      !elements.getElementType().isF32())
    return std::nullopt;
  return llvm::to_vector(elements.getValues<float>());
}

static Value floats(Node &node, ArrayRef<float> values) {
  auto type = RankedTensorType::get({static_cast<int64_t>(values.size())},
                                    Float32Type::get(node.context()));
  return node.constant(DenseElementsAttr::get(type, values));
}

/// Spreads a list of some axes over all axes; the others get `otherwise`.
template <typename T>
static SmallVector<T> spread(ArrayRef<T> some, ArrayRef<int64_t> axes,
                             ArrayRef<T> otherwise) {
  SmallVector<T> all(otherwise);
  for (auto [axis, value] : llvm::zip(axes, some))
    all[axis] = value;
  return all;
}

/// Sizes and scales for a policy other than stretch: the same scale for all
/// axes, so that the image is not distorted. Sizes are rounded, scales not.
static LogicalResult keepAspect(Node &node, ArrayRef<int64_t> axes,
                                ArrayRef<int64_t> input,
                                SmallVectorImpl<int64_t> &sizes,
                                SmallVectorImpl<float> &scales) {
  StringRef policy = node.string("keep_aspect_ratio_policy", "stretch");
  if (policy == "stretch")
    return success();
  if (policy != "not_larger" && policy != "not_smaller")
    return node.fail("unknown keep_aspect_ratio_policy '" + policy + "'");
  float scale = 0;
  for (int64_t axis : axes) {
    float s = static_cast<float>(sizes[axis]) / input[axis];
    if (scale == 0 || (policy == "not_larger" ? s < scale : s > scale))
      scale = s;
  }
  for (int64_t axis : axes) {
    sizes[axis] = std::floor(scale * input[axis] + 0.5f);
    scales[axis] = scale;
  }
  return success();
}

/// The part of each axis in `axes` that is resampled, from the input 'roi'.
static LogicalResult readCrop(Node &node, MutableArrayRef<ResizeAxis> axes) {
  auto crop =
      constantFloats(node.cast(node.in(1), Float32Type::get(node.context())));
  if (!crop)
    node.noteMissing(node.in(1));
  if (!crop || crop->size() != 2 * axes.size())
    return node.fail("'roi' must be constant, a start and an end per axis");
  for (auto [i, axis] : llvm::enumerate(axes)) {
    axis.cropStart = (*crop)[i];
    axis.cropEnd = (*crop)[axes.size() + i];
  }
  return success();
}

/// Resampling by rules that the graph's op does not have.
static LogicalResult buildWeighted(Node &node, const Moved &moved,
                                   ArrayRef<int64_t> axes,
                                   ArrayRef<float> factors,
                                   ArrayRef<int64_t> extents, bool fromSizes,
                                   ResizeRule rule) {
  SmallVector<ResizeAxis> whole, used;
  for (int64_t axis : axes) {
    int64_t input = moved.numbers().dim(axis), output = extents[axis];
    double scale = fromSizes ? double(output) / double(input) : factors[axis];
    whole.push_back({axis, input, output, scale});
  }
  if (rule.coordinates == "tf_crop_and_resize" && failed(readCrop(node, whole)))
    return failure();
  for (const ResizeAxis &axis : whole) {
    bool crops = axis.cropStart != 0 || axis.cropEnd != 1;
    if (axis.input == axis.output && axis.scale == 1 && !crops)
      continue;
    if (axis.input < 1 || axis.output < 0 ||
        axis.input * axis.output > (1 << 28))
      return node.fail("axis " + Twine(axis.axis) +
                       " is empty, of unknown extent or too long");
    used.push_back(axis);
  }
  return node.result(
      moved.restore(resizeByWeights(node, moved.numbers(), used, rule)));
}

/// Tables hold the places that each element of an axis is made from.
static constexpr int64_t kMostExtent = 1 << 24;

/// An extent times a scale, rounded down, as an operand; null if the scale is
/// no fraction that integers express exactly.
static Value scaled(Node &node, Value extent, double scale) {
  constexpr int64_t kMostParts = 1 << 10, kMostScale = 1 << 20;
  int64_t parts = 1;
  while (parts < kMostParts && scale * parts != std::floor(scale * parts))
    parts *= 2;
  double times = scale * static_cast<double>(parts);
  if (!(times > 0) || times > kMostScale || times != std::floor(times))
    return {};
  Value product =
      node.emit<MulOp>({extent, node.shape({static_cast<int64_t>(times)})});
  return parts == 1 ? product
                    : node.emit<DivOp>({product, node.shape({parts})});
}

/// Sizes of some axes, as an operand for all.
static Value sizesOf(Node &node, Value x, Value sizes, ArrayRef<int64_t> axes) {
  sizes = node.asShape(sizes);
  SmallVector<Value> parts;
  for (int64_t axis = 0; axis < Node::rank(x); ++axis)
    parts.push_back(node.shapeOf(x, axis, axis + 1));
  for (auto [i, axis] : llvm::enumerate(axes))
    parts[axis] = node.emit<GatherOp>(
        {sizes, node.shape({static_cast<int64_t>(i)})}, node.i64("axis", 0));
  return node.emit<ConcatOp>(parts, node.i64("axis", 0));
}

namespace {
/// What becomes of the axes of an input.
struct NewExtents {
  /// 0 is the ratio of the extents, whatever it is.
  SmallVector<float> factors;
  /// Dynamic where `open` tells them when the model runs.
  SmallVector<int64_t> extents;
  Value open;
};
} // namespace

static LogicalResult readSizes(Node &node, Value x, Value sizes,
                               ArrayRef<int64_t> axes, bool isWeighted,
                               NewExtents &result) {
  ArrayRef<int64_t> input = Node::dims(x);
  bool isOpen = llvm::any_of(
      axes, [&](int64_t axis) { return ShapedType::isDynamic(input[axis]); });
  auto given = constantInts(sizes);
  SmallVector<int64_t> count(Node::dims(sizes));
  if (given)
    count.assign(1, given->size());
  if (count != ArrayRef(static_cast<int64_t>(axes.size())))
    return node.fail("needs a list of sizes, one per axis");
  bool stretches =
      node.string("keep_aspect_ratio_policy", "stretch") == "stretch";
  if ((isOpen || !given) && (isWeighted || !stretches)) {
    node.noteMissing(given ? Value() : sizes);
    return node.fail("with 'antialias', a cropping transformation or a "
                     "'keep_aspect_ratio_policy' needs known extents and "
                     "sizes; fix them");
  }
  auto isOutside = [](int64_t size) { return size < 0 || size > kMostExtent; };
  if (given && llvm::any_of(*given, isOutside))
    return node.fail("a size is negative or too large");
  if (given)
    result.extents = spread<int64_t>(*given, axes, input);
  for (int64_t axis : axes)
    result.factors[axis] = !given || ShapedType::isDynamic(input[axis]) ? 0
                           : input[axis]
                               ? static_cast<float>(result.extents[axis]) /
                                     static_cast<float>(input[axis])
                               : 1;
  if (!stretches &&
      failed(keepAspect(node, axes, input, result.extents, result.factors)))
    return failure();
  if (given && llvm::none_of(result.extents, ShapedType::isDynamic))
    return success();
  if (given) {
    // As the policy has left them.
    for (auto [size, axis] : llvm::zip_equal(*given, axes))
      size = result.extents[axis];
    sizes = node.shape(*given);
  }
  result.open = sizesOf(node, x, sizes, axes);
  return success();
}

static LogicalResult readScales(Node &node, Value x, Value scales,
                                ArrayRef<int64_t> axes, bool isWeighted,
                                NewExtents &result) {
  node.ignore("keep_aspect_ratio_policy");
  auto given = constantFloats(scales);
  if (!given)
    node.noteMissing(scales);
  if (!given || given->size() != axes.size())
    return node.fail("scales must be constant, one per axis");
  result.factors = spread<float>(*given, axes, result.factors);
  ArrayRef<int64_t> input = Node::dims(x);
  SmallVector<Value> parts;
  for (auto [i, factor] : llvm::enumerate(result.factors)) {
    auto axis = static_cast<int64_t>(i);
    if (ShapedType::isDynamic(input[i])) {
      Value extent = node.shapeOf(x, axis, axis + 1);
      if (factor != 1)
        extent = isWeighted ? Value() : scaled(node, extent, factor);
      if (!extent)
        return node.fail("cannot scale an extent that is not known in this "
                         "way, or by this factor; fix the extent");
      parts.push_back(extent);
      continue;
    }
    double extent = std::floor(static_cast<double>(input[i]) * factor);
    if (!(factor > 0) || extent > kMostExtent)
      return node.fail("scales must be positive and not too large");
    result.extents[i] = static_cast<int64_t>(extent);
    parts.push_back(node.shape({result.extents[i]}));
  }
  if (llvm::any_of(input, ShapedType::isDynamic))
    result.open = node.emit<ConcatOp>(parts, node.i64("axis", 0));
  return success();
}

static LogicalResult buildResize(Node &node, Value scales, Value sizes,
                                 StringRef coordinates, StringRef nearest) {
  Moved moved(node, node.in(0));
  Value x = moved.numbers();
  if (node.failed())
    return failure();
  int64_t rank = Node::rank(x);
  auto axes =
      node.axesInOrder(node.has("axes") ? node.integers("axes")
                                        : llvm::to_vector(llvm::seq(rank)),
                       rank);
  bool excludes = node.flag("exclude_outside"),
       antialias = node.flag("antialias");
  // By rules that the graph's op does not have.
  bool isWeighted =
      excludes || antialias || coordinates == "tf_crop_and_resize";
  NewExtents now{SmallVector<float>(rank, 1),
                 SmallVector<int64_t>(Node::dims(x)), Value()};
  if (node.failed() ||
      failed(sizes ? readSizes(node, x, sizes, axes, isWeighted, now)
                   : readScales(node, x, scales, axes, isWeighted, now)))
    return failure();
  for (auto [from, to] : llvm::zip_equal(Node::dims(x), now.extents))
    if (from != to && (to < 0 || to > kMostExtent))
      return node.fail("an extent of " + Twine(to) +
                       " is negative or too large");
  StringRef mode = node.string("mode", "nearest");
  double cubic = node.real("cubic_coeff_a", -0.75);
  double extrapolation = node.real("extrapolation_value", 0);
  if (moved.isByPlace() && mode != "nearest")
    return node.fail("there is nothing between strings; mode 'nearest' takes "
                     "one of them");
  if (isWeighted)
    return buildWeighted(
        node, moved, axes, now.factors, now.extents,
        sizes &&
            node.string("keep_aspect_ratio_policy", "stretch") == "stretch",
        {mode, coordinates, nearest, cubic,
         moved.isByPlace() ? 0 : extrapolation, antialias, excludes});
  Type type = Node::element(x);
  if (mode != "nearest")
    x = node.cast(x, Node::realType(type));
  x = node.emit<ResizeOp>(
      {x, floats(node, now.factors),
       now.open ? now.open : node.shape(now.extents)},
      {node.str("mode", mode), node.str("coordinate_mode", coordinates),
       node.str("nearest_mode", nearest), node.f64("cubic_coeff", cubic)});
  return node.result(moved.restore(roundTo(node, x, type)));
}

static LogicalResult importResize(Node &node) {
  if (node.opset() < 11)
    return buildResize(node, node.in(1), Value(), "asymmetric", "floor");
  StringRef coordinates =
      node.string("coordinate_transformation_mode", "half_pixel");
  // An empty list of scales stands for none where sizes are given.
  Value sizes = node.in(3);
  return buildResize(node, node.in(2), sizes, coordinates,
                     node.string("nearest_mode", "round_prefer_floor"));
}

static LogicalResult exportResize(ResizeOp op, NodeWriter &n) {
  return n.type("Resize")
      .input(op.getInput())
      .input({})
      .input({})
      .input(op.getSizes())
      .attr("mode", op.getMode())
      .attr("coordinate_transformation_mode", op.getCoordinateMode())
      .attr("nearest_mode", op.getNearestMode())
      .attr("cubic_coeff_a", op.getCubicCoeff().convertToDouble())
      .done();
}

static LogicalResult importUpsample(Node &node) {
  Value scales = node.in(1);
  if (node.opset() < 9) {
    SmallVector<float> values;
    for (double scale : node.reals("scales"))
      values.push_back(static_cast<float>(scale));
    scales = floats(node, values);
  }
  return buildResize(node, scales, Value(), "asymmetric", "floor");
}

/// The first version: images, with a factor for each side.
static LogicalResult importFirstUpsample(Node &node) {
  if (Node::rank(node.in(0)) != 4)
    return node.fail("needs 4 axes");
  float factors[] = {1, 1, static_cast<float>(node.real("height_scale", 0)),
                     static_cast<float>(node.real("width_scale", 0))};
  return buildResize(node, floats(node, factors), Value(), "asymmetric",
                     "floor");
}

// -- DepthToSpace and SpaceToDepth --------------------------------------------

/// The channels of an image tensor, and the block size, checked.
static LogicalResult readImage(Node &node, int64_t &channels, int64_t &block) {
  block = node.integer("blocksize", 0);
  auto dims = Node::dims(node.in(0));
  if (dims.size() != 4 || block < 1 || block > INT16_MAX)
    return node.fail("needs 4 axes and a positive block size");
  if (ShapedType::isDynamic(dims[1]) || dims[1] > INT32_MAX)
    return node.fail("the channels must be known, and not too many");
  channels = dims[1];
  return success();
}

/// Reshapes to extents that may not be known.
static Value reshapeTo(Node &node, Value x, ArrayRef<Value> extents) {
  return node.emit<ReshapeOp>(
      {x, node.emit<ConcatOp>(extents, node.i64("axis", 0))},
      node.unit("allow_zero"));
}

static LogicalResult importDepthToSpace(Node &node) {
  int64_t c, b;
  if (failed(readImage(node, c, b)))
    return failure();
  StringRef mode = node.string("mode", "DCR");
  if (mode != "DCR" && mode != "CRD")
    return node.fail("unknown mode '" + mode + "'");
  if (c % (b * b))
    return node.fail("the block size does not divide the channels");
  Value x = node.in(0), n = node.shapeOf(x, 0, 1),
        depth = node.shape(c / (b * b)), h = node.shapeOf(x, 2, 3),
        w = node.shapeOf(x, 3, 4);
  Value block = node.shape(b);
  if (mode == "DCR")
    x = node.transpose(reshapeTo(node, x, {n, block, block, depth, h, w}),
                       {0, 3, 4, 1, 5, 2});
  else
    x = node.transpose(reshapeTo(node, x, {n, depth, block, block, h, w}),
                       {0, 1, 4, 2, 5, 3});
  return node.result(reshapeTo(
      node, x,
      {n, depth, node.emit<MulOp>({h, block}), node.emit<MulOp>({w, block})}));
}

static LogicalResult importSpaceToDepth(Node &node) {
  int64_t c, b;
  if (failed(readImage(node, c, b)))
    return failure();
  StringRef mode = node.string("mode", "DCR"); // since version 28
  if (mode != "DCR" && mode != "CRD")
    return node.fail("unknown mode '" + mode + "'");
  auto isUneven = [&](int64_t extent) {
    return !ShapedType::isDynamic(extent) && extent % b != 0;
  };
  if (llvm::any_of(Node::dims(node.in(0)).drop_front(2), isUneven))
    return node.fail("the block size does not divide the spatial extents");
  Value block = node.shape(b);
  auto blocks = [&](int64_t axis) {
    return node.emit<DivOp>({node.shapeOf(node.in(0), axis, axis + 1), block});
  };
  Value n = node.shapeOf(node.in(0), 0, 1), h = blocks(2), w = blocks(3);
  Value x = reshapeTo(node, node.in(0), {n, node.shape(c), h, block, w, block});
  x = mode == "DCR" ? node.transpose(x, {0, 3, 5, 1, 2, 4})
                    : node.transpose(x, {0, 1, 3, 5, 2, 4});
  return node.result(reshapeTo(node, x, {n, node.shape(c * b * b), h, w}));
}

void onnx::addResizeOps(OpTable &table) {
  table.add("DepthToSpace", 1, 1, importDepthToSpace);
  table.add("Resize", 10, {1, 4}, importResize).perPart().exports(exportResize);
  table.add("SpaceToDepth", 1, 1, importSpaceToDepth);
  table.add("Upsample", 1, 1, importFirstUpsample).until(6).perPart();
  table.add("Upsample", 7, {1, 2}, importUpsample).perPart();
}
