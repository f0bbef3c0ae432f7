//===- StrassenRows.h - as many rows as there are --------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_STRASSENROWS_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_STRASSENROWS_H

#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/Block.h"
#include "mlir/IR/Value.h"

namespace mlir::glow::inst {

/// Of fewer rows than that the seven products of a block take longer than
/// eight.
inline constexpr int64_t kLeastOpenRows = 32;

/// How many rows there are is known when the program runs.
struct OpenRows {
  /// Of what types say: images, or other matrices that share the weights, and
  /// rows of each.
  AffineExpr images, rows;
  Value symbols;
};

/// An axis of a loop; how many points are needed may be known at run time.
struct LoopAxis {
  int64_t extent;
  AffineExpr limit;
};

/// The body of a loop, and the index of the point along one axis.
struct StrassenLoop {
  Block &block;
  AffineExpr point;
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_STRASSENROWS_H
