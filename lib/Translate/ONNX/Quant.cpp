//===- Quant.cpp - quantised operators ------------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Quant.h"
#include "Tensors.h"
#include "Window.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

Value onnx::perTensor(Node &node, Value parameter) {
  if (parameter && Node::rank(parameter) == 1 && Node::dims(parameter)[0] == 1)
    return node.reshape(parameter, {});
  return parameter;
}

/// Scale and zero point of one tensor, and the axis that they lie along.
static LogicalResult readParameters(Node &node, Value x, int64_t axis,
                                    Value &scale, Value &zero) {
  scale = perTensor(node, scale);
  zero = perTensor(node, zero);
  if (!scale || node.failed())
    return failure();
  if (Node::rank(scale) > 1 || (zero && Node::rank(zero) > 1))
    return node.fail("scale and zero point of several axes need the attribute "
                     "'block_size'");
  if (Node::rank(scale) == 1)
    (void)node.axis(axis, Node::rank(x));
  return failure(node.failed());
}

/// `axis` counted from 0; it does not matter for parameters of one element.
static Attr axisAttr(Node &node, Value x, Value scale, int64_t axis) {
  bool matters = scale && Node::rank(scale) == 1;
  return node.i64("axis", matters ? node.axis(axis, Node::rank(x)) : 0);
}

template <typename Op>
static Value convert(Node &node, Value x, Value scale, Value zero,
                     int64_t axis) {
  if (!x || failed(readParameters(node, x, axis, scale, zero)))
    return {};
  return node.emit<Op>({x, scale, zero}, axisAttr(node, x, scale, axis));
}
Value onnx::quantize(Node &node, Value x, Value scale, Value zero,
                     int64_t axis) {
  return convert<QuantizeOp>(node, x, scale, zero, axis);
}
Value onnx::dequantize(Node &node, Value x, Value scale, Value zero,
                       int64_t axis) {
  return convert<DequantizeOp>(node, x, scale, zero, axis);
}

/// The parameters of blocks along an axis, for each of its elements.
static Value repeatBlocks(Node &node, Value parameter, int64_t axis,
                          int64_t extent, int64_t block) {
  SmallVector<int64_t> owner;
  for (int64_t i = 0; i < extent; ++i)
    owner.push_back(i / block);
  return node.emit<GatherOp>({parameter, node.shape(owner)},
                             node.i64("axis", axis));
}

/// The same where each run of `block` elements along `axis` has parameters of
/// its own: the axis is split, or if blocks do not divide it, parameters are
/// repeated.
template <typename Op>
static Value convertBlocks(Node &node, Value x, Value scale, Value zero,
                           int64_t axis, int64_t block) {
  if (block == 0)
    return convert<Op>(node, x, scale, zero, axis);
  SmallVector<int64_t> dims(Node::dims(x)), split(dims);
  axis = node.axis(axis, dims.size());
  if (node.failed() || llvm::any_of(dims, ShapedType::isDynamic))
    return (void)node.fail("quantisation in blocks needs known extents"),
           Value();
  SmallVector<int64_t> blocks(dims);
  blocks[axis] = block > 0 ? llvm::divideCeil(dims[axis], block) : 0;
  for (Value parameter : {scale, zero})
    if (block < 0 || (parameter && Node::dims(parameter) != ArrayRef(blocks)))
      return (void)node.fail("scale and zero point must have the input's "
                             "shape, with one element for each block of " +
                             Twine(block) + " along axis " + Twine(axis)),
             Value();
  bool whole = dims[axis] % block == 0;
  for (Value *parameter : {&scale, &zero})
    if (*parameter)
      *parameter =
          whole ? node.unsqueeze(*parameter, axis + 1)
                : repeatBlocks(node, *parameter, axis, dims[axis], block);
  split[axis] = blocks[axis];
  split.insert(split.begin() + axis + 1, block);
  Value result = node.emit<Op>(
      {whole ? node.reshape(x, split) : x, scale, zero}, node.i64("axis", 0));
  return whole ? node.reshape(result, dims) : result;
}

/// x / scale + zero point, where what is too large becomes infinity or NaN.
static Value quantizeUnsaturated(Node &node, Value x, Value scale, Value zero,
                                 int64_t axis, int64_t block) {
  if (block != 0) {
    axis = node.axis(axis, Node::rank(x));
    int64_t extent = node.failed() ? 0 : Node::dims(x)[axis];
    for (Value *parameter : {&scale, &zero})
      *parameter = repeatBlocks(node, *parameter, axis, extent, block);
    if (!node.failed() && (ShapedType::isDynamic(extent) || block < 0 ||
                           Node::dims(scale) != Node::dims(x)))
      (void)node.fail("scale and zero point must have one element for each "
                      "block of " +
                      Twine(block) + " along axis " + Twine(axis));
  } else if (failed(readParameters(node, x, axis, scale, zero))) {
    return {};
  } else if (Node::rank(scale) == 1) {
    auto behind = llvm::to_vector(
        llvm::seq<int64_t>(1, Node::rank(x) - node.axis(axis, Node::rank(x))));
    scale = node.unsqueeze(scale, behind);
    if (Node::rank(zero) == 1)
      zero = node.unsqueeze(zero, behind);
  }
  Type type = Node::element(scale);
  Value scaled = node.emit<DivOp>({node.cast(x, type), scale});
  return node.emit<CastOp>(
      node.emit<AddOp>({scaled, node.cast(zero, type)}),
      {{"to", TypeAttr::get(Node::element(zero))}, node.unit("unsaturated")});
}

static LogicalResult importQuantizeLinear(Node &node) {
  node.ignore("precision");
  Value zero = node.in(2), scale = node.in(1);
  scale = node.cast(scale, Node::realType(Node::element(scale)));
  int64_t axis = node.integer("axis", 1), block = node.integer("block_size", 0);
  int64_t type = node.integer("output_dtype", 0);
  if (!zero) {
    std::string reason;
    Type element = elementTypeOf(type ? static_cast<int32_t>(type)
                                      : glow_onnx::TensorProto::UINT8,
                                 node.context(), reason);
    if (!element)
      return node.fail(reason);
    zero = node.scalar(element, 0);
    if (block != 0)
      zero = node.emit<ExpandOp>({zero, node.shapeOf(scale)});
  }
  bool saturate = node.flag("saturate", true);
  if (!saturate && isa<FloatType>(Node::element(zero)))
    return node.result(
        quantizeUnsaturated(node, node.in(0), scale, zero, axis, block));
  return node.result(
      convertBlocks<QuantizeOp>(node, node.in(0), scale, zero, axis, block));
}

static LogicalResult importDequantizeLinear(Node &node) {
  Value result = convertBlocks<DequantizeOp>(
      node, node.in(0), node.in(1), node.in(2), node.integer("axis", 1),
      node.integer("block_size", 0));
  int64_t type = node.integer("output_dtype", 0);
  if (!result || type == 0)
    return node.result(result);
  std::string reason;
  Type element =
      elementTypeOf(static_cast<int32_t>(type), node.context(), reason);
  if (!element)
    return node.fail("attribute 'output_dtype': " + reason);
  return node.result(node.cast(result, element));
}

Quantized onnx::quantizeByRange(Node &node, Value x) {
  auto axes = llvm::to_vector(llvm::seq(Node::rank(x)));
  Value nothing = node.scalarLike(x, 0);
  // The range always holds zero, so that zero is exact.
  Value high = node.emit<MaximumOp>(
      {node.reduce(ReduceKind::Max, x, axes, false), nothing});
  Value low = node.emit<MinimumOp>(
      {node.reduce(ReduceKind::Min, x, axes, false), nothing});
  Value scale = node.emit<DivOp>(
      {node.emit<SubOp>({high, low}), node.scalarLike(x, 255)});
  scale = node.emit<WhereOp>(
      {node.emit<EqualOp>({scale, nothing}), node.scalarLike(x, 1), scale});
  Value place =
      node.emit<RoundOp>(node.emit<DivOp>({node.emit<NegOp>(low), scale}));
  place = node.emit<ClampOp>({place, nothing, node.scalarLike(x, 255)});
  Value zero = node.cast(
      place, IntegerType::get(node.context(), 8, IntegerType::Unsigned));
  return {quantize(node, x, scale, zero, 0), scale, zero};
}

static LogicalResult importDynamicQuantizeLinear(Node &node) {
  Quantized q = quantizeByRange(node, node.in(0));
  if (failed(node.result(q.value)) || failed(node.result(q.scale, 1)))
    return failure();
  return node.result(q.zero, 2);
}

// -- Products of integers -----------------------------------------------------

Value onnx::centre(Node &node, Value x, Value zero, int64_t fromEnd) {
  Type i32 = IntegerType::get(node.context(), 32);
  x = node.cast(x, i32);
  if (!zero)
    return x;
  zero = node.cast(perTensor(node, zero), i32);
  if (zero && Node::rank(zero) == 1 && fromEnd > 0)
    zero = node.unsqueeze(zero,
                          llvm::to_vector(llvm::seq<int64_t>(1, fromEnd + 1)));
  return node.emit<SubOp>({x, zero});
}

static LogicalResult importMatMulInteger(Node &node) {
  // A's zero points are per row, B's per column.
  Value a = centre(node, node.in(0), node.in(2), 1);
  Value b = centre(node, node.in(1), node.in(3), 0);
  return node.result(node.emit<MatMulOp>({a, b}));
}

static LogicalResult importConvInteger(Node &node) {
  Value x = centre(node, node.in(0), node.in(2), 0);
  Value filter = centre(node, node.in(1), node.in(3),
                        std::max<int64_t>(Node::rank(node.in(1)) - 1, 0));
  if (!x || !filter)
    return failure();
  return node.result(buildConv(node, x, filter, Value()));
}

/// QLinear… operators are the float operator between dequantised operands; a
/// target with integer kernels fuses them back.
static LogicalResult importQLinearMatMul(Node &node) {
  auto last = [](Value v) { return std::max<int64_t>(Node::rank(v) - 1, 0); };
  int64_t rows = std::max<int64_t>(Node::rank(node.in(0)) - 2, 0);
  Value a = dequantize(node, node.in(0), node.in(1), node.in(2), rows);
  Value b =
      dequantize(node, node.in(3), node.in(4), node.in(5), last(node.in(3)));
  Value product = node.emit<MatMulOp>({a, b});
  return node.result(quantize(node, product, node.in(6), node.in(7), rows));
}

static LogicalResult importQLinearConv(Node &node) {
  Value x = dequantize(node, node.in(0), node.in(1), node.in(2), 1);
  Value filter = dequantize(node, node.in(3), node.in(4), node.in(5), 0);
  Value bias = node.in(8);
  if (bias) {
    Value scale = node.emit<MulOp>(
        {perTensor(node, node.in(1)), perTensor(node, node.in(4))});
    bias = dequantize(node, bias, scale, Value(), 0);
  }
  if (!x || !filter || node.failed())
    return failure();
  Value result = buildConv(node, x, filter, bias);
  return node.result(quantize(node, result, node.in(6), node.in(7), 1));
}

void onnx::addQuantOps(OpTable &table) {
  table.add("ConvInteger", 10, {2, 4}, importConvInteger);
  table.add("DequantizeLinear", 10, {2, 3}, importDequantizeLinear)
      .exports<DequantizeOp>({"axis"});
  table.add("DynamicQuantizeLinear", 11, 1, importDynamicQuantizeLinear);
  table.add("MatMulInteger", 10, {2, 4}, importMatMulInteger);
  table.add("QLinearConv", 10, {8, 9}, importQLinearConv);
  table.add("QLinearMatMul", 10, 8, importQLinearMatMul);
  table.add("QuantizeLinear", 10, {2, 3}, importQuantizeLinear)
      .exports<QuantizeOp>({"axis"});
}
