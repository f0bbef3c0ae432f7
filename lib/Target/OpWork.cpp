//===- OpWork.cpp - operations and bytes of graph ops ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"
#include "glow/Interfaces/Target.h"

using namespace mlir;
using namespace mlir::glow;

double glow::tensorBytes(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || !tensor.hasStaticShape() ||
      !tensor.getElementType().isIntOrFloat())
    return 0;
  return double(tensor.getNumElements()) *
         ((tensor.getElementType().getIntOrFloatBitWidth() + 7) / 8);
}

static double extentProduct(Value value) {
  auto tensor = dyn_cast<RankedTensorType>(value.getType());
  return tensor && tensor.hasStaticShape() ? double(tensor.getNumElements())
                                           : 0;
}

/// Multiplications for one element of the result.
static double contractedElements(Operation *op) {
  if (auto conv = dyn_cast<ConvOp>(op)) {
    auto result = cast<ShapedType>(conv.getType());
    int64_t channels =
        result.getShape()[conv.isChannelsLast() ? result.getRank() - 1 : 1];
    return extentProduct(conv.getFilter()) / std::max<int64_t>(1, channels);
  }
  if (auto matmul = dyn_cast<MatMulOp>(op))
    return dimsOf(matmul.getLhs()).back();
  return 0;
}

/// Scalar operations of an element-wise cluster or an epilogue.
static double regionOps(Operation *op) {
  double count = 0;
  for (Region &region : op->getRegions())
    region.walk([&](Operation *) { ++count; });
  return count;
}

OpWork glow::workOf(Operation *op) {
  OpWork work{0, 0};
  for (Value operand : op->getOperands()) {
    work.bytes += tensorBytes(operand.getType());
    work.flops = std::max(work.flops, extentProduct(operand));
  }
  for (Value result : op->getResults()) {
    work.bytes += tensorBytes(result.getType());
    double perElement =
        std::max(1.0, 2 * contractedElements(op) + regionOps(op));
    work.flops = std::max(work.flops, extentProduct(result) * perElement);
  }
  return work;
}
