//===- DmaEngine.cpp - copies and fills of strided boxes ------------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Engines.h"

#include <cstring>

using namespace habana_sim;

static void copyAxis(const View &source, const View &destination, uint32_t axis,
                     const float *from, float *to) {
  uint32_t rank = source.tensor->rank;
  if (axis == rank) {
    *to = *from;
    return;
  }
  int64_t extent = source.dim(axis);
  int64_t fromStride = source.stride(axis), toStride = destination.stride(axis);
  if (axis + 1 == rank && fromStride == 1 && toStride == 1) {
    std::memmove(to, from, extent * sizeof(float));
    return;
  }
  if (axis + 1 == rank) {
    for (int64_t i = 0; i < extent; ++i)
      to[i * toStride] = from[i * fromStride];
    return;
  }
  for (int64_t i = 0; i < extent; ++i)
    copyAxis(source, destination, axis + 1, from + i * fromStride,
             to + i * toStride);
}

void habana_sim::runDma(const View &source, const View &destination) {
  copyAxis(source, destination, 0, source.data, destination.data);
}

static void fillAxis(const View &view, uint32_t axis, float *to, float value) {
  if (axis == view.tensor->rank) {
    *to = value;
    return;
  }
  for (int64_t i = 0; i < view.dim(axis); ++i)
    fillAxis(view, axis + 1, to + i * view.stride(axis), value);
}

void habana_sim::runFill(const View &destination, float value) {
  fillAxis(destination, 0, destination.data, value);
}
