//===- WindowPlaces.h - which inputs a sliding window reads -----*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_INTERPRETER_WINDOWPLACES_H
#define GLOW_LIB_INTERPRETER_WINDOWPLACES_H

#include "glow/Dialect/Glow/IR/TypeInference.h"

namespace mlir::glow {

/// A window that slides over spatial axes.
struct SlidingWindow {
  Dims input, output, kernel, strides, dilations, padsBefore, padsAfter;

  /// Computes `output`; fails with a message if the window does not fit.
  LogicalResult inferOutput(Location location, bool ceil);
  int64_t inputSize() const { return *numElements(input); }
  int64_t outputSize() const { return *numElements(output); }
  int64_t kernelSize() const { return *numElements(kernel); }

  /// The row-major place in the input that tap `tap` of the window at output
  /// place `at` reads; -1 in the padding and -2 beyond it.
  int64_t place(ArrayRef<int64_t> at, ArrayRef<int64_t> tap) const;
};

/// Reads strides, pads and dilations of an op on an input of extents `input`.
template <typename Op>
SlidingWindow slidingWindow(Op op, ArrayRef<int64_t> input,
                            ArrayRef<int64_t> kernel) {
  SlidingWindow window;
  ArrayRef<int64_t> pads = op.getPads();
  window.input = Dims(input);
  window.kernel = Dims(kernel);
  window.strides = Dims(op.getStrides());
  window.dilations = Dims(op.getDilations());
  window.padsBefore = Dims(pads.take_front(input.size()));
  window.padsAfter = Dims(pads.drop_front(input.size()));
  return window;
}

/// The extents between batch and channels, in either layout.
inline ArrayRef<int64_t> spatialPart(ArrayRef<int64_t> shape,
                                     bool channelsLast) {
  return channelsLast ? shape.drop_front().drop_back() : shape.drop_front(2);
}
/// N, C and the spatial extents put together in a layout.
Dims activationShape(bool channelsLast, int64_t batch, int64_t channels,
                     ArrayRef<int64_t> spatial);

} // namespace mlir::glow

#endif // GLOW_LIB_INTERPRETER_WINDOWPLACES_H
