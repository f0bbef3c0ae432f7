//===- Norm.cpp - normalisation and softmax -------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "Expr.h"
#include "OpTable.h"
#include "Tensors.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

// -- Batch, instance, group, layer --------------------------------------------

/// The number of channels, or nothing with a failure noted.
static std::optional<int64_t> channelsOf(Node &node, Value x) {
  if (Node::rank(x) < 2 || ShapedType::isDynamic(Node::dims(x)[1]) ||
      Node::dims(x)[1] < 1) {
    (void)node.fail("the number of channels (axis 1) must be known");
    return std::nullopt;
  }
  return Node::dims(x)[1];
}

/// With the statistics of this batch; the running ones move towards them.
static LogicalResult trainBatchNormalization(Node &node) {
  Expr x(node, node.in(0));
  double momentum = node.real("momentum", 0.9);
  SmallVector<int64_t> axes{0}, behind;
  for (int64_t axis = 2; axis < x.rank(); ++axis) {
    axes.push_back(axis);
    behind.push_back(axis - 1);
  }
  // Statistics may be more precise than the input.
  Expr wide = x.cast(Node::element(node.in(3)));
  Expr mean = wide.reduce(ReduceKind::Mean, axes);
  Expr centred = wide - mean.unsqueeze(behind);
  Expr variance = (centred * centred).reduce(ReduceKind::Mean, axes);
  const Expr statistics[] = {mean, variance};
  for (unsigned i : {1, 2})
    if (node.wantsOutput(i) &&
        failed(node.result(Expr(node, node.in(2 + i)) * momentum +
                               statistics[i - 1] * (1 - momentum),
                           i)))
      return failure();
  // Before version 14 the batch's own statistics were results too.
  for (unsigned i : {3, 4})
    if (node.wantsOutput(i) && failed(node.result(statistics[i - 3], i)))
      return failure();
  Expr deviation = sqrt(variance + node.real("epsilon", 1e-5));
  Expr result = centred / deviation.unsqueeze(behind);
  auto parameter = [&](unsigned i) {
    return Expr(node, node.in(i)).cast(wide.element()).unsqueeze(behind);
  };
  return node.result((result * parameter(1) + parameter(2)).cast(x.element()));
}

static LogicalResult importBatchNormalization(Node &node) {
  for (StringRef name : {"momentum", "consumed_inputs", "is_test"})
    node.ignore(name);
  if (!node.flag("spatial", true))
    return node.fail("statistics per position (spatial = 0) are not supported");
  bool trains = node.flag("training_mode");
  for (unsigned i = 1; i < node.numOutputs(); ++i)
    trains |= node.wantsOutput(i) && node.opset() >= 9;
  if (trains && channelsOf(node, node.in(0)))
    return trainBatchNormalization(node);
  return node.result(node.emit<BatchNormOp>(
      node.inputs(), node.f64("epsilon", node.real("epsilon", 1e-5))));
}

static LogicalResult importInstanceNormalization(Node &node) {
  node.ignore("consumed_inputs");
  auto channels = channelsOf(node, node.in(0));
  if (!channels)
    return failure();
  return node.result(node.emit<GroupNormOp>(
      node.inputs(), {node.i64("groups", *channels),
                      node.f64("epsilon", node.real("epsilon", 1e-5))}));
}

/// Before version 21 there was one scale per group; now there is one per
/// channel.
static Value perChannel(Node &node, Value parameter, int64_t groups,
                        int64_t channels) {
  if (node.opset() >= 21)
    return parameter;
  Value column = node.reshape(parameter, {groups, 1});
  Value table =
      node.emit<ExpandOp>({column, node.shape({groups, channels / groups})});
  return node.reshape(table, {channels});
}

static LogicalResult importGroupNormalization(Node &node) {
  node.ignore("stash_type");
  int64_t groups = node.integer("num_groups", 0);
  auto channels = channelsOf(node, node.in(0));
  if (!channels)
    return failure();
  if (groups < 1 || *channels % groups != 0)
    return node.fail("num_groups = " + Twine(groups) + " does not divide " +
                     Twine(*channels) + " channels");
  Value scale = perChannel(node, node.in(1), groups, *channels);
  Value bias = perChannel(node, node.in(2), groups, *channels);
  return node.result(node.emit<GroupNormOp>(
      {node.in(0), scale, bias},
      {node.i64("groups", groups),
       node.f64("epsilon", node.real("epsilon", 1e-5))}));
}

/// The statistics of LayerNormalization, which are outputs too, though hardly
/// ever used. They have a type of their own.
static LogicalResult layerStatistics(Node &node, Expr x, int64_t axis,
                                     double epsilon) {
  std::string reason;
  Type type = elementTypeOf(static_cast<int32_t>(node.integer("stash_type", 1)),
                            node.context(), reason);
  if (!isa_and_present<FloatType>(type))
    return node.fail("stash_type must name a floating-point type");
  auto axes = llvm::to_vector(llvm::seq(axis, x.rank()));
  if (!x.element().isF64())
    x = x.cast(Float32Type::get(node.context()));
  Expr mean = x.reduce(ReduceKind::Mean, axes, true), centred = x - mean;
  Expr variance = (centred * centred).reduce(ReduceKind::Mean, axes, true);
  Expr inverse = (variance + epsilon).emit<RsqrtOp>();
  if (failed(node.result(mean.cast(type), 1)))
    return failure();
  return node.result(inverse.cast(type), 2);
}

/// LayerNormalization and RMSNormalization. The result has the type of the
/// scale, which need not be that of the input.
static LogicalResult importLayerNormalization(Node &node) {
  node.ignore("stash_type");
  Expr x(node, node.in(0)), scale(node, node.in(1));
  bool rms = node.type() != "LayerNormalization";
  int64_t axis = node.axis(node.integer("axis", -1), x.rank());
  double epsilon = node.real("epsilon", 1e-5);
  if (!rms && (node.wantsOutput(1) || node.wantsOutput(2)) &&
      failed(layerStatistics(node, x, axis, epsilon)))
    return failure();
  Type type = scale.element();
  if (x.element() != type && !x.element().isF64())
    x = x.cast(type.isF64() ? type : Float32Type::get(node.context()));
  Value result = node.emit<LayerNormOp>({x, scale, node.in(2)},
                                        {node.i64("axis", axis),
                                         node.f64("epsilon", epsilon),
                                         node.unit("rms", rms)});
  return node.result(node.cast(result, type));
}

static LogicalResult exportLayerNorm(LayerNormOp op, NodeWriter &n) {
  if (op.getRms())
    n.type("RMSNormalization").needs(23);
  else
    n.type("LayerNormalization");
  return n.inputs(op->getOperands())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .attr("epsilon", op.getEpsilon().convertToDouble())
      .done();
}

// -- Composed of smaller ops --------------------------------------------------

/// In the type of the input.
static LogicalResult resultLike(Node &node, Value result) {
  return node.result(node.cast(result, Node::element(node.in(0))));
}

/// x / (bias + alpha · mean of x² over neighbouring channels)^beta, where
/// channels outside count as zeros. The mean is a pool along the channels.
static LogicalResult importLRN(Node &node) {
  Value x = node.widenHalves(node.in(0));
  int64_t size = node.integer("size", 0);
  auto channels = channelsOf(node, x);
  if (!channels)
    return failure();
  if (size < 1 || size > INT32_MAX)
    return node.fail("attribute 'size' must be positive");
  Value squares = node.emit<MulOp>({x, x});
  // 0 copies the batch, -1 takes all spatial axes together; elements of open
  // ones would have to be moved.
  ArrayRef<int64_t> spatial = Node::dims(x).drop_front(2);
  bool isOpen = llvm::any_of(spatial, ShapedType::isDynamic);
  Value plane = isOpen ? node.unsqueeze(squares, 1)
                       : node.reshape(squares, {0, 1, *channels, -1});
  size_t rank = Node::rank(plane) - 2;
  SmallVector<int64_t> kernel(rank, 1), ones(rank, 1), pads(2 * rank, 0);
  kernel[0] = size;
  pads[0] = (size - 1) / 2;
  pads[rank] = size - 1 - pads[0];
  Value mean = node.emit<PoolOp>(
      plane, {{"kind", PoolKindAttr::get(node.context(), PoolKind::Average)},
              node.i64s("kernel_shape", kernel),
              node.i64s("strides", ones),
              node.i64s("pads", pads),
              node.i64s("dilations", ones),
              node.unit("count_include_pad")});
  mean = isOpen ? node.squeeze(mean, 1) : node.reshapeLike(mean, x);
  Value scaled =
      node.emit<MulOp>({mean, node.scalarLike(x, node.real("alpha", 1e-4))});
  Value base =
      node.emit<AddOp>({scaled, node.scalarLike(x, node.real("bias", 1))});
  Value divisor =
      node.emit<PowOp>({base, node.scalarLike(x, node.real("beta", 0.75))});
  return resultLike(node, node.emit<DivOp>({x, divisor}));
}

static LogicalResult importLpNormalization(Node &node) {
  Value x = node.widenHalves(node.in(0));
  int64_t axis = node.axis(node.integer("axis", -1), Node::rank(x));
  int64_t p = node.integer("p", 2);
  if (p != 1 && p != 2)
    return node.fail("attribute 'p' must be 1 or 2");
  Value powers = p == 1 ? node.emit<AbsOp>(x) : node.emit<MulOp>({x, x});
  Value norm = node.reduce(ReduceKind::Sum, powers, axis, true);
  if (p == 2)
    norm = node.emit<SqrtOp>(norm);
  // Where all is zero the result is zero too.
  Value zero = node.scalarLike(x, 0);
  norm = node.emit<WhereOp>(
      {node.emit<EqualOp>({norm, zero}), node.scalarLike(x, 1), norm});
  return resultLike(node, node.emit<DivOp>({x, norm}));
}

static LogicalResult importMeanVarianceNormalization(Node &node) {
  Value x = node.widenHalves(node.in(0));
  auto axes = node.axes(node.integers("axes", {0, 2, 3}), Node::rank(x));
  Value centred =
      node.emit<SubOp>({x, node.reduce(ReduceKind::Mean, x, axes, true)});
  Value variance = node.reduce(
      ReduceKind::Mean, node.emit<MulOp>({centred, centred}), axes, true);
  Value deviation =
      node.emit<AddOp>({node.emit<SqrtOp>(variance), node.scalarLike(x, 1e-9)});
  return resultLike(node, node.emit<DivOp>({centred, deviation}));
}

// -- Softmax ------------------------------------------------------------------

/// One of Softmax, LogSoftmax and Hardmax along one axis.
static Value softmaxAlong(Node &node, Value x, int64_t axis) {
  if (node.type() != "Hardmax")
    return node.emit<SoftmaxOp>(
        x, {node.i64("axis", axis),
            node.unit("log", node.type() == "LogSoftmax")});
  if (node.failed())
    return {};
  Value place = node.emit<ArgReduceOp>(
      x, {{"kind", ReduceKindAttr::get(node.context(), ReduceKind::Max)},
          node.i64("axis", axis)});
  Value pair = node.emit<ConcatOp>({node.reshape(node.scalarLike(x, 0), {1}),
                                    node.reshape(node.scalarLike(x, 1), {1})},
                                   node.i64("axis", 0));
  return node.emit<OneHotOp>({place, node.shapeOf(x, axis, axis + 1), pair},
                             node.i64("axis", axis));
}

static LogicalResult importSoftmax(Node &node) {
  Value x = node.in(0);
  int64_t axis = node.axis(node.integer("axis", -1), Node::rank(x));
  return node.result(softmaxAlong(node, x, axis));
}

static LogicalResult exportSoftmax(SoftmaxOp op, NodeWriter &n) {
  return n.type(op.getLog() ? "LogSoftmax" : "Softmax")
      .input(op.getInput())
      .attr("axis", static_cast<int64_t>(op.getAxis()))
      .done();
}

/// Before version 13 all axes from `axis` on were taken together.
static LogicalResult importLegacySoftmax(Node &node) {
  Value x = node.in(0);
  int64_t rank = Node::rank(x);
  int64_t axis = node.axis(node.integer("axis", 1), rank);
  if (node.failed())
    return failure();
  auto behind = Node::dims(x).drop_front(axis + 1);
  if (llvm::all_of(behind, [](int64_t extent) { return extent == 1; }))
    return node.result(softmaxAlong(node, x, axis));
  Value matrix = node.emit<FlattenOp>(x, node.i64("axis", axis));
  return node.result(node.reshapeLike(softmaxAlong(node, matrix, 1), x));
}

void onnx::addNormOps(OpTable &table) {
  table.add("BatchNormalization", 1, 5, importBatchNormalization)
      .exports<BatchNormOp>({"epsilon"});
  table.add("GroupNormalization", 18, 3, importGroupNormalization)
      .alike({0, 1, 2})
      .exports<GroupNormOp>({{"num_groups", "groups"}, "epsilon"});
  table.add("Hardmax", 1, 1, importLegacySoftmax).until(12);
  table.add("Hardmax", 13, 1, importSoftmax);
  table.add("InstanceNormalization", 1, 3, importInstanceNormalization)
      .alike({0, 1, 2});
  table.add("LayerNormalization", 1, {2, 3}, importLayerNormalization)
      .exports(exportLayerNorm);
  table.add("LogSoftmax", 1, 1, importLegacySoftmax).until(12);
  table.add("LogSoftmax", 13, 1, importSoftmax);
  table.add("LpNormalization", 1, 1, importLpNormalization);
  table.add("LRN", 1, 1, importLRN);
  table.add("MeanVarianceNormalization", 9, 1, importMeanVarianceNormalization);
  table.add("RMSNormalization", 23, 2, importLayerNormalization);
  // ONNX Runtime's own, although it has no domain.
  table.add("SimplifiedLayerNormalization", 1, 2, importLayerNormalization);
  table.add("Softmax", 1, 1, importLegacySoftmax).until(12);
  table.add("Softmax", 13, 1, importSoftmax).exports(exportSoftmax);
}
