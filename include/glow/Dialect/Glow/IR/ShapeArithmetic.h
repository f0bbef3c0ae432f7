//===- ShapeArithmetic.h - extents as expressions of symbols ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Exporters compute shapes with ops on small integer vectors. One op of such a
// chain is followed here, on elements that are expressions of symbols; a number
// is the expression without symbols. Who walks the chain says what operands
// are.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_GLOW_IR_SHAPEARITHMETIC_H
#define GLOW_DIALECT_GLOW_IR_SHAPEARITHMETIC_H

#include "glow/Dialect/Glow/IR/BoundedShapes.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Value.h"

namespace mlir::glow {

/// The elements of a small tensor of integers in row-major order; null where
/// one is not known. Nothing if not even their number is known.
using ShapeInts = std::optional<SmallVector<AffineExpr>>;

/// Elements of a vector that are followed; shapes are short.
constexpr int64_t kMaxShapeInts = 1024;

/// What is known about the operands of an op.
struct ShapeFacts {
  llvm::function_ref<ShapeInts(Value)> elements;
  /// One extent of a tensor; null if it is not known.
  llvm::function_ref<AffineExpr(Value, int64_t)> extent;
  /// The range of an expression, which decides comparisons.
  llvm::function_ref<std::optional<ExtentRange>(AffineExpr)> range;
};

/// True for scalars and vectors of integers that are not too long to follow,
/// and for matrices of known extents, as which PyTorch turns pads around.
bool isShapeLike(Value value);

/// The elements of the op's only result; nothing for other ops.
ShapeInts followShapeOp(Operation *op, const ShapeFacts &facts);

/// Canonical sums, so that equal ones are the same expression. Products keep
/// their factors.
AffineExpr simplifySum(AffineExpr expression);

/// True if one is the other for all values of the symbols.
bool areEqual(AffineExpr a, AffineExpr b);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_IR_SHAPEARITHMETIC_H
