//===- Linear.cpp - products of matrices ----------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "Expr.h"
#include "OpTable.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

static LogicalResult importMatMul(Node &node) {
  return node.result(node.emit<MatMulOp>({node.in(0), node.in(1)}));
}

static LogicalResult exportMatMul(MatMulOp op, NodeWriter &n) {
  if (!op.getEpilogue().empty() || op.getPacked() || op.getAccumulator())
    return hasNoForm(op,
                     "with an epilogue, a packed operand or an accumulator");
  return n.type("MatMul").input(op.getLhs()).input(op.getRhs()).done();
}

static LogicalResult importGemm(Node &node) {
  // Before version 7 C was broadcast on request; it only worked if it fitted.
  node.ignore("broadcast");
  double alpha = node.real("alpha", 1), beta = node.real("beta", 1);
  SmallVector<Value> operands{node.in(0), node.in(1), node.in(2)};
  Type type = Node::element(operands[0]);
  // Integers times a fraction are rounded towards zero at the end.
  if (std::trunc(alpha) != alpha || std::trunc(beta) != beta)
    for (Value &operand : operands)
      operand = node.cast(operand, Node::realType(type));
  return node.result(
      node.cast(node.emit<GemmOp>(
                    operands, {node.f64("alpha", alpha), node.f64("beta", beta),
                               node.unit("trans_a", node.flag("transA")),
                               node.unit("trans_b", node.flag("transB"))}),
                type));
}

/// Determinants of square matrices by elimination: in each step the row with
/// the largest first element takes the place of the first, and the others lose
/// their first column.
static LogicalResult importDet(Node &node) {
  Expr x(node, node.in(0));
  constexpr int64_t most = 256;
  int64_t size = x.dim(x.rank() - 1);
  if (x.rank() < 2 || x.dim(x.rank() - 2) != size ||
      llvm::any_of(Node::dims(x), ShapedType::isDynamic))
    return node.fail("needs square matrices of known extents");
  if (size > most)
    return node.fail("matrices have more than " + Twine(most) + " rows");
  SmallVector<int64_t> batch(Node::dims(x).drop_back(2));
  Type type = x.element();
  if (!type.isF64())
    x = x.cast(Float32Type::get(node.context()));
  x = x.reshape({*numElements(batch), size, size});
  Attr largest{"kind", ReduceKindAttr::get(node.context(), ReduceKind::Max)};
  Expr result = x.like(1).expand({node, node.shape(x.dim(0))});
  for (int64_t rows = size; rows > 0 && !node.failed(); --rows) {
    Expr place = abs(x.slice(2, 0, 1).squeeze({2}))
                     .emit<ArgReduceOp>({}, {largest, node.i64("axis", 1),
                                             node.unit("keep_dims")});
    Expr row = x.emit<GatherNDOp>({place}, node.i64("batch_dims", 1));
    Expr pivot = row.slice(1, 0, 1);
    Expr sign = where(place == 0.0, pivot, -pivot).squeeze({1});
    result = result * sign;
    if (rows == 1)
      break;
    Expr first = x.slice(1, 0, 1), others = x.slice(1, 1, rows);
    Expr isChosen = others.positions(1) + 1.0 == place;
    others = where(isChosen.unsqueeze({2}), first, others);
    // Where there is no pivot the determinant is zero already.
    Expr divisor = where(pivot == 0.0, pivot.like(1), pivot);
    Expr factors = others.slice(2, 0, 1) / divisor.unsqueeze({2});
    x = others.slice(2, 1, rows) -
        factors * row.slice(1, 1, rows).unsqueeze({1});
  }
  return node.result(result.reshape(batch).cast(type));
}

void onnx::addLinearOps(OpTable &table) {
  table.add("Det", 11, 1, importDet);
  table.add("Gemm", 1, {2, 3}, importGemm)
      .alike({0, 1, 2})
      .exports<GemmOp>(
          {"alpha", "beta", {"transA", "trans_a"}, {"transB", "trans_b"}});
  table.add("MatMul", 1, 2, importMatMul).exports(exportMatMul);
}
