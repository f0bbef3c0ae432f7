//===- MostElements.h - the bound of buffers and loops ---------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_IR_MOSTELEMENTS_H
#define GLOW_LIB_DIALECT_INST_IR_MOSTELEMENTS_H

#include <cstdint>

namespace mlir::glow::inst {

/// No loop has more points, and no buffer more elements, than this, nor does
/// either reach further along an axis, so that sums of such ways stay in 64
/// bits.
constexpr int64_t kMostElements = int64_t(1) << 40;

/// No place in memory is further from its start, nor is a part of it longer.
constexpr int64_t kMostBytes = 16 * kMostElements;

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_IR_MOSTELEMENTS_H
