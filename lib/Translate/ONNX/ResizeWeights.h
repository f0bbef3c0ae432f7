//===- ResizeWeights.h - resampling as products with weights ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_TRANSLATE_ONNX_RESIZEWEIGHTS_H
#define GLOW_LIB_TRANSLATE_ONNX_RESIZEWEIGHTS_H

#include "Expr.h"

namespace mlir::glow::onnx {

/// An axis that is resampled. A crop is a part of it, from 0 to 1.
struct ResizeAxis {
  int64_t axis, input, output;
  double scale, cropStart = 0, cropEnd = 1;
};

/// The attributes of Resize.
struct ResizeRule {
  StringRef mode, coordinates, nearest;
  double cubicCoeff = -0.75, extrapolation = 0;
  bool antialias = false, excludeOutside = false;
};

/// Samples as elements of a type; integers are the nearest ones.
Value roundTo(Node &node, Value samples, Type type);

Value resizeByWeights(Node &node, Value input, ArrayRef<ResizeAxis> axes,
                      const ResizeRule &rule);

} // namespace mlir::glow::onnx

#endif // GLOW_LIB_TRANSLATE_ONNX_RESIZEWEIGHTS_H
