//===- ExtentOrder.cpp - which of two extents is larger -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ExtentOrder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
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

namespace {
/// A multiple of the point's index, and what does not depend on it.
struct PointSum {
  int64_t factor = 0;
  AffineExpr rest;

  static std::optional<PointSum> of(AffineExpr expression);
};
} // namespace

std::optional<PointSum> PointSum::of(AffineExpr expression) {
  AffineExpr zero = getAffineConstantExpr(0, expression.getContext());
  if (!expression.isFunctionOfDim(0))
    return PointSum{0, expression};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return PointSum{1, zero};
  auto lhs = of(binary.getLHS()), rhs = of(binary.getRHS());
  if (!lhs || !rhs)
    return std::nullopt;
  if (expression.getKind() == AffineExprKind::Add)
    return PointSum{lhs->factor + rhs->factor, lhs->rest + rhs->rest};
  auto constant = dyn_cast<AffineConstantExpr>(rhs->rest);
  if (rhs->factor || !constant)
    return std::nullopt;
  int64_t number = constant.getValue();
  if (expression.getKind() == AffineExprKind::Mul)
    return PointSum{lhs->factor * number, lhs->rest * number};
  // Whole multiples of a divisor are divided on their own.
  if (number <= 0 || lhs->factor % number != 0)
    return std::nullopt;
  int64_t quotient =
      expression.getKind() == AffineExprKind::Mod ? 0 : lhs->factor / number;
  return PointSum{quotient, getAffineBinaryOpExpr(expression.getKind(),
                                                  lhs->rest, constant)};
}

/// Visits all values of a function of one symbol, if they are few.
bool ExtentOrder::forValues(AffineExpr value,
                            function_ref<void(int64_t)> visit) const {
  constexpr int64_t kMostValues = 1 << 14;
  SmallVector<size_t> used;
  for (size_t i = 0; i < symbols.size(); ++i)
    if (value.isFunctionOfSymbol(i))
      used.push_back(i);
  if (used.size() != 1 || value.isFunctionOfDim(0))
    return false;
  auto [name, lower, upper] = symbols[used.front()];
  if (upper - lower >= kMostValues)
    return false;
  SmallVector<int64_t> values(symbols.size(), 0);
  for (int64_t v : llvm::seq_inclusive(lower, upper)) {
    values[used.front()] = v;
    visit(evaluate(value, values));
  }
  return true;
}

/// What a function of the symbols is at most, whichever point it is for.
std::optional<int64_t> ExtentOrder::mostOf(AffineExpr value) const {
  auto sum = PointSum::of(value);
  if (!sum || sum->factor)
    return std::nullopt;
  value = sum->rest;
  if (auto constant = dyn_cast<AffineConstantExpr>(value))
    return constant.getValue();
  std::optional<int64_t> most;
  if (forValues(value, [&](int64_t here) {
        most = std::max(most.value_or(here), here);
      }))
    return most;
  auto range =
      value.isFunctionOfDim(0) ? std::nullopt : rangeOf(value, symbols);
  return range ? std::optional(range->upper) : std::nullopt;
}

AffineExpr ExtentOrder::simplest(AffineExpr extent) {
  if (!extent || isa<AffineConstantExpr>(extent))
    return extent;
  if (AffineExpr same = known.lookup(extent))
    return same;
  AffineExpr result = extent;
  if (extent.isFunctionOfDim(0)) {
    if (auto sum = PointSum::of(extent))
      result = getAffineDimExpr(0, extent.getContext()) * sum->factor +
               simplest(sum->rest);
  } else {
    llvm::BLAKE3 digest;
    for (size_t i = 0; i < symbols.size(); ++i)
      digest.update(extent.isFunctionOfSymbol(i) ? "1" : "0");
    bool isVisited = forValues(extent, [&](int64_t value) {
      digest.update(ArrayRef(reinterpret_cast<uint8_t *>(&value), 8));
    });
    if (isVisited)
      result = byValues.try_emplace(llvm::toHex(digest.final()), extent)
                   .first->second;
  }
  return known[extent] = result;
}

// Ranges of both would do only if no symbol occurred in both.
bool ExtentOrder::isAtLeast(AffineExpr a, AffineExpr b) const {
  if (a == b || isAtLeastByForm(a, b))
    return true;
  auto excess = mostOf(b - a);
  return excess && *excess <= 0;
}

AffineExpr ExtentOrder::largest(AffineExpr a, AffineExpr b) const {
  if (a == b || isAtLeastByForm(a, b))
    return a;
  if (isAtLeastByForm(b, a))
    return b;
  // How far each reaches beyond the other one.
  std::optional<int64_t> beyondA = mostOf(b - a);
  if (beyondA && *beyondA <= 0)
    return a;
  std::optional<int64_t> beyondB = mostOf(a - b);
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
