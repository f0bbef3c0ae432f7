//===- RuntimeQuant.cpp - quantised operators of ONNX Runtime -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Operators of the domain com.microsoft, which its quantiser writes. Those of
// single elements are the float operator between dequantised operands; products
// are made of integers.
//
//===----------------------------------------------------------------------===//
#include "Expr.h"
#include "OpTable.h"
#include "Quant.h"
#include "Window.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

/// Three inputs from `first` on: a tensor, its scale and its zero point.
static Expr readFloats(Node &node, unsigned first) {
  return {node, dequantize(node, node.in(first), node.in(first + 1),
                           node.in(first + 2), 0)};
}

/// `x` with the scale and zero point that are inputs from `first` on; without a
/// zero point in the type of `like` around 0.
static LogicalResult writeQuantized(Node &node, Expr x, unsigned first,
                                    Value like) {
  Value zero = node.in(first + 1);
  if (!zero)
    zero = node.scalarLike(like, 0);
  return node.result(quantize(node, x, node.in(first), zero, 0));
}

/// QLinearAdd and QLinearMul.
static LogicalResult importBinary(Node &node) {
  Expr a = readFloats(node, 0), b = readFloats(node, 3);
  return writeQuantized(node, node.type() == "QLinearAdd" ? a + b : a * b, 6,
                        node.in(0));
}

static LogicalResult importUnary(Node &node) {
  Expr x = readFloats(node, 0);
  x = node.type() == "QLinearSigmoid"
          ? x.emit<SigmoidOp>()
          : x.emit<LeakyReluOp>({},
                                node.f64("alpha", node.real("alpha", 0.01)));
  return writeQuantized(node, x, 3, node.in(0));
}

/// The inputs are the result's parameters, then triples.
static LogicalResult importConcat(Node &node) {
  if (node.numInputs() < 5 || (node.numInputs() - 2) % 3 != 0)
    return node.fail("needs a scale and a zero point for each tensor");
  SmallVector<Expr> parts;
  for (unsigned i = 2; i < node.numInputs(); i += 3)
    parts.push_back(readFloats(node, i));
  int64_t axis = node.axis(node.integer("axis", 0), parts[0].rank());
  return writeQuantized(node, concat(parts, axis), 0, node.in(2));
}

static LogicalResult importGlobalAveragePool(Node &node) {
  Expr x = readFloats(node, 0);
  bool last = node.flag("channels_last");
  if (x.rank() < 3)
    return node.fail("needs batch, channels and spatial axes");
  auto axes = llvm::to_vector(
      llvm::seq<int64_t>(last ? 1 : 2, x.rank() - (last ? 1 : 0)));
  return writeQuantized(node, x.reduce(ReduceKind::Mean, axes, /*keep=*/true),
                        3, node.in(0));
}

static LogicalResult importAveragePool(Node &node) {
  Expr x = readFloats(node, 0);
  if (x.rank() < 3)
    return node.fail("needs batch, channels and spatial axes");
  // Channels behind the spatial axes, and the way back.
  auto spatial = llvm::seq<int64_t>(1, x.rank() - 1);
  SmallVector<int64_t> first{0, x.rank() - 1}, last{0};
  llvm::append_range(first, spatial);
  for (int64_t axis : spatial)
    last.push_back(axis + 1);
  last.push_back(1);
  bool isLast = node.flag("channels_last");
  Expr pooled(node, buildAveragePool(node, isLast ? x.transpose(first) : x));
  return writeQuantized(node, isLast ? pooled.transpose(last) : pooled, 3,
                        node.in(0));
}

/// Before operator set 13 all axes from `axis` on count as one.
static LogicalResult importSoftmax(Node &node) {
  Expr x = readFloats(node, 0);
  int64_t axis = node.axis(node.integer("axis", -1), x.rank());
  if (node.integer("opset", 13) >= 13)
    return writeQuantized(node, x.softmax(axis), 3, node.in(0));
  auto dims = Node::dims(x);
  if (node.failed() || llvm::any_of(dims, ShapedType::isDynamic))
    return node.fail("its extents must be known");
  int64_t rows = 1, columns = 1;
  for (auto [i, extent] : llvm::enumerate(dims))
    (static_cast<int64_t>(i) < axis ? rows : columns) *= extent;
  Expr flat = x.reshape({rows, columns}).softmax(1).reshape(dims);
  return writeQuantized(node, flat, 3, node.in(0));
}

static LogicalResult importWhere(Node &node) {
  Expr condition(node, node.in(0));
  Expr chosen = where(condition, readFloats(node, 1), readFloats(node, 4));
  return writeQuantized(node, chosen, 7, node.in(1));
}

// -- Products of integers -----------------------------------------------------

/// The product of integers A and B as floats: times both scales, plus a bias.
static Expr scaledProduct(Node &node, Expr a, Expr b, Value aScale,
                          Value bScale, Value bias) {
  Expr sum = matmul(a, b);
  Expr scales =
      Expr(node, perTensor(node, aScale)) * Expr(node, perTensor(node, bScale));
  Expr result = sum.cast(scales.element()) * scales;
  return bias ? result + Expr(node, bias) : result;
}

static LogicalResult importMatMulIntegerToFloat(Node &node) {
  Expr a(node, centre(node, node.in(0), node.in(4), 1));
  Expr b(node, centre(node, node.in(1), node.in(5), 0));
  return node.result(
      scaledProduct(node, a, b, node.in(2), node.in(3), node.in(6)));
}

/// A is quantised by its range first.
static LogicalResult importDynamicQuantizeMatMul(Node &node) {
  Quantized q = quantizeByRange(node, node.in(0));
  Expr a(node, centre(node, q.value, q.zero, 1));
  Expr b(node, centre(node, node.in(1), node.in(3), 0));
  return node.result(
      scaledProduct(node, a, b, q.scale, node.in(2), node.in(4)));
}

/// alpha A' B' + C, where C holds integers of the product's scale; floats if
/// the result has no scale.
static LogicalResult importQGemm(Node &node) {
  bool transA = node.flag("transA"), transB = node.flag("transB");
  double alpha = node.real("alpha", 1);
  Expr a(node, centre(node, node.in(0), node.in(2), 0));
  // Parameters of B are per column of B'.
  Expr b(node, centre(node, node.in(3), node.in(5), transB ? 1 : 0));
  Expr sum = matmul(transA ? a.transpose({1, 0}) : a,
                    transB ? b.transpose({1, 0}) : b);
  if (node.in(6))
    sum = sum + Expr(node, node.in(6));
  Expr scales = Expr(node, perTensor(node, node.in(1))) *
                Expr(node, perTensor(node, node.in(4)));
  Expr result = sum.cast(scales.element()) * scales * alpha;
  if (!node.in(7))
    return node.result(result);
  return writeQuantized(node, result, 7, node.in(0));
}

void onnx::addRuntimeQuantOps(OpTable &table) {
  table.add("com.microsoft::DynamicQuantizeMatMul", 1, {3, 5},
            importDynamicQuantizeMatMul);
  table.add("com.microsoft::MatMulIntegerToFloat", 1, {4, 7},
            importMatMulIntegerToFloat);
  table.add("com.microsoft::QGemm", 1, {6, 9}, importQGemm);
  table.add("com.microsoft::QLinearAdd", 1, {7, 8}, importBinary);
  table.add("com.microsoft::QLinearAveragePool", 1, {4, 5}, importAveragePool);
  table.add("com.microsoft::QLinearConcat", 1, {5, kAny}, importConcat);
  table.add("com.microsoft::QLinearGlobalAveragePool", 1, 5,
            importGlobalAveragePool);
  table.add("com.microsoft::QLinearLeakyRelu", 1, {4, 5}, importUnary);
  table.add("com.microsoft::QLinearMul", 1, {7, 8}, importBinary);
  table.add("com.microsoft::QLinearSigmoid", 1, {4, 5}, importUnary);
  table.add("com.microsoft::QLinearSoftmax", 1, {4, 5}, importSoftmax);
  table.add("com.microsoft::QLinearWhere", 1, 9, importWhere);
}
