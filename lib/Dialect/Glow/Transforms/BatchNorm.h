//===- BatchNorm.h - batch normalisation as a line per channel --*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_GLOW_TRANSFORMS_BATCHNORM_H
#define GLOW_LIB_DIALECT_GLOW_TRANSFORMS_BATCHNORM_H

#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"

namespace mlir::glow {

/// x factor + offset, one element of each vector per channel, in at least f32.
struct ChannelLine {
  Value factor, offset;
};
ChannelLine channelLine(GraphBuilder &b, BatchNormOp op);

} // namespace mlir::glow

#endif // GLOW_LIB_DIALECT_GLOW_TRANSFORMS_BATCHNORM_H
