//===- Prefix.cpp - The first elements along each axis ----------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "glow/Runtime/Prefix.h"

#include <cstring>

using namespace glow::runtime;

bool glow::runtime::isDensePrefix(const int64_t *dims, const int64_t *whole,
                                  uint32_t rank) {
  uint32_t axis = 0;
  while (axis < rank && whole[axis] == 1)
    ++axis;
  for (++axis; axis < rank; ++axis)
    if (dims[axis] != whole[axis])
      return false;
  return true;
}

void glow::runtime::copyPrefix(void *to, const int64_t *toDims,
                               const void *from, const int64_t *fromDims,
                               const int64_t *dims, uint32_t rank,
                               uint64_t bytes) {
  // What is dense on both sides is one element of a tensor of lower rank.
  while (rank && toDims[rank - 1] == dims[rank - 1] &&
         fromDims[rank - 1] == dims[rank - 1])
    bytes *= dims[--rank];
  if (rank <= 1) {
    std::memcpy(to, from, rank ? bytes * dims[0] : bytes);
    return;
  }
  uint64_t toStride = bytes, fromStride = bytes;
  for (uint32_t i = 1; i < rank; ++i) {
    toStride *= toDims[i];
    fromStride *= fromDims[i];
  }
  for (int64_t i = 0; i < dims[0]; ++i)
    copyPrefix(static_cast<char *>(to) + i * toStride, toDims + 1,
               static_cast<const char *>(from) + i * fromStride, fromDims + 1,
               dims + 1, rank - 1, bytes);
}
