//===- ExtentOrder.cpp - which of two extents is larger -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExtentOrder.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

static int64_t evaluate(AffineExpr expression, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expression))
    return constant.getValue();
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expression))
    return symbols[symbol.getPosition()];
  auto binary = cast<AffineBinaryOpExpr>(expression);
  int64_t lhs = evaluate(binary.getLHS(), symbols);
  int64_t rhs = evaluate(binary.getRHS(), symbols);
  switch (expression.getKind()) {
  case AffineExprKind::Add:
    return lhs + rhs;
  case AffineExprKind::Mul:
    return lhs * rhs;
  case AffineExprKind::Mod:
    return llvm::mod(lhs, rhs);
  case AffineExprKind::FloorDiv:
    return llvm::divideFloorSigned(lhs, rhs);
  default:
    return llvm::divideCeilSigned(lhs, rhs);
  }
}

/// The same if both are made alike of numbers of which one is not less.
bool ExtentOrder::isAtLeastByForm(AffineExpr a, AffineExpr b) const {
  auto one = dyn_cast<AffineBinaryOpExpr>(a),
       other = dyn_cast<AffineBinaryOpExpr>(b);
  if (!one || !other || a.getKind() != b.getKind() ||
      a.getKind() == AffineExprKind::Mod)
    return false;
  auto factor = dyn_cast<AffineConstantExpr>(one.getRHS());
  bool isGrowing =
      a.getKind() == AffineExprKind::Add || (factor && factor.getValue() > 0);
  return isGrowing && one.getRHS() == other.getRHS() &&
         isAtLeast(one.getLHS(), other.getLHS());
}

/// What a function of the symbols is at most, by its values if they are few.
std::optional<int64_t> ExtentOrder::mostOf(AffineExpr value) const {
  constexpr int64_t kMostValues = 1 << 14;
  if (auto constant = dyn_cast<AffineConstantExpr>(value))
    return constant.getValue();
  if (value.isFunctionOfDim(0))
    return std::nullopt;
  SmallVector<size_t> used;
  for (size_t i = 0; i < symbols.size(); ++i)
    if (value.isFunctionOfSymbol(i))
      used.push_back(i);
  if (used.size() == 1) {
    auto [name, lower, upper] = symbols[used.front()];
    if (upper - lower < kMostValues) {
      SmallVector<int64_t> values(symbols.size(), 0);
      std::optional<int64_t> most;
      for (int64_t v : llvm::seq_inclusive(lower, upper)) {
        values[used.front()] = v;
        int64_t here = evaluate(value, values);
        most = std::max(most.value_or(here), here);
      }
      return most;
    }
  }
  auto range = rangeOf(value, symbols);
  return range ? std::optional(range->upper) : std::nullopt;
}

// Ranges of both would do only if no symbol occurred in both.
bool ExtentOrder::isAtLeast(AffineExpr a, AffineExpr b) const {
  if (a == b || isAtLeastByForm(a, b))
    return true;
  auto excess = mostOf(simplifyAffineExpr(b - a, 1, symbols.size()));
  return excess && *excess <= 0;
}

AffineExpr ExtentOrder::largest(AffineExpr a, AffineExpr b) const {
  if (a == b || isAtLeastByForm(a, b))
    return a;
  if (isAtLeastByForm(b, a))
    return b;
  // How far each reaches beyond the other one.
  auto excess = [&](AffineExpr x, AffineExpr y) {
    return mostOf(simplifyAffineExpr(x - y, 1, symbols.size()));
  };
  std::optional<int64_t> beyondA = excess(b, a);
  if (beyondA && *beyondA <= 0)
    return a;
  std::optional<int64_t> beyondB = excess(a, b);
  if (beyondB && *beyondB <= 0)
    return b;
  if (beyondA && (!beyondB || *beyondA <= *beyondB))
    return a + *beyondA;
  return beyondB ? b + *beyondB : AffineExpr();
}

AffineExpr ExtentOrder::largest(ArrayRef<AffineExpr> extents) const {
  AffineExpr all = extents.empty() ? AffineExpr() : extents.front();
  for (AffineExpr extent : extents)
    all = all && extent ? largest(all, extent) : AffineExpr();
  return all;
}
