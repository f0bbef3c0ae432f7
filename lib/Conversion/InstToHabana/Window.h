//===- Window.h - what convolutions and pooling share ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Buffers of either layout, and of one or two spatial axes, become boxes with
// the axes N, C, H, W. A tile is a range of channels and of output rows of one
// image, with the input rows that its windows reach.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_CONVERSION_INSTTOHABANA_WINDOW_H
#define GLOW_LIB_CONVERSION_INSTTOHABANA_WINDOW_H

#include "Staging.h"
#include <algorithm>

namespace mlir::glow::habana {

/// N, C, H, W of a box in the order of an activation.
Box channelsFirst(Box box, bool isChannelsLast);

/// Window attributes with two spatial axes.
struct Window {
  int64_t kernel[2] = {1, 1}, stride[2] = {1, 1}, dilation[2] = {1, 1},
          pad[2] = {0, 0};

  template <typename Op> explicit Window(Op op) {
    int64_t rank = op.getSpatialRank();
    for (int64_t i = 0; i < rank; ++i) {
      int64_t to = 2 - rank + i;
      kernel[to] = op.getKernelShape()[i];
      stride[to] = op.getStrides()[i];
      dilation[to] = op.getDilations()[i];
      pad[to] = op.getPads()[i];
    }
  }

  /// Input rows, or columns, that `count` windows span.
  int64_t span(int axis, int64_t count) const {
    return (count - 1) * stride[axis] + (kernel[axis] - 1) * dilation[axis] + 1;
  }
};

/// Input rows [begin, end) that exist, and how many are missing above.
struct Rows {
  int64_t begin, end, above;
  Rows(const Window &window, int64_t first, int64_t count, int64_t height) {
    int64_t start = first * window.stride[0] - window.pad[0];
    end = std::clamp<int64_t>(start + window.span(0, count), 0, height);
    begin = std::clamp<int64_t>(start, 0, end);
    above = begin - start;
  }
};

} // namespace mlir::glow::habana

#endif // GLOW_LIB_CONVERSION_INSTTOHABANA_WINDOW_H
