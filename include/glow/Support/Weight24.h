//===- Weight24.h - numbers in three bytes ---------------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How `glow.narrow_weights` stores numbers relative to the scale of their
// column: a sign, 5 bits of exponent and 18 of mantissa, from 2^-31 to below 2.
// There is no zero; 2^-31 stands for all that is smaller. MLIR has no such
// type: `i24`, which nothing else uses, stands for it.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_SUPPORT_WEIGHT24_H
#define GLOW_SUPPORT_WEIGHT24_H

#include "mlir/IR/BuiltinTypes.h"
#include <algorithm>
#include <cstring>

namespace mlir::glow {

struct Weight24 {
  static constexpr int64_t kBytes = 3;
  /// An f32 has so many more bits of mantissa.
  static constexpr unsigned kDropped = 5;
  /// The upper bits of its exponent, which are the same for all: an f32 is its
  /// 24 bits, moved right by three but for the sign, with these.
  static constexpr uint32_t kExponent = 0x30000000, kSign = 0x80000000;
  static constexpr unsigned kMoved = 3;

  static Type type(MLIRContext *context) {
    return IntegerType::get(context, 8 * kBytes);
  }
  static bool is(Type type) { return type.isSignlessInteger(8 * kBytes); }

  /// Stores the nearest of these numbers, halves to even.
  static void store(float value, char *to) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits & kSign, size = bits & ~kSign;
    constexpr uint32_t kLeast = kExponent, kMost = 0x40000000 - 1;
    size += (1u << (kDropped - 1)) - 1 + (size >> kDropped & 1);
    size = std::clamp(size, kLeast, kMost) - kLeast;
    bits = sign >> 8 | size >> kDropped;
    for (int64_t i = 0; i < kBytes; ++i)
      to[i] = static_cast<char>(bits >> 8 * i);
  }

  static float load(const char *from) {
    uint32_t bits = 0;
    for (int64_t i = 0; i < kBytes; ++i)
      bits |= uint32_t(static_cast<unsigned char>(from[i])) << 8 * (i + 1);
    bits = (bits & kSign) | (bits & ~kSign) >> kMoved | kExponent;
    float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
};

} // namespace mlir::glow

#endif // GLOW_SUPPORT_WEIGHT24_H
