//===- Window.h - what convolutions and pools share -------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_WINDOW_H
#define GLOW_LIB_TRANSLATE_ONNX_WINDOW_H

#include "OpTable.h"

namespace mlir::glow::onnx {

struct WindowAttrs {
  SmallVector<int64_t> kernel, strides, dilations, pads;
  std::string autoPad;

  /// Divides padding between the two sides of spatial axis `i`.
  void splitPad(size_t i, int64_t total) {
    int64_t less = total / 2, more = total - less;
    bool upper = autoPad == "SAME_UPPER";
    pads[i] = upper ? less : more;
    pads[kernel.size() + i] = upper ? more : less;
  }
};

/// Reads kernel_shape (`kernel` if absent), strides, dilations, pads and
/// auto_pad, and checks their sizes and signs.
FailureOr<WindowAttrs> readWindow(Node &node, ArrayRef<int64_t> spatial,
                                  ArrayRef<int64_t> kernel);
/// Sets the pads that auto_pad asks for.
LogicalResult padSame(Node &node, ArrayRef<int64_t> spatial, WindowAttrs &w);

/// The mean of windows with the node's attributes.
Value buildAveragePool(Node &node, Value x);

/// A convolution with the node's attributes.
Value buildConv(Node &node, Value x, Value filter, Value bias);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_WINDOW_H
