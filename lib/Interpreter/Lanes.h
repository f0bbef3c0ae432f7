//===- Lanes.h - one piece of code for all kinds of elements ----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluations that are not moves are templates over the lane type: double,
// int64_t or uint64_t.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_INTERPRETER_LANES_H
#define GLOW_LIB_INTERPRETER_LANES_H

#include "glow/Interpreter/Tensor.h"
#include <cmath>
#include <limits>

namespace mlir::glow {

/// Calls `body` with a zero of the lane type that suits `format`.
template <typename Body> auto withLane(const ElementFormat &format, Body body) {
  if (format.isFloat())
    return body(0.0);
  return format.isUnsigned() ? body(uint64_t(0)) : body(int64_t(0));
}

/// `tensor.read` and `tensor.write` for unsigned lanes too.
template <typename Lane>
void readLanes(const Tensor &tensor, int64_t begin, int64_t count,
               Lane *lanes) {
  if constexpr (std::is_same_v<Lane, uint64_t>)
    tensor.read(begin, count, reinterpret_cast<int64_t *>(lanes));
  else
    tensor.read(begin, count, lanes);
}
template <typename Lane>
void writeLanes(Tensor &tensor, int64_t begin, int64_t count,
                const Lane *lanes) {
  if constexpr (std::is_same_v<Lane, uint64_t>)
    tensor.write(begin, count, reinterpret_cast<const int64_t *>(lanes));
  else
    tensor.write(begin, count, lanes);
}
template <typename Lane> std::vector<Lane> readAllLanes(const Tensor &tensor) {
  std::vector<Lane> lanes(tensor.size());
  readLanes(tensor, 0, tensor.size(), lanes.data());
  return lanes;
}

// Integers wrap; signed overflow must not be left to the compiler.
template <typename Lane> Lane addLanes(Lane a, Lane b) {
  if constexpr (std::is_floating_point_v<Lane>)
    return a + b;
  else
    return static_cast<Lane>(static_cast<uint64_t>(a) +
                             static_cast<uint64_t>(b));
}
template <typename Lane> Lane mulLanes(Lane a, Lane b) {
  if constexpr (std::is_floating_point_v<Lane>)
    return a * b;
  else
    return static_cast<Lane>(static_cast<uint64_t>(a) *
                             static_cast<uint64_t>(b));
}
template <typename Lane> bool isNaNLane(Lane a) {
  if constexpr (std::is_floating_point_v<Lane>)
    return std::isnan(a);
  else
    return false;
}
/// NaN if either operand is.
template <typename Lane> Lane maxLanes(Lane a, Lane b) {
  return isNaNLane(a) || a > b ? a : b;
}
template <typename Lane> Lane minLanes(Lane a, Lane b) {
  return isNaNLane(a) || a < b ? a : b;
}

/// The neutral elements of maximum and minimum.
template <typename Lane> Lane lowestLane(const ElementFormat &format) {
  if constexpr (std::is_floating_point_v<Lane>)
    return -std::numeric_limits<double>::infinity();
  else
    return format.isUnsigned()
               ? 0
               : static_cast<Lane>(~uint64_t(0) << (format.bits() - 1));
}
template <typename Lane> Lane highestLane(const ElementFormat &format) {
  if constexpr (std::is_floating_point_v<Lane>)
    return std::numeric_limits<double>::infinity();
  else
    return static_cast<Lane>(~uint64_t(0) >>
                             (64 - format.bits() + !format.isUnsigned()));
}

} // namespace mlir::glow

#endif // GLOW_LIB_INTERPRETER_LANES_H
