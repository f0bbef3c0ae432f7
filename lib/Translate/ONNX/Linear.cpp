//===- Linear.cpp - products of matrices ----------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OpTable.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::onnx;

LogicalResult onnx::importMatMul(Node &node) {
  return node.result(node.emit<MatMulOp>({node.in(0), node.in(1)}));
}

LogicalResult onnx::importGemm(Node &node) {
  // Before version 7 C was broadcast on request; it only worked if it fitted.
  node.ignore("broadcast");
  return node.result(
      node.emit<GemmOp>({node.in(0), node.in(1), node.in(2)},
                        {node.f64("alpha", node.real("alpha", 1)),
                         node.f64("beta", node.real("beta", 1)),
                         node.unit("trans_a", node.flag("transA")),
                         node.unit("trans_b", node.flag("transB"))}));
}
