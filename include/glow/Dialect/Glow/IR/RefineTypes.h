//===- RefineTypes.h - better result types from better operands -*- C++ -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_REFINETYPES_H
#define GLOW_DIALECT_GLOW_IR_REFINETYPES_H

#include "mlir/IR/BuiltinOps.h"

namespace mlir {
namespace func {
class FuncOp;
}
} // namespace mlir

namespace mlir::glow {

/// Replaces dynamic dimensions of the results by inferred ones. Fails, with an
/// error that names the op, if what is inferred contradicts what is stated.
LogicalResult refineResultTypes(Operation *op);

/// Whether a function is the body of a loop, of either kind.
bool isLoopBody(func::FuncOp function);

/// The first function of a module that is not only the body of a loop, or null.
func::FuncOp mainFunctionOf(ModuleOp module);

/// Makes the type of a function agree with its arguments and its return.
void updateFunctionType(func::FuncOp function);

} // namespace mlir::glow

#endif // GLOW_DIALECT_GLOW_IR_REFINETYPES_H
