//===- ExtentProduct.h - extents as products of factors --------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_EXTENTPRODUCT_H
#define GLOW_DIALECT_GLOW_IR_EXTENTPRODUCT_H

#include "mlir/IR/AffineExpr.h"

namespace mlir::glow {

/// An extent as a number times expressions that are no products.
struct ExtentProduct {
  int64_t number = 1;
  SmallVector<AffineExpr> leaves;

  ExtentProduct() = default;
  explicit ExtentProduct(AffineExpr expression) { multiply(expression); }

  void multiply(AffineExpr expression);
  /// False, and unchanged, if `other` does not divide this one.
  bool divide(const ExtentProduct &other);
  /// Divides both by what is a factor of both.
  void cancel(ExtentProduct &other);
  bool isOne() const { return number == 1 && leaves.empty(); }
  AffineExpr expression(MLIRContext *context) const;
};

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_IR_EXTENTPRODUCT_H
