//===- Movement.cpp - copying elements from computed places ---------------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Movement.h"
#include "Evaluators.h"
#include <cstring>

using namespace mlir;
using namespace mlir::glow;

/// Calls `body` with a value of the unsigned integer type of `elementBytes`.
template <typename Body>
static void withWidth(unsigned elementBytes, Body body) {
  switch (elementBytes) {
  case 1:
    return body(uint8_t());
  case 2:
    return body(uint16_t());
  case 4:
    return body(uint32_t());
  case 16: {
    struct Text {
      uint64_t words[2];
    };
    return body(Text());
  }
  default:
    return body(uint64_t());
  }
}

void glow::gatherStrided(const char *src, ArrayRef<int64_t> strides,
                         ArrayRef<int64_t> dims, char *dst,
                         unsigned elementBytes) {
  int64_t inner = dims.empty() ? 1 : dims.back();
  int64_t step = dims.empty() ? 1 : strides.back();
  std::optional<int64_t> count = numElements(dims);
  if (!count || *count == 0)
    return;
  PlaceWalker row(dims.empty() ? dims : dims.drop_back());
  ArrayRef<int64_t> outer = dims.empty() ? strides : strides.drop_back();
  withWidth(elementBytes, [&](auto zero) {
    using T = decltype(zero);
    const T *from = reinterpret_cast<const T *>(src);
    T *to = reinterpret_cast<T *>(dst);
    for (int64_t i = 0; i < *count; i += inner, row.next()) {
      const T *start = from + row.offset(outer);
      if (step == 1)
        std::memcpy(to + i, start, inner * sizeof(T));
      else
        for (int64_t j = 0; j < inner; ++j)
          to[i + j] = start[j * step];
    }
  });
}

void glow::gatherByAxes(const Tensor &in, ArrayRef<AxisPlaces> places,
                        const char *fill, Tensor &out) {
  if (out.size() == 0)
    return;
  SmallVector<int64_t> strides = rowMajorStrides(in.getShape());
  static const AxisPlaces onlyPlace{0};
  const AxisPlaces &last = places.empty() ? onlyPlace : places.back();
  int64_t inner = last.size();
  PlaceWalker row(out.getShape().drop_back(places.empty() ? 0 : 1));
  withWidth(in.elementBytes(), [&](auto zero) {
    using T = decltype(zero);
    const T *from = reinterpret_cast<const T *>(in.bytes());
    T *to = reinterpret_cast<T *>(out.mutableBytes());
    T outside{};
    if (fill)
      std::memcpy(&outside, fill, sizeof(T));
    for (int64_t i = 0; i < out.size(); i += inner, row.next()) {
      int64_t start = 0;
      bool inside = true;
      for (size_t axis = 0; axis + 1 < places.size(); ++axis) {
        int64_t place = places[axis][row[axis]];
        inside &= place >= 0;
        start += place * strides[axis];
      }
      for (int64_t j = 0; j < inner; ++j)
        to[i + j] = inside && last[j] >= 0 ? from[start + last[j]] : outside;
    }
  });
}
