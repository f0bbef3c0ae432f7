//===- BinaryOps.cpp - element-wise ops of more operands ----===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/Glow.h"

using namespace mlir;
using namespace mlir::glow;

#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowBinaryOps.cpp.inc"

void GlowDialect::registerBinaryOps() {
  addOperations<
#define GET_OP_LIST
#include "glow/Dialect/Glow/IR/GlowBinaryOps.cpp.inc"
      >();
}

/// x tanh(softplus(x)), as networks spell Mish where their exporter lacks it.
LogicalResult MulOp::canonicalize(MulOp op, PatternRewriter &rewriter) {
  auto matches = [](Value x, Value factor) {
    auto tanh = factor.getDefiningOp<TanhOp>();
    auto softplus =
        tanh ? tanh.getInput().getDefiningOp<SoftplusOp>() : SoftplusOp();
    return softplus && softplus.getInput() == x;
  };
  for (auto [x, factor] : {std::pair(op.getLhs(), op.getRhs()),
                           std::pair(op.getRhs(), op.getLhs())})
    if (matches(x, factor)) {
      rewriter.replaceOpWithNewOp<MishOp>(op, op.getType(), x);
      return success();
    }
  return rewriter.notifyMatchFailure(op, "no spelling of another op");
}

/// The element that a constant repeats, also where it is expanded.
static DenseElementsAttr splatOf(Value value) {
  if (auto expand = value.getDefiningOp<ExpandOp>())
    value = expand.getInput();
  auto constant = value.getDefiningOp<ConstantOp>();
  auto elements = dyn_cast_if_present<DenseElementsAttr>(
      constant ? constant.getValue() : Attribute());
  return elements && elements.isSplat() ? elements : DenseElementsAttr();
}

/// A choice between equal numbers, as a mask of what is nowhere the case.
OpFoldResult WhereOp::fold(FoldAdaptor) {
  auto type = cast<RankedTensorType>(getType());
  DenseElementsAttr lhs = splatOf(getLhs()), rhs = splatOf(getRhs());
  if (!lhs || !rhs || !type.hasStaticShape() ||
      lhs.getSplatValue<Attribute>() != rhs.getSplatValue<Attribute>())
    return {};
  return lhs.resizeSplat(type);
}
