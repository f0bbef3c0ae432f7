//===- Constants.cpp - operators that make tensors from little ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "Expr.h"
#include "OpTable.h"
#include "Tensors.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

template <typename T>
static RankedTensorType vectorOf(const T &values, Type element) {
  return RankedTensorType::get({static_cast<int64_t>(values.size())}, element);
}

static LogicalResult importConstant(Node &node) {
  MLIRContext *context = node.context();
  Type i64 = IntegerType::get(context, 64);
  Type f32 = Float32Type::get(context);
  Type text = StringType::get(context);
  ElementsAttr value;
  if (node.has("value")) {
    value = node.tensor("value");
  } else if (node.has("sparse_value")) {
    value = node.sparseTensor("sparse_value");
  } else if (node.has("value_int")) {
    value = DenseElementsAttr::get(RankedTensorType::get({}, i64),
                                   node.integer("value_int", 0));
  } else if (node.has("value_float")) {
    value =
        DenseElementsAttr::get(RankedTensorType::get({}, f32),
                               static_cast<float>(node.real("value_float", 0)));
  } else if (node.has("value_string")) {
    value = DenseStringElementsAttr::get(RankedTensorType::get({}, text),
                                         node.string("value_string", ""));
  } else if (node.has("value_ints")) {
    auto values = node.integers("value_ints");
    value = DenseElementsAttr::get(vectorOf(values, i64), ArrayRef(values));
  } else if (node.has("value_floats")) {
    auto reals = node.reals("value_floats");
    SmallVector<float> values(reals.begin(), reals.end());
    value = DenseElementsAttr::get(vectorOf(values, f32), ArrayRef(values));
  } else if (node.has("value_strings")) {
    auto values = node.strings("value_strings");
    value = DenseStringElementsAttr::get(vectorOf(values, text), values);
  } else {
    return node.fail("has no value that is supported");
  }
  return node.result(node.constant(value));
}

static LogicalResult importShape(Node &node) {
  int64_t rank = Node::rank(node.in(0));
  auto place = [&](int64_t at) {
    return std::clamp<int64_t>(at < 0 ? at + rank : at, 0, rank);
  };
  int64_t start = place(node.integer("start", 0));
  int64_t end = place(node.integer("end", rank));
  return node.result(node.shapeOf(node.in(0), start, std::max(start, end)));
}

static LogicalResult importSize(Node &node) {
  return node.result(
      node.reduce(ReduceKind::Prod, node.shapeOf(node.in(0)), {0}, false));
}

static LogicalResult importConstantOfShape(Node &node) {
  ElementsAttr given = node.tensor("value");
  Value value = node.scalar(Float32Type::get(node.context()), 0);
  if (given) {
    auto one = dyn_cast<DenseElementsAttr>(given);
    if (!one || one.getNumElements() != 1 || isa<DenseStringElementsAttr>(one))
      return node.fail("attribute 'value' must hold one number");
    value = node.constant(
        one.reshape(RankedTensorType::get({}, one.getElementType())));
  }
  return node.result(node.emit<SplatOp>({value, node.asShape(node.in(0))}));
}

static LogicalResult exportSplat(SplatOp op, NodeWriter &n) {
  return n.type("Expand").inputs(op->getOperands()).done();
}

static LogicalResult importEyeLike(Node &node) {
  Expr matrix(node, node.in(0));
  if (matrix.rank() != 2)
    return node.fail("needs a matrix");
  Type element = Node::element(node.in(0));
  std::string reason;
  if (node.has("dtype"))
    element = elementTypeOf(static_cast<int32_t>(node.integer("dtype", 1)),
                            node.context(), reason);
  if (!element)
    return node.fail(reason);
  // Row and column numbers are equal on the diagonal.
  Expr rows = matrix.positions(0) + double(node.integer("k", 0));
  Expr onDiagonal = rows.unsqueeze({1}) == matrix.positions(1);
  return node.result(onDiagonal.cast(element));
}

/// A scalar of floats as the integer that it was before a cast, or that it is
/// as a constant; null if it is neither.
static Value wholeNumber(Node &node, Value value) {
  Type i64 = IntegerType::get(node.context(), 64);
  if (auto cast = value.getDefiningOp<CastOp>())
    if (isa<IntegerType>(Node::element(cast.getOperand())) &&
        !Node::element(cast.getOperand()).isInteger(1))
      return node.cast(cast.getOperand(), i64);
  DenseElementsAttr constant;
  if (!matchPattern(value, m_Constant(&constant)) ||
      !isa<FloatType>(constant.getElementType()))
    return Value();
  double number = constant.getSplatValue<APFloat>().convertToDouble();
  bool isWhole = std::abs(number) < (1 << 24) && number == std::trunc(number);
  return isWhole ? node.scalar(i64, number) : Value();
}

/// Numbers at equal distances. Exporters write those of positions as floats;
/// counted as integers, they follow from extents.
static LogicalResult importRange(Node &node) {
  SmallVector<Value> operands, whole;
  for (Value operand : node.inputs()) {
    if (Node::rank(operand) != 0)
      operand = node.reshape(operand, {});
    operands.push_back(operand);
    Type element = Node::element(operand);
    if (element.isF32() || element.isF64())
      if (Value number = wholeNumber(node, operand))
        whole.push_back(number);
  }
  node.ignore("stash_type");
  if (whole.size() == operands.size())
    return node.result(
        node.cast(node.emit<RangeOp>(whole), Node::element(operands.front())));
  return node.result(node.emit<RangeOp>(operands));
}

void onnx::addConstantOps(OpTable &table) {
  table.add("Constant", 1, 0, importConstant);
  table.add("ConstantOfShape", 9, 1, importConstantOfShape);
  table.add("EyeLike", 9, 1, importEyeLike);
  table.add("Range", 11, 3, importRange).exports<RangeOp>();
  table.add("Shape", 1, 1, importShape).exports<ShapeOfOp>({"start", "end"});
  table.add("Size", 1, 1, importSize);
  table.write(exportSplat);
}
