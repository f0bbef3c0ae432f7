//===- LoopPoints.h - how many points a loop should have -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_LOOPPOINTS_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_LOOPPOINTS_H

#include <cstdint>

namespace mlir::glow::inst {

/// Fewer points than this do not keep the threads of a common machine busy.
inline constexpr int64_t kLeastPoints = 4;

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_LOOPPOINTS_H
