//===- ShapeArithmetic.cpp - extents as expressions of symbols ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Dialect/Glow/IR/ShapeArithmetic.h"
#include "glow/Dialect/Glow/IR/ExtentProduct.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "llvm/ADT/TypeSwitch.h"
#include <numeric>

using namespace mlir;
using namespace mlir::glow;

static std::optional<int64_t> numberIn(AffineExpr expression) {
  auto constant = dyn_cast_or_null<AffineConstantExpr>(expression);
  return constant ? std::optional(constant.getValue()) : std::nullopt;
}

static unsigned numSymbols(AffineExpr expression) {
  unsigned count = 0;
  expression.walk([&](AffineExpr part) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
      count = std::max(count, symbol.getPosition() + 1);
  });
  return count;
}

static AffineExpr flatten(AffineExpr expression);

/// `numerator` divided by `divisor`, rounded down: one division where the
/// numerator is a quotient and a number, as strided windows over the result of
/// strided windows have it, by no more than is needed, and a number in it from
/// 0 to `divisor` - 1.
static AffineExpr divideFlat(AffineExpr numerator, int64_t divisor) {
  AffineExpr rest = numerator;
  int64_t number = 0;
  auto sum = dyn_cast<AffineBinaryOpExpr>(numerator);
  if (sum && sum.getKind() == AffineExprKind::Add && numberIn(sum.getRHS())) {
    rest = sum.getLHS();
    number = *numberIn(sum.getRHS());
  }
  auto inner = dyn_cast<AffineBinaryOpExpr>(rest);
  int64_t scaled, product;
  if (inner && inner.getKind() == AffineExprKind::FloorDiv) {
    auto by = numberIn(inner.getRHS());
    if (by && *by > 0 && !llvm::MulOverflow(number, *by, scaled) &&
        !llvm::MulOverflow(divisor, *by, product))
      return divideFlat(flatten(inner.getLHS() + scaled), product);
  }
  // Of what is divided without a rest no more of the number counts.
  auto known = static_cast<int64_t>(rest.getLargestKnownDivisor());
  if (int64_t common = std::gcd(known, divisor); common > 1) {
    AffineExpr part =
        simplifyAffineExpr(rest.floorDiv(common), 0, numSymbols(rest));
    number = llvm::divideFloorSigned(number, common);
    return divideFlat(flatten(part + number), divisor / common);
  }
  int64_t whole = llvm::divideFloorSigned(number, divisor);
  return (rest + (number - whole * divisor)).floorDiv(divisor) + whole;
}

/// `expression` with sums in one order and no division of a quotient.
static AffineExpr flatten(AffineExpr expression) {
  auto binary = dyn_cast<AffineBinaryOpExpr>(expression);
  if (!binary)
    return expression;
  AffineExpr lhs = flatten(binary.getLHS()), rhs = flatten(binary.getRHS());
  auto divisor = numberIn(rhs);
  bool isDivided = divisor && *divisor > 0;
  if (isDivided && binary.getKind() == AffineExprKind::FloorDiv)
    return divideFlat(lhs, *divisor);
  if (isDivided && binary.getKind() == AffineExprKind::CeilDiv)
    return divideFlat(flatten(lhs + (*divisor - 1)), *divisor);
  AffineExpr result = getAffineBinaryOpExpr(binary.getKind(), lhs, rhs);
  return simplifyAffineExpr(result, 0, numSymbols(result));
}

AffineExpr glow::simplifySum(AffineExpr expression) {
  return expression.getKind() == AffineExprKind::Add ? flatten(expression)
                                                     : expression;
}

bool glow::areEqual(AffineExpr a, AffineExpr b) {
  if (a == b)
    return true;
  if (numberIn(a) && numberIn(b))
    return false;
  return numberIn(flatten(a - b)) == int64_t(0);
}

bool glow::isShapeLike(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isInteger() &&
         (type.hasStaticShape()
              ? type.getRank() <= 2 && type.getNumElements() <= kMaxShapeInts
              : type.getRank() <= 1);
}

static bool isMatrix(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() > 1;
}

namespace {
/// Follows one op. Whatever is not certain for all values of the symbols is
/// left unknown.
class OpFollower {
public:
  OpFollower(Operation *op, const ShapeFacts &facts)
      : context(op->getContext()), facts(facts) {}

  ShapeInts follow(Operation *op) {
    // The elements of matrices are followed through moves alone.
    bool followsMatrices =
        isa<ShapeOfOp, ReshapeOp, SqueezeOp, UnsqueezeOp, SliceOp, TransposeOp>(
            op);
    if (!followsMatrices && (isMatrix(op->getResult(0)) ||
                             llvm::any_of(op->getOperands(), isMatrix)))
      return std::nullopt;
    return llvm::TypeSwitch<Operation *, ShapeInts>(op)
        .Case<ReshapeOp, SqueezeOp, UnsqueezeOp>(
            [&](auto op) { return facts.elements(op.getInput()); })
        .Case<ShapeOfOp, CastOp, GatherOp, ConcatOp, SliceOp, TransposeOp,
              ReduceOp, WhereOp, NegOp, RangeOp, SplatOp, ExpandOp>(
            [&](auto op) { return followThis(op); })
        .Case([&](AddOp op) { return combine(op, &OpFollower::add); })
        .Case([&](SubOp op) {
          return combine(op, [this](AffineExpr a, AffineExpr b) {
            return add(a, multiply(b, number(-1)));
          });
        })
        .Case([&](MulOp op) { return combine(op, &OpFollower::multiply); })
        .Case([&](DivOp op) { return combine(op, &OpFollower::divide); })
        .Case([&](ModOp op) { return combine(op, &OpFollower::modulo); })
        .Case([&](MaximumOp op) { return combine(op, &OpFollower::larger); })
        .Case([&](MinimumOp op) { return combine(op, &OpFollower::smaller); })
        .Case([&](OrOp op) { return combine(op, &OpFollower::larger); })
        .Case([&](EqualOp op) { return combine(op, &OpFollower::equal); })
        .Case([&](LessOp op) { return combine(op, &OpFollower::isLess); })
        .Case([&](GreaterOp op) {
          return combine(
              op, [this](AffineExpr a, AffineExpr b) { return isLess(b, a); });
        })
        .Default([](Operation *) { return ShapeInts(); });
  }

private:
  AffineExpr number(int64_t value) {
    return getAffineConstantExpr(value, context);
  }

  // -- One element from two; null if it is not certain.

  AffineExpr add(AffineExpr a, AffineExpr b) {
    if (!a || !b)
      return {};
    auto x = numberIn(a), y = numberIn(b);
    int64_t sum;
    if (x && y)
      return __builtin_add_overflow(*x, *y, &sum) ? AffineExpr() : number(sum);
    return simplifySum(a + b);
  }

  AffineExpr multiply(AffineExpr a, AffineExpr b) {
    if (!a || !b)
      return {};
    auto x = numberIn(a), y = numberIn(b);
    int64_t product;
    if (x && y)
      return __builtin_mul_overflow(*x, *y, &product) ? AffineExpr()
                                                      : number(product);
    return a * b;
  }

  AffineExpr divide(AffineExpr a, AffineExpr b) {
    auto x = numberIn(a), y = numberIn(b);
    if (x && y)
      return *y == 0 || (*x == INT64_MIN && *y == -1) ? AffineExpr()
                                                      : number(*x / *y);
    // The op rounds to zero, the expression down.
    auto from = facts.range(a), by = facts.range(b);
    if (!from || !by || by->lower < 1)
      return {};
    if (from->lower > -by->lower && from->upper < by->lower)
      return number(0);
    if (from->lower < 0)
      return from->upper > 0
                 ? AffineExpr()
                 : multiply(divide(multiply(a, number(-1)), b), number(-1));
    if (!y) {
      // No factor is 0, as the divisor is not.
      ExtentProduct top(a), bottom(b);
      top.cancel(bottom);
      a = top.expression(context);
      b = bottom.expression(context);
    }
    return simplifyAffineExpr(a.floorDiv(b), 0,
                              std::max(numSymbols(a), numSymbols(b)));
  }

  AffineExpr modulo(AffineExpr a, AffineExpr b) {
    auto by = facts.range(b);
    if (!by || by->lower < 1)
      return {};
    auto from = facts.range(a);
    if (from && from->lower >= 0 && from->upper < by->lower)
      return a;
    if (from && from->upper < 0 && from->lower >= -by->lower)
      return simplifySum(a + b);
    return simplifyAffineExpr(a % b, 0, std::max(numSymbols(a), numSymbols(b)));
  }

  AffineExpr isLess(AffineExpr a, AffineExpr b) {
    auto x = facts.range(a), y = facts.range(b);
    if (x && y && x->upper < y->lower)
      return number(1);
    if (x && y && x->lower >= y->upper)
      return number(0);
    auto difference = facts.range(simplifySum(a - b));
    if (!difference || (difference->lower < 0 && difference->upper >= 0))
      return {};
    return number(difference->upper < 0);
  }

  bool isAtMost(AffineExpr a, AffineExpr b) {
    return numberIn(isLess(b, a)) == int64_t(0);
  }

  AffineExpr larger(AffineExpr a, AffineExpr b) {
    return isAtMost(a, b) ? b : isAtMost(b, a) ? a : AffineExpr();
  }

  AffineExpr smaller(AffineExpr a, AffineExpr b) {
    return isAtMost(a, b) ? a : isAtMost(b, a) ? b : AffineExpr();
  }

  AffineExpr equal(AffineExpr a, AffineExpr b) {
    if (areEqual(a, b))
      return number(1);
    auto x = facts.range(a), y = facts.range(b);
    if (x && y && (x->upper < y->lower || y->upper < x->lower))
      return number(0);
    return {};
  }

  AffineExpr choose(AffineExpr condition, AffineExpr a, AffineExpr b) {
    auto value = numberIn(condition);
    return !value ? AffineExpr() : *value ? a : b;
  }

  // -- Ops.

  ShapeInts followThis(ShapeOfOp op) {
    SmallVector<AffineExpr> extents;
    for (int64_t axis = op.getStart(); axis < (int64_t)op.getEnd(); ++axis)
      extents.push_back(facts.extent(op.getInput(), axis));
    return extents;
  }

  /// Only between signed integers that hold the value.
  ShapeInts followThis(CastOp op) {
    auto to = dyn_cast<IntegerType>(op.getTo());
    if (!to || to.isUnsigned() || to.getWidth() < 32)
      return std::nullopt;
    ShapeInts values = facts.elements(op.getInput());
    if (!values || to.getWidth() > 32)
      return values;
    for (AffineExpr &value : *values) {
      auto range = value ? facts.range(value) : std::nullopt;
      if (!range || range->lower < INT32_MIN || range->upper > INT32_MAX)
        value = {};
    }
    return values;
  }

  ShapeInts followThis(GatherOp op) {
    auto indices = constantInts(op.getIndices());
    ShapeInts values = facts.elements(op.getInput());
    if (!values || !indices)
      return std::nullopt;
    int64_t size = values->size();
    SmallVector<AffineExpr> chosen;
    for (int64_t index : *indices) {
      int64_t place = index < 0 ? index + size : index;
      chosen.push_back(place >= 0 && place < size ? (*values)[place]
                                                  : AffineExpr());
    }
    return chosen;
  }

  ShapeInts followThis(ConcatOp op) {
    SmallVector<AffineExpr> all;
    for (Value input : op.getInputs()) {
      ShapeInts values = facts.elements(input);
      if (!values)
        return std::nullopt;
      llvm::append_range(all, *values);
    }
    return all;
  }

  /// The only element of an operand, if it is a number.
  std::optional<int64_t> single(Value operand) {
    ShapeInts values = facts.elements(operand);
    return values && values->size() == 1 ? numberIn(values->front())
                                         : std::nullopt;
  }

  ShapeInts followThis(SliceOp op) {
    auto start = single(op.getStarts()), end = single(op.getEnds());
    auto step = single(op.getSteps());
    ShapeInts values = facts.elements(op.getInput());
    if (!values || !start || !end || !step || *step == 0)
      return std::nullopt;
    // Elements that stay together, and how many of these there are in turn.
    int64_t run = 1, extent = values->size();
    if (isMatrix(op.getInput())) {
      ArrayRef<int64_t> dims = dimsOf(op.getInput());
      if (dims[0] * dims[1] != extent)
        return std::nullopt;
      extent = dims[op.getAxes()[0]];
      run = op.getAxes()[0] == 0 ? dims[1] : 1;
    }
    SliceRange range = sliceRange(extent, *start, *end, *step);
    SmallVector<AffineExpr> part;
    for (int64_t at = 0, e = values->size(); at < e; at += extent * run)
      for (int64_t i = 0; i < range.size; ++i)
        llvm::append_range(part,
                           ArrayRef(*values).slice(
                               at + (range.start + i * range.step) * run, run));
    return part;
  }

  ShapeInts followThis(TransposeOp op) {
    ShapeInts values = facts.elements(op.getInput());
    if (!values || op.getPermutation() != ArrayRef<int64_t>{1, 0})
      return std::nullopt;
    int64_t rows = dimsOf(op.getInput())[0], columns = dimsOf(op.getInput())[1];
    if (rows * columns != static_cast<int64_t>(values->size()))
      return std::nullopt;
    SmallVector<AffineExpr> turned;
    for (int64_t column = 0; column < columns; ++column)
      for (int64_t row = 0; row < rows; ++row)
        turned.push_back((*values)[row * columns + column]);
    return turned;
  }

  ShapeInts followThis(ReduceOp op) {
    using Combine = AffineExpr (OpFollower::*)(AffineExpr, AffineExpr);
    Combine two = nullptr;
    AffineExpr none; // of no elements
    switch (op.getKind()) {
    case ReduceKind::Sum:
      two = &OpFollower::add, none = number(0);
      break;
    case ReduceKind::Prod:
      two = &OpFollower::multiply, none = number(1);
      break;
    case ReduceKind::Max:
      two = &OpFollower::larger;
      break;
    case ReduceKind::Min:
      two = &OpFollower::smaller;
      break;
    default:
      return std::nullopt;
    }
    ShapeInts values = facts.elements(op.getInput());
    if (!values || op.getAxes().empty())
      return std::nullopt;
    if (values->empty())
      return SmallVector<AffineExpr>{none};
    AffineExpr all = values->front();
    for (AffineExpr value : llvm::drop_begin(*values))
      all = all && value ? (this->*two)(all, value) : AffineExpr();
    return SmallVector<AffineExpr>{all};
  }

  ShapeInts followThis(WhereOp op) {
    ShapeInts condition = facts.elements(op.getCondition());
    ShapeInts lhs = facts.elements(op.getLhs());
    ShapeInts rhs = facts.elements(op.getRhs());
    if (!condition || !lhs || !rhs)
      return std::nullopt;
    SmallVector<AffineExpr> chosen;
    for (size_t i = 0,
                e = std::max({condition->size(), lhs->size(), rhs->size()});
         i < e; ++i) {
      auto at = [&](const ShapeInts &list) {
        return list->size() == 1  ? list->front()
               : i < list->size() ? (*list)[i]
                                  : AffineExpr();
      };
      chosen.push_back(choose(at(condition), at(lhs), at(rhs)));
    }
    return chosen;
  }

  ShapeInts followThis(NegOp op) {
    ShapeInts values = facts.elements(op.getInput());
    for (AffineExpr &value : values ? *values : MutableArrayRef<AffineExpr>())
      value = multiply(value, number(-1));
    return values;
  }

  /// The first `count` elements of `from` on, `step` apart.
  ShapeInts followThis(RangeOp op) {
    ShapeInts start = facts.elements(op.getStart());
    auto step = single(op.getDelta());
    int64_t count = dimsOf(op.getResult())[0];
    if (!start || !step || ShapedType::isDynamic(count) ||
        count > kMaxShapeInts)
      return std::nullopt;
    SmallVector<AffineExpr> all;
    for (int64_t i = 0; i < count; ++i)
      all.push_back(add(start->front(), multiply(number(i), number(*step))));
    return all;
  }

  /// As often as the result's type says.
  ShapeInts repeat(Value result, Value input) {
    ShapeInts values = facts.elements(input);
    auto type = cast<RankedTensorType>(result.getType());
    if (!values || values->size() != 1 || !type.hasStaticShape() ||
        type.getNumElements() > kMaxShapeInts)
      return std::nullopt;
    return SmallVector<AffineExpr>(type.getNumElements(), values->front());
  }
  ShapeInts followThis(SplatOp op) {
    return repeat(op.getResult(), op.getValue());
  }
  ShapeInts followThis(ExpandOp op) {
    return repeat(op.getResult(), op.getInput());
  }

  template <typename Op>
  ShapeInts combine(Op op, AffineExpr (OpFollower::*function)(AffineExpr,
                                                              AffineExpr)) {
    return combine(op, [&](AffineExpr a, AffineExpr b) {
      return (this->*function)(a, b);
    });
  }
  template <typename Op, typename Function>
  ShapeInts combine(Op op, Function function) {
    ShapeInts lhs = facts.elements(op.getLhs());
    ShapeInts rhs = facts.elements(op.getRhs());
    if (!lhs || !rhs ||
        (lhs->size() != rhs->size() && lhs->size() != 1 && rhs->size() != 1))
      return std::nullopt;
    SmallVector<AffineExpr> result;
    for (size_t i = 0, e = lhs->size() == 1 ? rhs->size() : lhs->size(); i < e;
         ++i) {
      AffineExpr a = lhs->size() == 1 ? lhs->front() : (*lhs)[i];
      AffineExpr b = rhs->size() == 1 ? rhs->front() : (*rhs)[i];
      result.push_back(a && b ? function(a, b) : AffineExpr());
    }
    return result;
  }

  MLIRContext *context;
  const ShapeFacts &facts;
};
} // namespace

ShapeInts glow::followShapeOp(Operation *op, const ShapeFacts &facts) {
  return OpFollower(op, facts).follow(op);
}
