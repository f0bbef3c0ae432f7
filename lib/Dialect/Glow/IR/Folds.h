//===- Folds.h - canonical forms that belong to no single op ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_GLOW_IR_FOLDS_H
#define GLOW_LIB_DIALECT_GLOW_IR_FOLDS_H

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/PatternMatch.h"

namespace mlir::glow {

/// The one element that a constant repeats, with its signless type.
TypedAttr repeatedElement(Attribute value);

/// A vector of numbers, as shape-like operands are.
Value createInts(OpBuilder &builder, Location loc, ArrayRef<int64_t> values);

void populateGatherFolds(RewritePatternSet &patterns);
void populateMapFolds(RewritePatternSet &patterns);
void populatePadFolds(RewritePatternSet &patterns);
void populateSliceFolds(RewritePatternSet &patterns);

} // namespace mlir::glow

#endif // GLOW_LIB_DIALECT_GLOW_IR_FOLDS_H
