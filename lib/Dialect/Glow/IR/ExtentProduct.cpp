//===- ExtentProduct.cpp - extents as products of factors -----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/ExtentProduct.h"
#include "glow/Dialect/Glow/IR/ShapeArithmetic.h"
#include <numeric>

using namespace mlir;
using namespace mlir::glow;

void ExtentProduct::multiply(AffineExpr expression) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression)) {
    number *= constant.getValue();
  } else if (expression.getKind() == AffineExprKind::Mul) {
    auto binary = cast<AffineBinaryOpExpr>(expression);
    multiply(binary.getLHS());
    multiply(binary.getRHS());
  } else {
    int64_t divisor = expression.getKind() == AffineExprKind::Add
                          ? expression.getLargestKnownDivisor()
                          : 1;
    number *= divisor;
    if (divisor != 1)
      expression = simplifySum(expression.floorDiv(uint64_t(divisor)));
    leaves.push_back(expression);
  }
}

/// Removes a leaf of the list that is `leaf`, if there is one.
static bool take(SmallVectorImpl<AffineExpr> &leaves, AffineExpr leaf) {
  auto *place = llvm::find_if(
      leaves, [&](AffineExpr own) { return areEqual(own, leaf); });
  if (place == leaves.end())
    return false;
  leaves.erase(place);
  return true;
}

bool ExtentProduct::divide(const ExtentProduct &other) {
  if (other.number == 0 || number % other.number != 0)
    return false;
  SmallVector<AffineExpr> rest = leaves;
  if (!llvm::all_of(other.leaves,
                    [&](AffineExpr leaf) { return take(rest, leaf); }))
    return false;
  number /= other.number;
  leaves = rest;
  return true;
}

void ExtentProduct::cancel(ExtentProduct &other) {
  if (int64_t common = std::gcd(number, other.number)) {
    number /= common;
    other.number /= common;
  }
  llvm::erase_if(other.leaves,
                 [&](AffineExpr leaf) { return take(leaves, leaf); });
}

AffineExpr ExtentProduct::expression(MLIRContext *context) const {
  AffineExpr result = getAffineConstantExpr(1, context);
  for (AffineExpr leaf : leaves)
    result = result * leaf;
  return result * number;
}
