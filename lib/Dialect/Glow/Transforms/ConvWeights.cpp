//===- ConvWeights.cpp - convolutions with other weights ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConvWeights.h"

using namespace mlir;
using namespace mlir::glow;

/// Weights of a sum of branches are several ops for each.
static constexpr unsigned kDepth = 32;

bool mlir::glow::hasPlainWeights(ConvOp conv) {
  return isComputedFromConstants(conv.getFilter(), kDepth) &&
         (!conv.getBias() || isComputedFromConstants(conv.getBias(), kDepth)) &&
         conv.getEpilogue().empty() && !conv.getPacked() && !conv.getPieces() &&
         !conv.getWinograd() && !conv.isChannelsLast();
}

ConvOp mlir::glow::withWeights(GraphBuilder &b, ConvOp conv, Value filter,
                               Value bias) {
  return ConvOp::create(
      b.builder, b.loc, conv.getInput(), filter, bias, ValueRange(),
      conv.getKernelShapeAttr(), conv.getStridesAttr(), conv.getPadsAttr(),
      conv.getDilationsAttr(), conv.getGroupAttr(), conv.getLayoutAttr(),
      IntegerAttr(), IntegerAttr(), WinogradAttr(), IntegerAttr());
}

Value glow::moveWeights(GraphBuilder &b, Value weights,
                        function_ref<Value(Value)> move) {
  auto cast = weights.getDefiningOp<CastOp>();
  return cast ? b.castTo(move(cast.getInput()), elementType(weights))
              : move(weights);
}
