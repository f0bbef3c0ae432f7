//===- LaneFloats.cpp - what float ops of arith and math do ------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Floats are computed in double and rounded to the op's type; this is exact for
// + - * / and sqrt, as double has more than twice the precision of f32.
//
//===----------------------------------------------------------------------===//
#include "LaneProgram.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

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
  if (std::isnan(a) || std::isnan(b))
    return std::nan("");
  return a == b ? (std::signbit(a) ? a : b) : std::min(a, b);
}
static bool isNaN(double a) { return std::isnan(a); }
static bool isInf(double a) { return std::isinf(a); }
static bool isFinite(double a) { return std::isfinite(a); }

static void fmaF(const LaneStep &s, size_t count) {
  for (size_t i = 0; i < count; ++i)
    s.out->floats[i] =
        std::fma(s.in[0]->floats[i], s.in[1]->floats[i], s.in[2]->floats[i]);
  s.out->format->round(s.out->floats.data(), count);
}

static void compareF(const LaneStep &s, size_t count) {
  // What each predicate accepts: 1 equal, 2 greater, 4 less, 8 unordered.
  static constexpr int64_t accepted[] = {0, 1,  2,  3,  4,  5,  6, 7,
                                         9, 10, 11, 12, 13, 14, 8, 15};
  for (size_t i = 0; i < count; ++i) {
    double a = s.in[0]->floats[i], b = s.in[1]->floats[i];
    int64_t relation = a == b ? 1 : a > b ? 2 : a < b ? 4 : 8;
    s.out->ints[i] = (accepted[s.predicate] & relation) != 0;
  }
}

static constexpr LaneFunctionRow kRows[] = {
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
    {"math.absf", floatUnary<::fabs>},
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

ArrayRef<LaneFunctionRow> glow::floatLaneFunctions() { return kRows; }
