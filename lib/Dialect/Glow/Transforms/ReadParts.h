//===- ReadParts.h - parts of tensors that are read -------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_GLOW_TRANSFORMS_READPARTS_H
#define GLOW_LIB_DIALECT_GLOW_TRANSFORMS_READPARTS_H

#include "glow/Dialect/Glow/Transforms/GraphBuilder.h"

namespace mlir::glow {

/// Places begin … end - 1 of an axis.
struct Interval {
  int64_t begin, end;

  int64_t size() const { return end - begin; }
  bool operator==(const Interval &other) const {
    return begin == other.begin && end == other.end;
  }
};

/// A box of a tensor's elements: an interval of each axis.
using Part = SmallVector<Interval, 4>;

/// All elements of a tensor of known extents.
Part wholeOf(Value tensor);
bool isWhole(const Part &part, Value tensor);
Dims sizesOf(const Part &part);
/// The least box that has both.
Part hullOf(const Part &a, const Part &b);

/// Whether an op only moves elements.
bool isMovement(Operation *op);

/// The parts of its operands that an op with one result reads for `result`, a
/// part of that, which is enlarged to what can be computed by itself. Nothing
/// if it has to be computed as a whole. Operands of a concat of which nothing
/// is read have an empty interval.
std::optional<SmallVector<Part>> partsRead(Operation *op, Part &result);

/// A part of a tensor of which `tensor` holds the part `held`.
Value takePart(GraphBuilder &b, Value tensor, const Part &held,
               const Part &part);

/// The result of `op` for a part that `partsRead` has enlarged, of operands
/// that hold what it said.
Value computePart(GraphBuilder &b, Operation *op, const Part &result,
                  ValueRange operands);

} // namespace mlir::glow

#endif // GLOW_LIB_DIALECT_GLOW_TRANSFORMS_READPARTS_H
