//===- Compare.cpp - a result against what is expected --------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Compare.h"
#include "glow/Runtime/DType.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>
#include <cstring>

using namespace mlir;
using namespace mlir::glow;
namespace rt = ::glow::runtime;

/// The format of a type of floats; null for other types.
static const llvm::fltSemantics *semanticsOf(uint32_t dtype) {
  switch (dtype) {
  case GLOW_F32:
    return &llvm::APFloat::IEEEsingle();
  case GLOW_F64:
    return &llvm::APFloat::IEEEdouble();
  case GLOW_F16:
    return &llvm::APFloat::IEEEhalf();
  case GLOW_BF16:
    return &llvm::APFloat::BFloat();
  case GLOW_F8E4M3FN:
    return &llvm::APFloat::Float8E4M3FN();
  case GLOW_F8E4M3FNUZ:
    return &llvm::APFloat::Float8E4M3FNUZ();
  case GLOW_F8E5M2:
    return &llvm::APFloat::Float8E5M2();
  case GLOW_F8E5M2FNUZ:
    return &llvm::APFloat::Float8E5M2FNUZ();
  case GLOW_F8E8M0:
    return &llvm::APFloat::Float8E8M0FNU();
  case GLOW_F4E2M1:
    return &llvm::APFloat::Float4E2M1FN();
  default:
    return nullptr;
  }
}

/// Element `i`; several of less than a byte share one, the first in low bits.
static double readFloat(const void *data, size_t i,
                        const llvm::fltSemantics &semantics) {
  unsigned bits = llvm::APFloat::semanticsSizeInBits(semantics);
  uint64_t word = 0;
  auto *bytes = static_cast<const char *>(data);
  std::memcpy(&word, bytes + i * bits / 8, (bits + 7) / 8);
  word >>= i * bits % 8;
  llvm::APInt raw(bits, word, /*isSigned=*/false, /*implicitTrunc=*/true);
  return llvm::APFloat(semantics, raw).convertToDouble();
}

/// The distance of neighbouring numbers of the format around `value`.
static double spacing(double value, const llvm::fltSemantics &semantics) {
  int exponent = llvm::APFloat::semanticsMinExponent(semantics);
  if (value != 0)
    exponent = std::max(exponent, std::ilogb(value));
  int digits = llvm::APFloat::semanticsPrecision(semantics) - 1;
  return std::ldexp(1.0, exponent - digits);
}

static std::string shapeText(ArrayRef<int64_t> dims) {
  return "[" +
         llvm::join(
             llvm::map_range(
                 dims, [](int64_t extent) { return std::to_string(extent); }),
             ", ") +
         "]";
}

static std::string numberText(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9g", value);
  return text;
}

static std::string compareFloats(const void *actual, const void *expected,
                                 size_t count,
                                 const llvm::fltSemantics &semantics,
                                 const TestCase &test, double &ulps) {
  for (size_t i = 0; i < count; ++i) {
    double got = readFloat(actual, i, semantics);
    double want = readFloat(expected, i, semantics);
    if (got == want || (std::isnan(got) && std::isnan(want)))
      continue;
    double error = std::abs(got - want);
    bool isFinite = std::isfinite(got) && std::isfinite(want);
    if (isFinite && error > test.absolute)
      ulps = std::max(ulps, error / spacing(want, semantics));
    if (!isFinite || error > test.absolute + test.relative * std::abs(want))
      return "element " + std::to_string(i) + " is " + numberText(got) +
             " instead of " + numberText(want);
  }
  return "";
}

static std::string compareStrings(const void *actual, const void *expected,
                                  size_t count) {
  auto *got = static_cast<const GlowString *>(actual);
  auto *want = static_cast<const GlowString *>(expected);
  for (size_t i = 0; i < count; ++i) {
    StringRef text(got[i].data, got[i].size);
    StringRef wanted(want[i].data, want[i].size);
    if (text != wanted)
      return llvm::formatv("element {0} is '{1}' instead of '{2}'", i, text,
                           wanted);
  }
  return "";
}

std::string mlir::glow::compareTensor(const OutputTensor &actual,
                                      const rt::Array &expected,
                                      const TestCase &test, double &ulps) {
  if (actual.dims != expected.dims)
    return "has the shape " + shapeText(actual.dims) + " instead of " +
           shapeText(expected.dims);
  if (actual.dtype != expected.dtype)
    return llvm::formatv("has elements of type {0} instead of {1}",
                         rt::dtypeName(actual.dtype),
                         rt::dtypeName(expected.dtype));
  size_t count = 1;
  for (int64_t extent : actual.dims)
    count *= extent;
  const void *got = actual.data.get(), *want = expected.data.data();
  if (actual.dtype == GLOW_STRING)
    return compareStrings(got, want, count);
  if (const llvm::fltSemantics *semantics = semanticsOf(actual.dtype))
    return compareFloats(got, want, count, *semantics, test, ulps);
  if (actual.bytes == 0 || std::memcmp(got, want, actual.bytes) == 0)
    return "";
  auto *a = static_cast<const uint8_t *>(got);
  auto *b = static_cast<const uint8_t *>(want);
  size_t place = std::mismatch(a, a + actual.bytes, b).first - a;
  size_t bits = rt::dtypeBits(actual.dtype);
  return llvm::formatv("element {0} differs", place * 8 / bits);
}
