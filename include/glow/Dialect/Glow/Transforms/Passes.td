//===- Passes.td - passes on the graph dialect -------------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_TRANSFORMS_PASSES_TD
#define GLOW_DIALECT_GLOW_TRANSFORMS_PASSES_TD

include "mlir/Pass/PassBase.td"

def InferShapes : Pass<"glow-infer-shapes", "::mlir::ModuleOp"> {
  let summary = "Refine the types of results from those of operands";
  let description = [{
    Walks every function in order and replaces a result type by the inferred one
    where that knows more dimensions; function types follow. With `shapes`, the
    dynamic dimensions of the named arguments of the main function are fixed
    first, which specialises a model.
  }];
  let options = [
    ListOption<"shapes", "shapes", "std::string",
               "Shapes of arguments, as name=1x3x224x224">
  ];
}

#endif
