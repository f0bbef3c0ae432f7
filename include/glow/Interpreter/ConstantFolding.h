//===- ConstantFolding.h - constants from the interpreter -------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERPRETER_CONSTANTFOLDING_H
#define GLOW_INTERPRETER_CONSTANTFOLDING_H

#include "glow/Interpreter/Interpreter.h"
#include "mlir/IR/BuiltinAttributes.h"

namespace mlir::glow {

class CallHostOp;

/// The value of a constant op, or failure without a message if `value` is not
/// the result of one.
FailureOr<ElementsAttr> constantValue(Value value);

/// Evaluates an op whose operands are all constants; one attribute per result.
/// Fails without a message if an operand is not constant or the op is not
/// known, and with one if the op cannot be computed.
FailureOr<SmallVector<Attribute>> evaluateOp(Operation *op);

/// The constant that `value` is, evaluating the ops it is computed from.
/// Fails as `evaluateOp` does.
FailureOr<Attribute> evaluateConstant(Value value);

/// Fails, with a message, if the runtime lacks a function, or if it does not
/// take the attributes.
LogicalResult checkHostFunction(CallHostOp op);

/// What folding may cost.
struct FoldLimits {
  /// Results up to this size are always folded…
  int64_t maxBytes = 1 << 20;
  /// … and larger ones only if they are at most so many times the operands.
  int64_t maxGrowth = 8;
};

/// True if `op` has constant operands only and folding it respects `limits`.
bool isWorthFolding(Operation *op, const FoldLimits &limits);
/// The same where more values are known to be constant than the IR says.
bool isWorthFolding(Operation *op, const FoldLimits &limits,
                    llvm::function_ref<bool(Value)> isConstant);

} // namespace mlir::glow

#endif // GLOW_INTERPRETER_CONSTANTFOLDING_H
