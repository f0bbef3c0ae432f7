//===- Quant.h - what quantised operators share ----------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_QUANT_H
#define GLOW_LIB_TRANSLATE_ONNX_QUANT_H

#include "Node.h"

namespace mlir::glow::onnx {

/// `x` in the type of `zero`, and back in that of `scale`. Parameters of one
/// axis lie along `axis`. Null values give null.
Value quantize(Node &node, Value x, Value scale, Value zero, int64_t axis);
Value dequantize(Node &node, Value x, Value scale, Value zero, int64_t axis);

/// A parameter of one element as rank 0, so that it holds for the whole tensor.
Value perTensor(Node &node, Value parameter);

/// x - zero point in 32-bit integers. A zero point of one axis lies along axis
/// `fromEnd` from the end.
Value centre(Node &node, Value x, Value zero, int64_t fromEnd);

/// A tensor in ui8 with the scale and zero point that suit its range.
struct Quantized {
  Value value, scale, zero;
};
Quantized quantizeByRange(Node &node, Value x);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_QUANT_H
