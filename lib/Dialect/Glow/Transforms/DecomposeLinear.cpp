//===- DecomposeLinear.cpp - gemm as product, scaling and sum -------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"

using namespace mlir;
using namespace mlir::glow;

/// `value` times `factor`, which is often 1.
static Value scaleBy(GraphBuilder &b, Value value, const APFloat &factor) {
  if (factor.isExactlyValue(1.0))
    return value;
  return b.mul(value, b.scalar(factor.convertToDouble(), elementType(value)));
}

FailureOr<SmallVector<Value>> GemmOp::decompose(OpBuilder &builder) {
  if (!isa<FloatType>(elementType(getA())) &&
      !(getAlpha().isInteger() && getBeta().isInteger()))
    return emitOpError("on integers needs integral 'alpha' and 'beta'");
  GraphBuilder b(builder, getLoc());
  Value lhs = getTransA() ? b.transpose(getA(), {1, 0}) : getA();
  Value rhs = getTransB() ? b.transpose(getB(), {1, 0}) : getB();
  Value result = scaleBy(b, b.matmul(lhs, rhs), getAlpha());
  if (getC() && !getBeta().isZero())
    result = b.add(result, scaleBy(b, getC(), getBeta()));
  return SmallVector<Value>{result};
}
