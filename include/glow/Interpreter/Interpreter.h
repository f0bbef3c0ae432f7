//===- Interpreter.h - plain evaluation of graphs ---------------*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The meaning of the graph dialect: slow and obvious. Every back end is tested
// against it, and constant folding is done by it.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_INTERPRETER_INTERPRETER_H
#define GLOW_INTERPRETER_INTERPRETER_H

#include "glow/Interpreter/Tensor.h"
#include "mlir/IR/Operation.h"
#include <functional>

namespace mlir {
class DialectRegistry;
namespace func {
class FuncOp;
}
} // namespace mlir

namespace mlir::glow {

/// Attaches the evaluation of every primitive op.
void registerEvaluationModels(DialectRegistry &registry);

/// Called after each op with its results.
using InterpreterObserver =
    std::function<void(Operation *op, ArrayRef<Tensor> results)>;

/// True if `evaluateOp` knows what the op does: it is element-wise, has an
/// evaluation or can be decomposed.
bool canEvaluate(Operation *op);

/// Computes the results of one op from one tensor per operand, null for none.
/// Operands must have the element types of the op and shapes that fit its
/// types. Errors name the op.
FailureOr<SmallVector<Tensor>> evaluateOp(Operation *op,
                                          ArrayRef<Tensor> operands);

/// Runs a function on one tensor per argument. Dynamic dimensions take the
/// extents of the tensors. A tensor is freed after its last use; the results
/// own their memory, even if they are inputs.
FailureOr<SmallVector<Tensor>>
interpret(func::FuncOp function, ArrayRef<Tensor> inputs,
          const InterpreterObserver &observer = {});

/// Makes a function compute in double precision what it computes in single
/// precision, and return it so. Its arguments and constants stay as they are.
/// Other narrow types still round. The result is for `interpret` alone: it
/// does not meet what ops demand of operands that describe shapes.
void widenFloats(func::FuncOp function);

} // namespace mlir::glow

#endif // GLOW_INTERPRETER_INTERPRETER_H
