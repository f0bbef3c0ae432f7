//===- Numbers.h - Elements that are numbers --------------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_RUNTIME_HOSTOPS_NUMBERS_H
#define GLOW_LIB_RUNTIME_HOSTOPS_NUMBERS_H

#include "glow-c/ModelABI.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace glow::runtime {

/// Calls `body` with a zero of the C++ type of elements of `dtype`; false if
/// there is none.
template <typename Body> bool withNumbers(uint32_t dtype, Body body) {
  switch (dtype) {
  case GLOW_F32:
    return body(float()), true;
  case GLOW_F64:
    return body(double()), true;
  case GLOW_I8:
    return body(int8_t()), true;
  case GLOW_I16:
    return body(int16_t()), true;
  case GLOW_I32:
    return body(int32_t()), true;
  case GLOW_I64:
    return body(int64_t()), true;
  case GLOW_U8:
  case GLOW_BOOL:
    return body(uint8_t()), true;
  case GLOW_U16:
    return body(uint16_t()), true;
  case GLOW_U32:
    return body(uint32_t()), true;
  case GLOW_U64:
    return body(uint64_t()), true;
  default:
    return false;
  }
}

/// As casts of numbers are elsewhere: reals saturate, integers keep their low
/// bits; NaN is 0.
template <typename To, typename From> To convertTo(From value) {
  if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    if (std::isnan(value))
      return 0;
    // The bounds as powers of two are exact in any float.
    From high = std::ldexp(From(1), std::numeric_limits<To>::digits);
    From low = std::is_signed_v<To> ? -high : From(0);
    if (value >= high)
      return std::numeric_limits<To>::max();
    if (value <= low)
      return std::numeric_limits<To>::min();
  }
  return static_cast<To>(value);
}

} // namespace glow::runtime
#endif // GLOW_LIB_RUNTIME_HOSTOPS_NUMBERS_H
