//===- ExtentOrder.cpp - which of two extents is larger -------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Inst/Analysis/ExtentOrder.h"
#include "glow/Dialect/Glow/IR/ExtentProduct.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;
using namespace mlir::glow;
using namespace mlir::glow::inst;

/// What stands for a product of several expressions that are not constant: a
/// multiple of a symbol. Null if nothing can.
AffineExpr ExtentOrder::atomOf(AffineExpr product) {
  ExtentProduct factors(product);
  SmallVector<const void *> key;
  for (AffineExpr &leaf : factors.leaves) {
    leaf = withAtoms(leaf);
    key.push_back(leaf.getAsOpaquePointer());
  }
  llvm::sort(key);
  int64_t number = std::exchange(factors.number, 1);
  AffineExpr &atom = atoms[key];
  if (!atom) {
    AffineExpr rest = factors.expression(product.getContext());
    auto range = rangeOf(rest, symbols);
    if (!range)
      return {};
    atom = getAffineSymbolExpr(symbols.size(), product.getContext());
    symbols.push_back({"", range->lower, range->upper});
  }
  return atom * number;
}

/// `expression` with symbols for products.
AffineExpr ExtentOrder::withAtoms(AffineExpr expression) {
  auto binary = dyn_cast_or_null<AffineBinaryOpExpr>(expression);
  if (!binary)
    return expression;
  if (AffineExpr done = rewritten.lookup(expression))
    return done;
  AffineExpr lhs = binary.getLHS(), rhs = binary.getRHS(), result;
  if (expression.getKind() == AffineExprKind::Mul &&
      !isa<AffineConstantExpr>(lhs) && !isa<AffineConstantExpr>(rhs) &&
      !expression.isFunctionOfDim(0))
    result = atomOf(expression);
  if (!result)
    result = getAffineBinaryOpExpr(expression.getKind(), withAtoms(lhs),
                                   withAtoms(rhs));
  return rewritten[expression] = result;
}

/// The same if both are made alike of numbers of which one is not less.
bool ExtentOrder::isAtLeastByForm(AffineExpr a, AffineExpr b) {
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

namespace {
/// That a function of one symbol grows by `gain` whenever the symbol does by
/// `length`, as sums, multiples and quotients of such functions do.
struct Period {
  static constexpr int64_t kLongest = 1 << 11, kMostGain = int64_t(1) << 40;
  int64_t length = 1, gain = 0;

  /// Nothing if it is longer.
  static std::optional<Period> of(AffineExpr expression);

private:
  Period times(int64_t factor) const {
    return {length * factor, gain * factor};
  }
};
} // namespace

std::optional<Period> Period::of(AffineExpr expression) {
  if (isa<AffineConstantExpr>(expression))
    return Period{1, 0};
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return Period{1, 1};
  auto lhs = of(binary.getLHS()), rhs = of(binary.getRHS());
  if (!lhs || !rhs)
    return std::nullopt;
  if (expression.getKind() == AffineExprKind::Add) {
    int64_t both = std::lcm(lhs->length, rhs->length);
    if (both > kLongest)
      return std::nullopt;
    return Period{both, lhs->times(both / lhs->length).gain +
                            rhs->times(both / rhs->length).gain};
  }
  auto constant = dyn_cast<AffineConstantExpr>(binary.getRHS());
  if (!constant || std::abs(constant.getValue()) > kMostGain ||
      std::abs(lhs->gain) > kMostGain)
    return std::nullopt;
  int64_t number = constant.getValue();
  if (expression.getKind() == AffineExprKind::Mul)
    return Period{lhs->length, lhs->gain * number};
  // As many as the divisor divides what they gain.
  if (number <= 0 || number > kLongest)
    return std::nullopt;
  Period whole = lhs->times(number / std::gcd(lhs->gain, number));
  if (whole.length > kLongest)
    return std::nullopt;
  bool isRest = expression.getKind() == AffineExprKind::Mod;
  return Period{whole.length, isRest ? 0 : whole.gain / number};
}

namespace {
/// The numbers that a function of one symbol depends on: all, or the quotients
/// (symbol + offset) floordiv length, as the frames of a recording are.
struct SymbolSteps {
  int64_t length = 0, offset = 0;

  /// The longest steps of which the expression is a function.
  static SymbolSteps of(AffineExpr expression, unsigned symbol);
  /// The expression with the quotient in the symbol's place.
  AffineExpr divide(AffineExpr expression) const;
  int64_t quotient(int64_t value) const {
    return llvm::divideFloorSigned(value + offset, length);
  }
  /// The symbol's least value with a quotient, perhaps below its range.
  int64_t first(int64_t quotient) const { return quotient * length - offset; }
};

/// (symbol + offset) floordiv length; nested quotients are one.
struct Quotient {
  AffineExpr symbol;
  SymbolSteps steps;

  static std::optional<Quotient> of(AffineExpr expression);
};
} // namespace

std::optional<Quotient> Quotient::of(AffineExpr expression) {
  constexpr int64_t kMost = int64_t(1) << 30;
  if (isa<AffineSymbolExpr>(expression))
    return Quotient{expression, {1, 0}};
  auto division = dyn_cast<AffineBinaryOpExpr>(expression);
  bool isUp = expression.getKind() == AffineExprKind::CeilDiv;
  if (!division || !(isUp || expression.getKind() == AffineExprKind::FloorDiv))
    return std::nullopt;
  auto constant = dyn_cast<AffineConstantExpr>(division.getRHS());
  if (!constant || constant.getValue() < 1 || constant.getValue() > kMost)
    return std::nullopt;
  int64_t divisor = constant.getValue(), added = isUp ? divisor - 1 : 0;
  AffineExpr numerator = division.getLHS();
  auto sum = dyn_cast<AffineBinaryOpExpr>(numerator);
  if (sum && sum.getKind() == AffineExprKind::Add) {
    auto term = dyn_cast<AffineConstantExpr>(sum.getRHS());
    if (!term || std::abs(term.getValue()) > kMost)
      return std::nullopt;
    added += term.getValue();
    numerator = sum.getLHS();
  }
  std::optional<Quotient> whole = of(numerator);
  if (!whole || whole->steps.length > kMost / divisor)
    return std::nullopt;
  whole->steps.offset += added * whole->steps.length;
  whole->steps.length *= divisor;
  return whole;
}

/// Calls `visit` for the largest parts that are quotients of a symbol.
static void forQuotients(AffineExpr expression,
                         function_ref<void(AffineExpr, Quotient)> visit) {
  if (auto quotient = Quotient::of(expression))
    return visit(expression, *quotient);
  if (auto binary = dyn_cast<AffineBinaryOpExpr>(expression)) {
    forQuotients(binary.getLHS(), visit);
    forQuotients(binary.getRHS(), visit);
  }
}

SymbolSteps SymbolSteps::of(AffineExpr expression, unsigned symbol) {
  SymbolSteps steps;
  AffineExpr wanted = getAffineSymbolExpr(symbol, expression.getContext());
  // Quotients by a and b are those of one by a common divisor if they begin at
  // the same place in it.
  forQuotients(expression, [&](AffineExpr, Quotient part) {
    if (part.symbol != wanted)
      return;
    auto [length, offset] = part.steps;
    if (steps.length == 0)
      steps = part.steps;
    steps.length = std::gcd(std::gcd(steps.length, length),
                            std::abs(offset - steps.offset));
  });
  steps.length = std::max<int64_t>(steps.length, 1);
  steps.offset -=
      llvm::divideFloorSigned(steps.offset, steps.length) * steps.length;
  return steps;
}

AffineExpr SymbolSteps::divide(AffineExpr expression) const {
  DenseMap<AffineExpr, AffineExpr> quotients;
  forQuotients(expression, [&](AffineExpr part, Quotient quotient) {
    quotients[part] =
        (quotient.symbol + (quotient.steps.offset - offset) / length)
            .floorDiv(quotient.steps.length / length);
  });
  return length == 1 ? expression : expression.replace(quotients);
}

/// Visits values of a function of one symbol that tell all of them and the
/// greatest one, with the symbol's values: all if they are few, or those of two
/// of the longest periods at both ends. (Two sequences of periods p and q that
/// agree in p + q places are the same, by Fine and Wilf's theorem.)
ExtentOrder::Visited ExtentOrder::forValues(AffineExpr value,
                                            Visitor visit) const {
  constexpr int64_t kFew = 1 << 14, kAtEnd = 2 * Period::kLongest;
  SmallVector<size_t> used;
  for (size_t i = 0; i < symbols.size(); ++i)
    if (value.isFunctionOfSymbol(i))
      used.push_back(i);
  if (used.size() != 1 || value.isFunctionOfDim(0))
    return Visited::None;
  SymbolSteps steps = SymbolSteps::of(value, used.front());
  value = steps.divide(value);
  int64_t lower = steps.quotient(symbols[used.front()].lower);
  int64_t upper = steps.quotient(symbols[used.front()].upper);
  bool isShorter = upper - lower < 2 * kAtEnd;
  bool isAll = isShorter || !Period::of(value);
  if (isAll && upper - lower >= kFew)
    return Visited::None;
  SmallVector<int64_t> values(symbols.size(), 0);
  for (int64_t v = lower; v <= upper; ++v) {
    if (!isAll && v == lower + kAtEnd)
      v = upper - kAtEnd + 1;
    values[used.front()] = v;
    visit(steps.first(v), valueOf(value, values));
  }
  return isAll ? Visited::All : Visited::Ends;
}

/// What a function of the symbols is at most, whichever point it is for.
std::optional<int64_t> ExtentOrder::mostOf(AffineExpr value) {
  auto [entry, isNew] = most.try_emplace(value);
  if (isNew)
    entry->second = computeMost(value);
  return entry->second;
}

std::optional<int64_t> ExtentOrder::computeMost(AffineExpr value) const {
  auto sum = PointSum::of(value);
  if (!sum || sum->factor)
    return std::nullopt;
  value = sum->rest;
  if (auto constant = dyn_cast<AffineConstantExpr>(value))
    return constant.getValue();
  std::optional<int64_t> found;
  if (forValues(value, [&](int64_t, int64_t here) {
        found = std::max(found.value_or(here), here);
      }) != Visited::None)
    return found;
  if (value.isFunctionOfDim(0))
    return std::nullopt;
  auto range = rangeOf(simplifyAffineExpr(value, 0, symbols.size()), symbols);
  return range ? std::optional(range->upper) : std::nullopt;
}

/// Whether it has so few parts that it may become one of others.
static bool isShort(AffineExpr extent) {
  int64_t parts = 0;
  extent.walk([&](AffineExpr) { ++parts; });
  return parts < 64;
}

AffineExpr ExtentOrder::simplest(AffineExpr extent) {
  if (!extent || isa<AffineConstantExpr>(extent))
    return extent;
  if (auto same = known.find(extent); same != known.end())
    return same->second;
  AffineExpr result = extent;
  if (extent.isFunctionOfDim(0)) {
    auto sum = PointSum::of(extent);
    AffineExpr rest = sum ? simplest(sum->rest) : AffineExpr();
    AffineExpr index = getAffineDimExpr(0, extent.getContext());
    if (sum)
      result = rest ? index * sum->factor + rest : AffineExpr();
    else if (!isShort(extent))
      result = {};
  } else {
    // Of all values where they change, however long the steps are in which
    // they are visited. Those of both ends say nothing of others.
    AffineExpr value = withAtoms(extent);
    std::string used;
    for (size_t i = 0; i < symbols.size(); ++i)
      if (value.isFunctionOfSymbol(i))
        used += std::to_string(i) + ",";
    llvm::BLAKE3 ofChanges, ofEnds;
    ofChanges.update(used);
    ofEnds.update("ends of " + used);
    std::optional<int64_t> last;
    Visited visited = forValues(value, [&](int64_t symbol, int64_t value) {
      int64_t pair[] = {symbol, value};
      ofEnds.update(ArrayRef(reinterpret_cast<uint8_t *>(pair), 16));
      pair[0] = last ? symbol : 0;
      if (last != value)
        ofChanges.update(ArrayRef(reinterpret_cast<uint8_t *>(pair), 16));
      last = value;
    });
    if (visited != Visited::None) {
      auto digest = (visited == Visited::All ? ofChanges : ofEnds).final();
      result = byValues.try_emplace(llvm::toHex(digest), extent).first->second;
    } else if (!isShort(extent)) {
      result = {};
    }
  }
  return known[extent] = result;
}

// Ranges of both would do only if no symbol occurred in both.
bool ExtentOrder::isAtLeast(AffineExpr a, AffineExpr b) {
  if (a == b || isAtLeastByForm(a, b))
    return true;
  auto excess = mostOf(withAtoms(b) - withAtoms(a));
  return excess && *excess <= 0;
}

AffineExpr ExtentOrder::largest(AffineExpr a, AffineExpr b) {
  if (a == b || isAtLeastByForm(a, b))
    return a;
  if (isAtLeastByForm(b, a))
    return b;
  // How far each reaches beyond the other one.
  AffineExpr one = withAtoms(a), other = withAtoms(b);
  std::optional<int64_t> beyondA = mostOf(other - one);
  if (beyondA && *beyondA <= 0)
    return a;
  std::optional<int64_t> beyondB = mostOf(one - other);
  if (beyondB && *beyondB <= 0)
    return b;
  if (beyondA && (!beyondB || *beyondA <= *beyondB))
    return a + *beyondA;
  return beyondB ? b + *beyondB : AffineExpr();
}

AffineExpr ExtentOrder::largest(ArrayRef<AffineExpr> extents) {
  AffineExpr all = extents.empty() ? AffineExpr() : extents.front();
  for (AffineExpr extent : extents)
    all = all && extent ? largest(all, extent) : AffineExpr();
  return all;
}
