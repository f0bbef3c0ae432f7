//===- Window.h - sliding windows over padded axes -------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Padding is never read: a window's loop runs over the taps that fall inside.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_KERNELS_WINDOW_H
#define GLOW_KERNELS_WINDOW_H

#include "glow/Kernels/KernelBuilder.h"

namespace mlir::glow {

struct Window {
  int64_t input, output; ///< extents of the axis
  int64_t kernel, stride = 1, dilation = 1, low = 0, high = 0;
  /// Distance of neighbours along the axis, in elements of the input.
  int64_t inputStride = 0;

  /// Some position's window reaches into the padding.
  bool clips() const {
    return low > 0 ||
           (output - 1) * stride - low + (kernel - 1) * dilation >= input;
  }
  /// The first position whose window lies inside the input, and the one after
  /// the last; the first one, if there is none.
  int64_t firstInside() const {
    return std::min<int64_t>(output, llvm::divideCeil(low, stride));
  }
  int64_t lastInside() const {
    int64_t room = input + low - (kernel - 1) * dilation;
    int64_t end = room > 0 ? (room - 1) / stride + 1 : 0;
    return std::clamp(end, firstInside(), output);
  }
  /// First tap and the one after the last of the window at `position`. With
  /// `withPadding` taps on the declared padding count too.
  std::pair<Value, Value> range(KernelBuilder &b, Value position,
                                bool withPadding = false) const;
};

/// Offset of tap 0 of the window at position 0: padding lies before the buffer.
inline int64_t paddingShift(ArrayRef<Window> windows) {
  int64_t shift = 0;
  for (const Window &window : windows)
    shift -= window.low * window.inputStride;
  return shift;
}

/// Spatial axes of an op with window attributes, outermost first.
template <typename Op>
SmallVector<Window> windowsOf(Op op, const BufferShape &input,
                              const BufferShape &output) {
  SmallVector<Window> windows;
  int64_t rank = op.getSpatialRank(), first = op.getFirstSpatialAxis();
  for (int64_t i = 0; i < rank; ++i)
    windows.push_back({input.shape[first + i], output.shape[first + i],
                       op.getKernelShape()[i], op.getStrides()[i],
                       op.getDilations()[i], op.getPads()[i],
                       op.getPads()[rank + i], input.strides[first + i]});
  return windows;
}

} // namespace mlir::glow

#endif // GLOW_KERNELS_WINDOW_H
