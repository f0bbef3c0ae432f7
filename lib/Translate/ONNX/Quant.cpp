//===- Quant.cpp - quantised operators ------------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tensors.h"
#include "Window.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// A parameter of one element as rank 0, so that it holds for the whole tensor.
static Value perTensor(Node &node, Value parameter) {
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
    return node.fail("quantisation in blocks is not supported");
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
static constexpr auto quantize = convert<QuantizeOp>;
static constexpr auto dequantize = convert<DequantizeOp>;

static LogicalResult importQuantizeLinear(Node &node) {
  node.ignore("saturate");
  node.ignore("precision");
  if (node.integer("block_size", 0) != 0)
    return node.fail("quantisation in blocks is not supported");
  Value zero = node.in(2);
  int64_t type = node.integer("output_dtype", 0);
  if (!zero) {
    std::string reason;
    Type element = elementTypeOf(type ? static_cast<int32_t>(type)
                                      : glow_onnx::TensorProto::UINT8,
                                 node.context(), reason);
    if (!element)
      return node.fail(reason);
    zero = node.scalar(element, 0);
  }
  return node.result(
      quantize(node, node.in(0), node.in(1), zero, node.integer("axis", 1)));
}

static LogicalResult importDequantizeLinear(Node &node) {
  node.ignore("output_dtype");
  if (node.integer("block_size", 0) != 0)
    return node.fail("quantisation in blocks is not supported");
  return node.result(dequantize(node, node.in(0), node.in(1), node.in(2),
                                node.integer("axis", 1)));
}

static LogicalResult importDynamicQuantizeLinear(Node &node) {
  Value x = node.in(0);
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
  if (failed(node.result(quantize(node, x, scale, zero, 0))) ||
      failed(node.result(scale, 1)))
    return failure();
  return node.result(zero, 2);
}

// -- Products of integers
// ----------------------------------------------------------

/// x - zero point in 32-bit integers. A zero point of one axis lies along axis
/// `axis` from the end.
static Value centre(Node &node, Value x, Value zero, int64_t fromEnd) {
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
