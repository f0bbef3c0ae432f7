//===- ConvWeights.h - convolutions in another form ------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_GLOW_TRANSFORMS_CONVWEIGHTS_H
#define GLOW_LIB_DIALECT_GLOW_TRANSFORMS_CONVWEIGHTS_H

#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"

namespace mlir::glow {

/// Whether the convolution's weights can be replaced: they are known, and its
/// layout and epilogue are not chosen yet.
bool hasPlainWeights(ConvOp conv);

/// The same convolution with other weights; `bias` may be absent.
ConvOp withWeights(GraphBuilder &b, ConvOp conv, Value filter, Value bias);

/// Weights after `move`, which moves elements. Of weights that were converted,
/// it moves those before: Winograd's algorithm wants to transform them.
Value moveWeights(GraphBuilder &b, Value weights,
                  function_ref<Value(Value)> move);

/// Whether the places that a convolution reads and has can be moved: they are
/// channels last, in one group and known, and nothing hides the filter's taps.
bool canMovePlaces(ConvOp conv);

/// A convolution of images, whose windows are at every place, with
/// the bias of `conv` and its epilogue, which it takes. `inputs` are the
/// epilogue's.
Value denseConv(GraphBuilder &b, ConvOp conv, Value images, Value filter,
                ValueRange inputs, ArrayRef<int64_t> kernel,
                ArrayRef<int64_t> pads, ArrayRef<int64_t> dilations);

} // namespace mlir::glow

#endif // GLOW_LIB_DIALECT_GLOW_TRANSFORMS_CONVWEIGHTS_H
