//===- Linear.cpp - products of matrices ----------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Export.h"
#include "OpTable.h"

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
  return node.result(
      node.emit<GemmOp>({node.in(0), node.in(1), node.in(2)},
                        {node.f64("alpha", node.real("alpha", 1)),
                         node.f64("beta", node.real("beta", 1)),
                         node.unit("trans_a", node.flag("transA")),
                         node.unit("trans_b", node.flag("transB"))}));
}

void onnx::addLinearOps(OpTable &table) {
  table.add("Gemm", 1, {2, 3}, importGemm)
      .exports<GemmOp>(
          {"alpha", "beta", {"transA", "trans_a"}, {"transB", "trans_b"}});
  table.add("MatMul", 1, 2, importMatMul).exports(exportMatMul);
}
