//===- Logarithms.cpp - log x and log(1 + x) ------------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A number is 2^n (1 + f) with 1 + f between the root of 1/2 and that of 2, and
// its logarithm n log 2 + f + f^2 p(f). The polynomial has the least relative
// error of the sum without n, 4e-9.
//
//===----------------------------------------------------------------------===//
#include "MathPatterns.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

using P = ScalarBuilder::Predicate;

ScalarBuilder glow::integers(ScalarBuilder &b) {
  Type type = b.builder.getI32Type();
  return {b.builder, b.loc, type, type};
}

Value glow::bitsOf(ScalarBuilder &b, Value x) {
  Type bits = withElement(x.getType(), b.builder.getI32Type());
  return arith::BitcastOp::create(b.builder, b.loc, bits, x);
}

Value glow::numberOf(ScalarBuilder &b, Value bits) {
  Type number = withElement(bits.getType(), b.builder.getF32Type());
  return arith::BitcastOp::create(b.builder, b.loc, number, bits);
}

namespace {
/// 2^n (1 + f).
struct Parts {
  /// n, and its bits where a number has its exponent.
  Value exponent, exponentBits;
  Value fraction;
};
} // namespace

/// Of what is positive, finite and not subnormal; anything of other numbers.
static Parts partsOf(ScalarBuilder &b, Value x) {
  ScalarBuilder i = integers(b);
  Value bits = bitsOf(b, x);
  // The bits of the root of 1/2: what is above it has n of 0 or more.
  Value beyond = i.sub(bits, i.constant(bits, 0x3f3504f3));
  Value exponentBits = i.andi(beyond, i.constant(bits, int32_t(0xff800000)));
  Value exponent =
      arith::ShRSIOp::create(b.builder, b.loc, beyond, i.constant(bits, 23));
  exponent = arith::SIToFPOp::create(b.builder, b.loc, x.getType(), exponent);
  Value fraction = b.sub(numberOf(b, i.sub(bits, exponentBits)), b.one(x));
  return {exponent, exponentBits, fraction};
}

/// n log 2 + log(1 + f).
static Value logOfParts(ScalarBuilder &b, Value n, Value f) {
  Value sum = polynomial(b, f,
                         {-0.499999883, 0.333333257, -0.25001583, 0.200019741,
                          -0.166090823, 0.141818229, -0.132429875, 0.12904446,
                          -0.0762179382});
  // The second part of log 2 is what the first one, with 16 bits, lacks.
  sum =
      fma(b, n, b.constant(f, 0x1.7f7d1cf79abcap-20), b.mul(b.mul(f, f), sum));
  return fma(b, n, b.constant(f, 0x1.62e4p-1), b.add(f, sum));
}

/// `log` where the logarithm's argument is positive and finite; infinities of
/// 0 and of infinity, NaN below 0.
static Value withLimits(ScalarBuilder &b, Value argument, Value log) {
  Value zero = b.zero(argument);
  Value isFinite = b.compare(P::lt, argument, b.constant(argument, INFINITY));
  Value limit =
      b.select(b.compare(P::eq, argument, zero),
               b.constant(argument, -INFINITY), b.constant(argument, NAN));
  log = b.select(isFinite, log, argument);
  return b.select(b.compare(P::le, argument, zero), limit, log);
}

Value glow::logByReduction(ScalarBuilder &b, Value x) {
  // Subnormal numbers are made normal.
  Value isTiny = b.compare(P::lt, x, b.constant(x, 0x1p-126));
  Parts parts =
      partsOf(b, b.select(isTiny, b.mul(x, b.constant(x, 0x1p24)), x));
  Value n = parts.exponent;
  n = b.select(isTiny, b.sub(n, b.constant(n, 24)), n);
  return withLimits(b, x, logOfParts(b, n, parts.fraction));
}

Value glow::log1pByReduction(ScalarBuilder &b, Value x) {
  Value sum = b.add(x, b.one(x));
  Parts parts = partsOf(b, sum);
  // What the sum has lost of x, divided by 2^n; nothing where that is not a
  // normal number.
  Value lost = b.sub(x, b.sub(sum, b.one(x)));
  ScalarBuilder i = integers(b);
  Value bits =
      i.sub(i.constant(parts.exponentBits, 0x3f800000), parts.exponentBits);
  Value scale = numberOf(b, i.max(bits, i.zero(bits)));
  Value f = fma(b, lost, scale, parts.fraction);
  return withLimits(b, sum, logOfParts(b, parts.exponent, f));
}
