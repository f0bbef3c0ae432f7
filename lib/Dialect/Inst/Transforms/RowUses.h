//===- RowUses.h - which rows of its operands a row needs ------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_ROWUSES_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_ROWUSES_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include <optional>

namespace mlir::glow::inst {

/// What an instruction needs of one operand for some rows of its result.
struct RowUse {
  static constexpr int64_t kNone = -1;

  /// The operand's axes of images and rows; kNone: all of it is needed.
  int64_t imageAxis = kNone, rowAxis = kNone;
  /// Row r of the result needs `reach` rows from r * step on.
  int64_t step = 1, reach = 1;

  /// How many rows a number of neighbouring rows of the result need.
  int64_t rowsFor(int64_t count) const { return (count - 1) * step + reach; }
};

/// The rows of an instruction: axis 1 of a result of four axes, whose axis 0
/// are images.
struct RowUses {
  int64_t images, rows;
  /// Of every operand, the result too.
  SmallVector<RowUse> operands;
  unsigned result;

  /// Nothing for an instruction whose rows are not computed one by one.
  static std::optional<RowUses> of(Operation *op);
};

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_ROWUSES_H
