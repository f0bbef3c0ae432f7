//===- Pitch.h - strides of arrays without padding -------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_INST_IR_PITCH_H
#define GLOW_DIALECT_INST_IR_PITCH_H

#include "glow/Dialect/Inst/IR/Inst.h"
#include "glow/Support/UnitCount.h"

namespace mlir::glow::inst {

/// How far the parts of an array lie apart that are as long as an extent known
/// at run time. Strides in the array are sums of multiples of that distance and
/// of something less.
struct Pitch {
  /// Of which an attribute has a list.
  static constexpr size_t kNumbers = 5;

  /// Of an instruction or a loop.
  int64_t operand;
  /// In elements, with room for the largest extent, as types say.
  int64_t padded;
  /// In memory: so many units and a rest.
  UnitCount compact;
  /// Of an input that would be read beyond the extent, the elements of a place:
  /// the last one is read again. 0 if it is not.
  int64_t place = 0;

  /// How many places there are, a count of units.
  int64_t places() const {
    assert(place > 0 && "places have a size");
    return UnitCount{compact.units / place, compact.rest / place}.number();
  }
  /// What a stride that the types say is in memory.
  int64_t strideOf(int64_t padded) const;
  MemRefType typeOf(MemRefType padded) const;
};

/// Those of an instruction's or a loop's operands.
SmallVector<Pitch> pitchesOf(Operation *op);

LogicalResult verifyPitches(Operation *op, Attribute attribute);

/// Adds one, in units of symbol `symbol` of `numSymbols`.
void addPitch(Operation *op, const Pitch &pitch, unsigned symbol,
              unsigned numSymbols);

} // namespace mlir::glow::inst

#endif // GLOW_DIALECT_INST_IR_PITCH_H
