//===- ResizeAxis.h - places of a resized axis -----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_SUPPORT_RESIZEAXIS_H
#define GLOW_SUPPORT_RESIZEAXIS_H

#include <cstdint>

namespace mlir::glow {

/// One axis of the input and of the result. Coordinates are computed in f32, as
/// scales are given in it: 11.5 / 2.3 - 0.5 must be the tie 4.5.
struct ResizeAxis {
  int64_t in, out;
  float scale;

  /// A scale of 0 stands for the ratio of the extents.
  ResizeAxis(int64_t in, int64_t out, float scale)
      : in(in), out(out),
        scale(scale == 0 && in > 0
                  ? static_cast<float>(out) / static_cast<float>(in)
                  : scale) {}

  /// A coordinate of the result in the input. The scale of given sizes is
  /// rounded, but 2 * 7 / 4 must be the tie 3.5.
  float unscaled(float x) const {
    if (scale == static_cast<float>(out) / static_cast<float>(in))
      return static_cast<float>(static_cast<double>(x) *
                                static_cast<float>(in) /
                                static_cast<float>(out));
    return x / scale;
  }
};

} // namespace mlir::glow

#endif // GLOW_SUPPORT_RESIZEAXIS_H
