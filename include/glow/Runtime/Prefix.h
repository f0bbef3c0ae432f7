//===- Prefix.h - The first elements along each axis ------------*- C++ -*-===//
//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tensor with extents that are known only at run time is the part of a larger
// one, `whole`, that lies before `dims` along each axis.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_RUNTIME_PREFIX_H
#define GLOW_RUNTIME_PREFIX_H

#include <cstdint>

namespace glow::runtime {

/// Whether the elements of the part lie side by side in the whole.
bool isDensePrefix(const int64_t *dims, const int64_t *whole, uint32_t rank);

/// Copies elements of `bytes` each that lie before `dims` along each axis,
/// between dense tensors of the extents `toDims` and `fromDims`. There is at
/// least one element.
void copyPrefix(void *to, const int64_t *toDims, const void *from,
                const int64_t *fromDims, const int64_t *dims, uint32_t rank,
                uint64_t bytes);

} // namespace glow::runtime
#endif // GLOW_RUNTIME_PREFIX_H
