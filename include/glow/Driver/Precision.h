//===- Precision.h - how accurately models are computed ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DRIVER_PRECISION_H
#define GLOW_DRIVER_PRECISION_H

#include "llvm/ADT/StringRef.h"
#include <optional>

namespace mlir::glow {

/// How single-precision models are computed; docs/Precision.md states errors
/// and special values.
enum class Precision { Strict, Fp32, Fp32Fast, Bf16 };

struct PrecisionInfo {
  Precision value;
  const char *name, *description;
};
inline constexpr PrecisionInfo kPrecisions[] = {
    {Precision::Strict, "strict", "each sum as the model states it"},
    {Precision::Fp32, "fp32", "as accurate, but sums may be taken apart"},
    {Precision::Fp32Fast, "fp32-fast",
     "up to a decimal digit less where that is faster"},
    {Precision::Bf16, "bf16",
     "factors of products rounded to bf16 where that is faster"}};

inline std::optional<Precision> parsePrecision(llvm::StringRef name) {
  for (const PrecisionInfo &info : kPrecisions)
    if (name == info.name)
      return info.value;
  return std::nullopt;
}

} // namespace mlir::glow

#endif // GLOW_DRIVER_PRECISION_H
