//===- Strip.cpp - a range in vectors and a rest --------------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Strip.h"

using namespace mlir;
using namespace mlir::glow;

Strip Strip::choose(const KernelTarget &target, int64_t bits, int64_t extent,
                    int64_t unroll, bool maskable) {
  Strip strip;
  int64_t most = std::max<int64_t>(1, target.vectorBits / bits);
  strip.lanes =
      llvm::bit_floor<uint64_t>(std::max<int64_t>(1, std::min(most, extent)));
  // Short ranges, too, work on as many vectors at a time as they have.
  strip.unroll = std::clamp<int64_t>(extent / strip.lanes, 1, unroll);
  strip.masked = maskable && target.hasMasks() && strip.lanes >= 4;
  return strip;
}

void Strip::emit(KernelBuilder &b, Value low, Value high, Body body) const {
  auto upTo = [&](int64_t step) {
    return b.add(low, b.mul(b.div(b.sub(high, low), step), step));
  };
  Value unrolled = unroll > 1 ? upTo(lanes * unroll) : low;
  if (unroll > 1)
    b.loop(low, unrolled, lanes * unroll,
           [&](Value i) { body(i, lanes, unroll, {}); });
  Value whole = upTo(lanes);
  b.loop(unrolled, whole, lanes, [&](Value i) { body(i, lanes, 1, {}); });
  if (lanes == 1)
    return;
  if (!masked) {
    // Half a vector spares most of the single elements.
    constexpr int64_t kLeastHalf = 4;
    Value rest = whole;
    if (int64_t half = lanes / 2; half >= kLeastHalf) {
      rest = upTo(half);
      b.loop(whole, rest, half, [&](Value i) { body(i, half, 1, {}); });
    }
    b.loop(rest, high, 1, [&](Value i) { body(i, 1, 1, {}); });
    return;
  }
  b.ifThen(b.less(whole, high),
           [&] { body(whole, lanes, 1, b.mask(b.sub(high, whole), lanes)); });
}
