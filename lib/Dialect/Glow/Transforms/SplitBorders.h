//===- SplitBorders.h - no products with zeros around images ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_GLOW_TRANSFORMS_SPLITBORDERS_H
#define GLOW_LIB_DIALECT_GLOW_TRANSFORMS_SPLITBORDERS_H

#include "glow/Dialect/Glow/IR/Glow.h"

namespace mlir::glow {

/// The part of all pairs of a result and a tap along a spatial axis, of a
/// convolution with channels last, that lie within the image.
double tapsWithin(ConvOp conv, int64_t axis);

/// The part of a convolution's products that `glow-split-borders` leaves; 1 if
/// it leaves the convolution as it is.
double productsLeft(ConvOp conv);

} // namespace mlir::glow

#endif // GLOW_LIB_DIALECT_GLOW_TRANSFORMS_SPLITBORDERS_H
