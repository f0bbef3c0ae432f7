//===- LaneInts.cpp - what integer ops and conversions do --------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LaneProgram.h"
#include <cmath>

using namespace mlir;
using namespace mlir::glow;

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

// -- Integers -----------------------------------------------------------------

static uint64_t addI(uint64_t a, uint64_t b, unsigned) { return a + b; }
static uint64_t subI(uint64_t a, uint64_t b, unsigned) { return a - b; }
static uint64_t mulI(uint64_t a, uint64_t b, unsigned) { return a * b; }
static uint64_t andI(uint64_t a, uint64_t b, unsigned) { return a & b; }
static uint64_t orI(uint64_t a, uint64_t b, unsigned) { return a | b; }
static uint64_t xorI(uint64_t a, uint64_t b, unsigned) { return a ^ b; }
static uint64_t maxUI(uint64_t a, uint64_t b, unsigned) {
  return std::max(a, b);
}
static uint64_t minUI(uint64_t a, uint64_t b, unsigned) {
  return std::min(a, b);
}
static int64_t maxSI(int64_t a, int64_t b, unsigned) { return std::max(a, b); }
static int64_t minSI(int64_t a, int64_t b, unsigned) { return std::min(a, b); }
// Division by zero and shifts by the width are undefined in arith; here they
// give 0 so that no input can stop the interpreter.
static uint64_t divUI(uint64_t a, uint64_t b, unsigned) {
  return b ? a / b : 0;
}
static uint64_t remUI(uint64_t a, uint64_t b, unsigned) {
  return b ? a % b : 0;
}
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

// -- Conversions and choice ---------------------------------------------------

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
    s.out->ints[i] =
        isUnsigned ? asUnsigned(*s.in[0], i) : asSigned(*s.in[0], i);
  s.out->format->wrap(s.out->ints.data(), count);
}

template <typename Int> static double intToDouble(Int value, bool single) {
  // Straight to f32: by way of double, large integers would be rounded twice.
  return single ? static_cast<float>(value) : static_cast<double>(value);
}
template <bool isUnsigned>
static void intToFloat(const LaneStep &s, size_t count) {
  bool single = s.out->format->bits() == 32;
  for (size_t i = 0; i < count; ++i)
    s.out->floats[i] = isUnsigned ? intToDouble(asUnsigned(*s.in[0], i), single)
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
      bits = value >= 0x1p63   ? uint64_t(INT64_MAX)
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

// -- The table ----------------------------------------------------------------

static constexpr LaneFunctionRow kRows[] = {
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
    {"math.absi", absI},
    {"math.ipowi", signedBinary<powI>},
};

ArrayRef<LaneFunctionRow> glow::intLaneFunctions() { return kRows; }
