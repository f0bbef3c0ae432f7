//===- DecomposeReduce.cpp - the mean as a sum ----------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Back ends then reduce without a last step, and the division joins the
// element-wise ops that follow. Of half precision, the sum alone might be too
// large.
//
//===----------------------------------------------------------------------===//
#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"

using namespace mlir;
using namespace mlir::glow;

/// The number of elements that make one result, if known.
static std::optional<int64_t> numReduced(ReduceOp op) {
  Dims dims;
  for (int64_t axis : op.getAxes())
    dims.push_back(dimsOf(op.getInput())[axis]);
  return numElements(dims);
}

bool ReduceOp::isComposite() {
  return getKind() == ReduceKind::Mean && numReduced(*this);
}

FailureOr<SmallVector<Value>> ReduceOp::decompose(OpBuilder &builder) {
  GraphBuilder b(builder, getLoc());
  Type type = b.accumulatorType(elementType(getInput()));
  double count = *numReduced(*this);
  Value sum = b.create<ReduceOp>(ReduceKind::Sum, b.castTo(getInput(), type),
                                 getAxes(), getKeepDims());
  // A product by a constant is cheap enough to be merged anywhere.
  Value result = isa<FloatType>(type)
                     ? b.mul(sum, b.scalar(1 / count, type))
                     : b.create<DivOp>(sum, b.scalar(count, type));
  return SmallVector<Value>{b.castTo(result, elementType(getInput()))};
}
