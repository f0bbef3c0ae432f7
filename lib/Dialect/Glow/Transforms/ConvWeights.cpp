//===- ConvWeights.cpp - convolutions with other weights ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ConvWeights.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace mlir::glow;

bool mlir::glow::isComputedFromConstants(Value value) {
  if (matchPattern(value, m_Constant()))
    return true;
  Operation *op = value.getDefiningOp();
  return op && op->getNumOperands() > 0 && op->getNumRegions() == 0 &&
         isMemoryEffectFree(op) &&
         llvm::all_of(op->getOperands(), isComputedFromConstants);
}

bool mlir::glow::hasPlainWeights(ConvOp conv) {
  return isComputedFromConstants(conv.getFilter()) &&
         (!conv.getBias() || isComputedFromConstants(conv.getBias())) &&
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
