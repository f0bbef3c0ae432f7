//===- LaneFunctions.cpp - what each arith and math op does ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One table from op name to a function on registers. Floats are computed in
// double and rounded to the op's type; this is exact for + - * / and sqrt, as
// double has more than twice the precision of f32.
//
//===----------------------------------------------------------------------===//
#include "LaneProgram.h"
#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

// -- Shapes of functions ----------------------------------------------------------

template <double (*F)(double)>
static void floatUnary(const LaneStep &s, size_t count) {
  const double *a = s.in[0]->floats.data();
  double *r = s.out->floats.data();
  for (size_t i = 0; i < count; ++i)
    r[i] = F(a[i]);
  s.out->format->round(r, count);
}
template <double (*F)(double, double)>
static void floatBinary(const LaneStep &s, size_t count) {
  const double *a = s.in[0]->floats.data(), *b = s.in[1]->floats.data();
  double *r = s.out->floats.data();
  for (size_t i = 0; i < count; ++i)
    r[i] = F(a[i], b[i]);
  s.out->format->round(r, count);
}
template <bool (*F)(double)>
static void floatTest(const LaneStep &s, size_t count) {
  for (size_t i = 0; i < count; ++i)
    s.out->ints[i] = F(s.in[0]->floats[i]);
}

/// Integer ops see sign-extended operands, or zero-extended ones.
template <int64_t (*F)(int64_t, int64_t, unsigned)>
static void signedBinary(const LaneStep &s, size_t count) {
  const int64_t *a = s.in[0]->ints.data(), *b = s.in[1]->ints.data();
  int64_t *r = s.out->ints.data();
  unsigned width = s.out->format->bits();
  for (size_t i = 0; i < count; ++i)
    r[i] = F(a[i], b[i], width);
  s.out->format->wrap(r, count);
}
template <uint64_t (*F)(uint64_t, uint64_t, unsigned)>
static void unsignedBinary(const LaneStep &s, size_t count) {
  const int64_t *a = s.in[0]->ints.data(), *b = s.in[1]->ints.data();
  int64_t *r = s.out->ints.data();
  unsigned width = s.out->format->bits();
  uint64_t mask = ~uint64_t(0) >> (64 - width);
  for (size_t i = 0; i < count; ++i)
    r[i] = F(a[i] & mask, b[i] & mask, width);
  s.out->format->wrap(r, count);
}

// -- Floats -------------------------------------------------------------------------

static double addF(double a, double b) { return a + b; }
static double subF(double a, double b) { return a - b; }
static double mulF(double a, double b) { return a * b; }
static double divF(double a, double b) { return a / b; }
static double negF(double a) { return -a; }
static double rsqrtF(double a) { return 1.0 / std::sqrt(a); }
static double sameF(double a) { return a; }
/// NaN if either operand is; -0 is less than +0.
static double maximumF(double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::nan("");
  return a == b ? (std::signbit(a) ? b : a) : std::max(a, b);
}
static double minimumF(double a, double b) {
  return -maximumF(-a, -b);
}
static bool isNaN(double a) { return std::isnan(a); }
static bool isInf(double a) { return std::isinf(a); }
static bool isFinite(double a) { return std::isfinite(a); }

static void fmaF(const LaneStep &s, size_t count) {
  for (size_t i = 0; i < count; ++i)
    s.out->floats[i] = std::fma(s.in[0]->floats[i], s.in[1]->floats[i],
                                s.in[2]->floats[i]);
  s.out->format->round(s.out->floats.data(), count);
}

static void compareF(const LaneStep &s, size_t count) {
  // What each predicate accepts: 1 equal, 2 greater, 4 less, 8 unordered.
  static constexpr int64_t accepted[] = {0, 1, 2,  3,  4,  5,  6, 7,
                                         9, 10, 11, 12, 13, 14, 8, 15};
  for (size_t i = 0; i < count; ++i) {
    double a = s.in[0]->floats[i], b = s.in[1]->floats[i];
    int64_t relation = a == b ? 1 : a > b ? 2 : a < b ? 4 : 8;
    s.out->ints[i] = (accepted[s.predicate] & relation) != 0;
  }
}

// -- Integers -------------------------------------------------------------------------

static uint64_t addI(uint64_t a, uint64_t b, unsigned) { return a + b; }
static uint64_t subI(uint64_t a, uint64_t b, unsigned) { return a - b; }
static uint64_t mulI(uint64_t a, uint64_t b, unsigned) { return a * b; }
static uint64_t andI(uint64_t a, uint64_t b, unsigned) { return a & b; }
static uint64_t orI(uint64_t a, uint64_t b, unsigned) { return a | b; }
static uint64_t xorI(uint64_t a, uint64_t b, unsigned) { return a ^ b; }
static uint64_t maxUI(uint64_t a, uint64_t b, unsigned) { return std::max(a, b); }
static uint64_t minUI(uint64_t a, uint64_t b, unsigned) { return std::min(a, b); }
static int64_t maxSI(int64_t a, int64_t b, unsigned) { return std::max(a, b); }
static int64_t minSI(int64_t a, int64_t b, unsigned) { return std::min(a, b); }
// Division by zero and shifts by the width are undefined in arith; here they
// give 0 so that no input can stop the interpreter.
static uint64_t divUI(uint64_t a, uint64_t b, unsigned) { return b ? a / b : 0; }
static uint64_t remUI(uint64_t a, uint64_t b, unsigned) { return b ? a % b : 0; }
static int64_t divSI(int64_t a, int64_t b, unsigned) {
  if (b == -1)
    return static_cast<int64_t>(0 - static_cast<uint64_t>(a));
  return b ? a / b : 0;
}
static int64_t remSI(int64_t a, int64_t b, unsigned) {
  return b == 0 || b == -1 ? 0 : a % b;
}
static uint64_t shlI(uint64_t a, uint64_t b, unsigned width) {
  return b < width ? a << b : 0;
}
static uint64_t shrUI(uint64_t a, uint64_t b, unsigned width) {
  return b < width ? a >> b : 0;
}
static int64_t shrSI(int64_t a, int64_t b, unsigned width) {
  return b >= 0 && b < width ? a >> b : 0;
}
/// A negative power is 0 unless the base is 1 or -1.
static int64_t powI(int64_t base, int64_t exponent, unsigned) {
  if (exponent < 0) {
    if (base == -1)
      return exponent % 2 ? -1 : 1;
    return base == 1;
  }
  uint64_t result = 1, square = base;
  for (; exponent; exponent >>= 1, square *= square)
    if (exponent & 1)
      result *= square;
  return static_cast<int64_t>(result);
}

static void absI(const LaneStep &s, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    uint64_t a = s.in[0]->ints[i];
    s.out->ints[i] = s.in[0]->ints[i] < 0 ? 0 - a : a;
  }
  s.out->format->wrap(s.out->ints.data(), count);
}

static void compareI(const LaneStep &s, size_t count) {
  uint64_t mask = ~uint64_t(0) >> (64 - s.in[0]->format->bits());
  // eq, ne, then slt, sle, sgt, sge, then the same unsigned.
  static constexpr int64_t accepted[] = {1, 6, 4, 5, 2, 3, 4, 5, 2, 3};
  for (size_t i = 0; i < count; ++i) {
    int64_t a = s.in[0]->ints[i], b = s.in[1]->ints[i];
    bool less = s.predicate < 6 ? a < b : (a & mask) < (b & mask);
    int64_t relation = a == b ? 1 : less ? 4 : 2;
    s.out->ints[i] = (accepted[s.predicate] & relation) != 0;
  }
}

// -- Conversions and choice -------------------------------------------------------------

static void select(const LaneStep &s, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const LaneRegister &chosen = *s.in[s.in[0]->ints[i] ? 1 : 2];
    if (s.out->format->isFloat())
      s.out->floats[i] = chosen.floats[i];
    else
      s.out->ints[i] = chosen.ints[i];
  }
}

/// A true boolean is -1 to an op that reads it as signed.
static int64_t asSigned(const LaneRegister &lanes, size_t i) {
  return lanes.format->bits() == 1 ? -lanes.ints[i] : lanes.ints[i];
}
static uint64_t asUnsigned(const LaneRegister &lanes, size_t i) {
  return lanes.ints[i] & (~uint64_t(0) >> (64 - lanes.format->bits()));
}

template <bool isUnsigned>
static void intToInt(const LaneStep &s, size_t count) {
  for (size_t i = 0; i < count; ++i)
    s.out->ints[i] = isUnsigned ? asUnsigned(*s.in[0], i)
                                : asSigned(*s.in[0], i);
  s.out->format->wrap(s.out->ints.data(), count);
}

template <typename Int>
static double intToDouble(Int value, bool single) {
  // Straight to f32: by way of double, large integers would be rounded twice.
  return single ? static_cast<float>(value) : static_cast<double>(value);
}
template <bool isUnsigned>
static void intToFloat(const LaneStep &s, size_t count) {
  bool single = s.out->format->bits() == 32;
  for (size_t i = 0; i < count; ++i)
    s.out->floats[i] = isUnsigned
                           ? intToDouble(asUnsigned(*s.in[0], i), single)
                           : intToDouble(asSigned(*s.in[0], i), single);
  s.out->format->round(s.out->floats.data(), count);
}

/// Out of range is undefined in arith; here it saturates at 64 bits.
template <bool isUnsigned>
static void floatToInt(const LaneStep &s, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    double value = s.in[0]->floats[i];
    uint64_t bits;
    if (std::isnan(value))
      bits = 0;
    else if (isUnsigned)
      bits = value <= 0 ? 0 : value >= 0x1p64 ? ~uint64_t(0) : uint64_t(value);
    else
      bits = value >= 0x1p63    ? uint64_t(INT64_MAX)
             : value < -0x1p63 ? uint64_t(INT64_MIN)
                               : uint64_t(int64_t(value));
    s.out->ints[i] = static_cast<int64_t>(bits);
  }
  s.out->format->wrap(s.out->ints.data(), count);
}

/// The same bytes read as another type of the same width.
static void bitcast(const LaneStep &s, size_t count) {
  std::vector<char> bytes(count * s.in[0]->format->bytes());
  if (s.in[0]->format->isFloat())
    s.in[0]->format->write(s.in[0]->floats.data(), count, bytes.data());
  else
    s.in[0]->format->write(s.in[0]->ints.data(), count, bytes.data());
  if (s.out->format->isFloat())
    s.out->format->read(bytes.data(), count, s.out->floats.data());
  else
    s.out->format->read(bytes.data(), count, s.out->ints.data());
}

// -- The table ------------------------------------------------------------------------

LaneFunction glow::findLaneFunction(StringRef operationName) {
  static const llvm::StringMap<LaneFunction> table = {
      {"arith.addf", floatBinary<addF>},
      {"arith.subf", floatBinary<subF>},
      {"arith.mulf", floatBinary<mulF>},
      {"arith.divf", floatBinary<divF>},
      {"arith.remf", floatBinary<::fmod>},
      {"arith.maximumf", floatBinary<maximumF>},
      {"arith.minimumf", floatBinary<minimumF>},
      {"arith.maxnumf", floatBinary<::fmax>},
      {"arith.minnumf", floatBinary<::fmin>},
      {"arith.negf", floatUnary<negF>},
      {"arith.extf", floatUnary<sameF>},
      {"arith.truncf", floatUnary<sameF>},
      {"arith.cmpf", compareF},
      {"arith.addi", unsignedBinary<addI>},
      {"arith.subi", unsignedBinary<subI>},
      {"arith.muli", unsignedBinary<mulI>},
      {"arith.andi", unsignedBinary<andI>},
      {"arith.ori", unsignedBinary<orI>},
      {"arith.xori", unsignedBinary<xorI>},
      {"arith.maxui", unsignedBinary<maxUI>},
      {"arith.minui", unsignedBinary<minUI>},
      {"arith.maxsi", signedBinary<maxSI>},
      {"arith.minsi", signedBinary<minSI>},
      {"arith.divui", unsignedBinary<divUI>},
      {"arith.remui", unsignedBinary<remUI>},
      {"arith.divsi", signedBinary<divSI>},
      {"arith.remsi", signedBinary<remSI>},
      {"arith.shli", unsignedBinary<shlI>},
      {"arith.shrui", unsignedBinary<shrUI>},
      {"arith.shrsi", signedBinary<shrSI>},
      {"arith.cmpi", compareI},
      {"arith.select", select},
      {"arith.extsi", intToInt<false>},
      {"arith.extui", intToInt<true>},
      {"arith.trunci", intToInt<false>},
      {"arith.sitofp", intToFloat<false>},
      {"arith.uitofp", intToFloat<true>},
      {"arith.fptosi", floatToInt<false>},
      {"arith.fptoui", floatToInt<true>},
      {"arith.bitcast", bitcast},
      {"math.absf", floatUnary<::fabs>},
      {"math.absi", absI},
      {"math.acos", floatUnary<::acos>},
      {"math.acosh", floatUnary<::acosh>},
      {"math.asin", floatUnary<::asin>},
      {"math.asinh", floatUnary<::asinh>},
      {"math.atan", floatUnary<::atan>},
      {"math.atan2", floatBinary<::atan2>},
      {"math.atanh", floatUnary<::atanh>},
      {"math.cbrt", floatUnary<::cbrt>},
      {"math.ceil", floatUnary<::ceil>},
      {"math.copysign", floatBinary<::copysign>},
      {"math.cos", floatUnary<::cos>},
      {"math.cosh", floatUnary<::cosh>},
      {"math.erf", floatUnary<::erf>},
      {"math.erfc", floatUnary<::erfc>},
      {"math.exp", floatUnary<::exp>},
      {"math.exp2", floatUnary<::exp2>},
      {"math.expm1", floatUnary<::expm1>},
      {"math.floor", floatUnary<::floor>},
      {"math.fma", fmaF},
      {"math.ipowi", signedBinary<powI>},
      {"math.isfinite", floatTest<isFinite>},
      {"math.isinf", floatTest<isInf>},
      {"math.isnan", floatTest<isNaN>},
      {"math.log", floatUnary<::log>},
      {"math.log10", floatUnary<::log10>},
      {"math.log1p", floatUnary<::log1p>},
      {"math.log2", floatUnary<::log2>},
      {"math.powf", floatBinary<::pow>},
      {"math.round", floatUnary<::round>},
      {"math.roundeven", floatUnary<::nearbyint>},
      {"math.rsqrt", floatUnary<rsqrtF>},
      {"math.sin", floatUnary<::sin>},
      {"math.sinh", floatUnary<::sinh>},
      {"math.sqrt", floatUnary<::sqrt>},
      {"math.tan", floatUnary<::tan>},
      {"math.tanh", floatUnary<::tanh>},
      {"math.trunc", floatUnary<::trunc>},
  };
  return table.lookup(operationName);
}
