//===- ConvWeights.cpp - convolutions in another form ---------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConvWeights.h"
#include "glow/Dialect/Glow/Transforms/Epilogues.h"

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

bool glow::canMovePlaces(ConvOp conv) {
  auto input = cast<RankedTensorType>(conv.getInput().getType());
  auto result = cast<RankedTensorType>(conv.getType());
  return conv.isChannelsLast() && conv.getGroup() == 1 && !conv.getPacked() &&
         !conv.getPieces() && !conv.getWinograd() && input.hasStaticShape() &&
         result.hasStaticShape() && result.getNumElements() > 0 &&
         readsPlacesOrChannels(conv.getEpilogueInputs(), result.getShape());
}

Value glow::denseConv(GraphBuilder &b, ConvOp conv, Value images, Value filter,
                      ValueRange inputs, ArrayRef<int64_t> kernel,
                      ArrayRef<int64_t> pads, ArrayRef<int64_t> dilations) {
  SmallVector<int64_t> unit(kernel.size(), 1);
  Value results = b.create<ConvOp>(
      images, filter, conv.getBias(), inputs, kernel, unit, pads, dilations,
      /*group=*/1, conv.getLayoutAttr(), IntegerAttr(), IntegerAttr(),
      WinogradAttr(), IntegerAttr());
  results.getDefiningOp<ConvOp>().getEpilogue().takeBody(conv.getEpilogue());
  results.setType(cast<RankedTensorType>(results.getType())
                      .clone(elementType(conv.getResult())));
  return results;
}
