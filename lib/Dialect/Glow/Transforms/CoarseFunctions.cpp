//===- CoarseFunctions.cpp - what need not have all digits ----------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A product or quotient of a function has the function's relative error. A
// difference may lose its leading digits, and so may a logarithm: log(1 -
// sigmoid x) needs all that sigmoid has.
//
//===----------------------------------------------------------------------===//
#include "CoarseFunctions.h"
#include "glow/Dialect/Glow/IR/Glow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

static bool isOne(Value value) { return matchPattern(value, m_OneFloat()); }

/// Whether relative errors of `value` are the result's: on all ways there are
/// multiplications alone.
static bool isScaledOnly(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    if (isa<glow::YieldOp>(user))
      return true;
    return isa<arith::MulFOp, arith::DivFOp, arith::NegFOp, arith::SelectOp,
               arith::TruncFOp>(user) &&
           isScaledOnly(user->getResult(0));
  });
}

/// The same of a function, which may be added to 1 before: exp is positive, and
/// what GELU loses of a sum with -1 is little beside its argument.
static bool isScaledOrBesideOne(Value value) {
  if (isScaledOnly(value))
    return true;
  return llvm::all_of(value.getUsers(), [&](Operation *user) {
    auto sum = dyn_cast<arith::AddFOp>(user);
    return sum && (isOne(sum.getLhs()) || isOne(sum.getRhs())) &&
           isScaledOnly(sum);
  });
}

void glow::permitCoarseFunctions(Block &block) {
  for (Operation &op : block) {
    auto function = dyn_cast<arith::ArithFastMathInterface>(op);
    bool isCoarse = false;
    if (isa<math::ExpOp, math::ErfOp, math::TanhOp>(op))
      isCoarse = isScaledOrBesideOne(op.getResult(0));
    else if (auto quotient = dyn_cast<arith::DivFOp>(op))
      isCoarse = isOne(quotient.getLhs()) && isScaledOnly(quotient);
    if (function && isCoarse)
      op.setAttr(
          function.getFastMathAttrName(),
          arith::FastMathFlagsAttr::get(
              op.getContext(), function.getFastMathFlagsAttr().getValue() |
                                   arith::FastMathFlags::afn));
  }
}
