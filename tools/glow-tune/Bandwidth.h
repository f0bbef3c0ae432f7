//===- Bandwidth.h - what memory gives, measured ---------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_TOOLS_GLOW_TUNE_BANDWIDTH_H
#define GLOW_TOOLS_GLOW_TUNE_BANDWIDTH_H

#include <cstdint>

namespace mlir::glow {

/// Bytes per cycle that this thread reads from memory, rounded, at least 1: the
/// best of some passes over several times `cacheBytes`, up to a GiB, 0 if there
/// is no memory for these. A cycle is the time of one of many additions that
/// wait for each other.
int64_t measureMemoryBytes(int64_t cacheBytes);

} // namespace mlir::glow

#endif // GLOW_TOOLS_GLOW_TUNE_BANDWIDTH_H
