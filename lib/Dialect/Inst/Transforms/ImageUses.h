//===- ImageUses.h - what an image needs of an instruction ------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_IMAGEUSES_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_IMAGEUSES_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include <optional>

namespace mlir::glow::inst {

/// Which part of its operands an instruction needs for one image of a batch.
struct ImageUses {
  static constexpr int64_t kNone = -1;

  int64_t images;
  /// For each operand the axis along which images follow each other, or kNone
  /// where every image needs all of it.
  SmallVector<int64_t> axes;

  /// Nothing if the instruction does not compute so many images independently.
  static std::optional<ImageUses> of(Operation *op, int64_t images);

  /// Elements from an image to the next one; 0 if they share the operand.
  int64_t step(Value buffer, unsigned operand) const;
  /// The part of the operand that the first image needs.
  MemRefType part(Value buffer, unsigned operand) const;
  /// A copy of the instruction that computes one image.
  Operation *cloneFor(OpBuilder &builder, Operation *op,
                      ValueRange operands) const;
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_IMAGEUSES_H
