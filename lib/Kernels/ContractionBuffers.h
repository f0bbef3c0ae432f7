//===- ContractionBuffers.h - what a contraction's buffers are -*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_KERNELS_CONTRACTIONBUFFERS_H
#define GLOW_LIB_KERNELS_CONTRACTIONBUFFERS_H

#include <cstddef>

namespace mlir::glow {

/// Places of the buffers among a contraction's, and of their strides in those
/// of an axis.
enum ContractionBuffer : size_t { Out, Lhs, Rhs, FirstEpilogue };

} // namespace mlir::glow

#endif // GLOW_LIB_KERNELS_CONTRACTIONBUFFERS_H
