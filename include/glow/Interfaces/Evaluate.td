//===- Evaluate.td - the meaning of a primitive op ---------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_EVALUATE_TD
#define GLOW_INTERFACES_EVALUATE_TD

include "mlir/IR/OpBase.td"

def EvaluateOpInterface : OpInterface<"EvaluateOpInterface"> {
  let cppNamespace = "::mlir::glow";
  let description = [{
    Plain evaluation of a primitive op on tensors in memory: the meaning that
    every back end is tested against, and the engine of constant folding.
    Element-wise ops need not implement it: their scalar body is evaluated.
    Implemented as external models in `lib/Interpreter`.
  }];
  let methods = [
    InterfaceMethod<[{
        Computes the results from one tensor per operand. `results` comes with
        one null tensor per result. Fails after `emitOpError`.
      }],
      "::llvm::LogicalResult", "evaluate",
      (ins "::llvm::ArrayRef<::mlir::glow::Tensor>":$operands,
           "::llvm::MutableArrayRef<::mlir::glow::Tensor>":$results)>
  ];
}

/// Declares how the interpreter evaluates an op of ours. Whoever attaches the
/// interface reads the trait, so nothing lists the ops.
def Evaluated : NativeOpTrait<"Evaluated", [], [{
    using Inputs = GenericAdaptor<::llvm::ArrayRef<::mlir::glow::Tensor>>;
    /// Computes the results from the operands; defined in `lib/Interpreter`.
    ::llvm::LogicalResult evaluate(
        Inputs in, ::llvm::MutableArrayRef<::mlir::glow::Tensor> out);
}]> {
  let cppNamespace = "::mlir::glow";
}
#endif
