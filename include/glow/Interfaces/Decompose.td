//===- Decompose.td - composite ops as smaller ops ---------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_DECOMPOSE_TD
#define GLOW_INTERFACES_DECOMPOSE_TD

include "mlir/IR/OpBase.td"

def DecomposeOpInterface : OpInterface<"DecomposeOpInterface"> {
  let cppNamespace = "::mlir::glow";
  let description = [{
    A composite op says how it is made of smaller `glow` ops. A target that has
    the op itself keeps it; for all others `glow-decompose` calls this.
  }];
  let methods = [
    InterfaceMethod<[{
        Builds the equivalent of the op before it and returns one value per
        result, of the same types. Fails, after `emitOpError`, if the op's
        form is not supported; the IR is then unchanged.
      }],
      "::llvm::FailureOr<::llvm::SmallVector<::mlir::Value>>", "decompose",
      (ins "::mlir::OpBuilder &":$builder), "", [{
        return $_op.emitOpError("has no decomposition");
      }]>,
    InterfaceMethod<[{
        False if this instance of the op is primitive.
      }],
      "bool", "isComposite", (ins), "", "return true;">
  ];
}
#endif
