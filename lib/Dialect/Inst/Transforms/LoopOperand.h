//===- LoopOperand.h - what loops over windows are made from ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_LIB_DIALECT_INST_TRANSFORMS_LOOPOPERAND_H
#define GLOW_LIB_DIALECT_INST_TRANSFORMS_LOOPOPERAND_H

#include "glow/Dialect/Inst/IR/Inst.h"

namespace mlir::glow::inst {

/// What an operand of a loop is: a buffer, what a point sees of it, and by how
/// much that moves along each axis.
struct LoopOperand {
  Value whole;
  Type window;
  Attribute steps;
};

/// A loop without instructions yet, whose body has an argument for each
/// operand. The last `numOutputs` of them are written.
Block &createForall(OpBuilder &builder, Location loc, ArrayRef<int64_t> extents,
                    ArrayRef<LoopOperand> operands, size_t numOutputs = 1);

/// Adds an input to a loop, of which all points see all.
void passWhole(ForallOp loop, Value input);

/// Adds a list of the points along an axis, of which each sees its own.
void passPoints(ForallOp loop, size_t axis);

/// The location of a loop that stands for these operations.
template <typename Operations>
Location fusedLocation(OpBuilder &builder, const Operations &operations) {
  SmallVector<Location> locations;
  for (Operation *op : operations)
    locations.push_back(op->getLoc());
  return builder.getFusedLoc(locations);
}

} // namespace mlir::glow::inst

#endif // GLOW_LIB_DIALECT_INST_TRANSFORMS_LOOPOPERAND_H
