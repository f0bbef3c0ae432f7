//===- WorkLimits.h - how much of an instruction is computed ---*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `glow_inst.extents` says, see InstDialect::kExtentsAttrName, and
// `glow_inst.unit`.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_INST_IR_WORKLIMITS_H
#define GLOW_DIALECT_INST_IR_WORKLIMITS_H

#include "mlir/IR/AffineMap.h"
#include "mlir/IR/Operation.h"

namespace mlir::glow::inst {

class ForallOp;

/// The extents of an instruction that need to be computed; null if all do.
AffineMap limitsOf(Operation *op);

/// Notes them, as functions of so many symbols and of a point's index.
void setLimits(Operation *op, ArrayRef<AffineExpr> extents, unsigned symbols);

/// The extent that strides of operands depend on, as a map of one result; null
/// if none do.
AffineMap unitOf(Operation *op);

/// Either of both, which have the same symbols; null if the instruction reads
/// the value of none.
AffineMap symbolMapOf(Operation *op);

/// What is added to a limit so that nothing is computed unless `value` is at
/// least `least`, or is less: 0, or a number that is very negative.
AffineExpr ifAtLeast(AffineExpr value, int64_t least);
AffineExpr ifLess(AffineExpr value, int64_t least);

/// What an instruction's kernel reads its limits and its unit from, behind the
/// instruction's own operands: the index of the point, if they depend on it,
/// and the values of the map's symbols, those of the function or elements of a
/// table.
SmallVector<Value> limitOperandsOf(Operation *op);

/// Whether a loop passes the function's symbols to its instructions.
bool passesSymbols(ForallOp loop, Value symbols);

/// Verifies either of both.
LogicalResult verifyLimits(Operation *op, NamedAttribute attribute);

} // namespace mlir::glow::inst

#endif // GLOW_DIALECT_INST_IR_WORKLIMITS_H
