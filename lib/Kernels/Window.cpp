//===- Window.cpp - sliding windows over padded axes ----------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "glow/Kernels/Window.h"

using namespace mlir;
using namespace mlir::glow;

std::pair<Value, Value> Window::range(KernelBuilder &b, Value position,
                                      bool withPadding) const {
  Value first = b.index(0), last = b.index(kernel);
  if (!clips())
    return {first, last};
  // Tap t reads element position * stride - low + t * dilation.
  Value step = b.mul(position, stride);
  auto tapsTo = [&](Value distance) {
    Value reach = b.max(distance, b.index(0));
    return b.ceilDiv(reach, dilation);
  };
  if (withPadding)
    return {first,
            b.min(last, tapsTo(b.sub(b.index(input + low + high), step)))};
  return {b.min(last, tapsTo(b.sub(b.index(low), step))),
          b.min(last, tapsTo(b.sub(b.index(input + low), step)))};
}
