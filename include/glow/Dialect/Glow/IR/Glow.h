//===- Glow.h - the graph dialect with all its ops ------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_GLOW_H
#define GLOW_DIALECT_GLOW_IR_GLOW_H

#include "glow/Dialect/Glow/IR/GlowDialect.h"
#include "glow/Dialect/Glow/IR/TypeInference.h"
#include "glow/Interfaces/Decompose.h"
#include "glow/Interfaces/Layout.h"
#include "glow/Interfaces/OpTraits.h"
#include "glow/Interfaces/ScalarBody.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Quant/IR/Quant.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowStructureOps.h.inc"
#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowUnaryOps.h.inc"
#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowBinaryOps.h.inc"
#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowLinearOps.h.inc"
#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowReduceOps.h.inc"
#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowShapeOps.h.inc"
#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowIndexOps.h.inc"
#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowNormOps.h.inc"
#define GET_OP_CLASSES
#include "glow/Dialect/Glow/IR/GlowRecurrentOps.h.inc"

namespace mlir::glow {

/// Whether each element of an op's result comes from the operands' elements at
/// the same place.
inline bool isElementwise(Operation *op) {
  return isa<MapOp, ScalarBodyOpInterface>(op);
}

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_IR_GLOW_H
