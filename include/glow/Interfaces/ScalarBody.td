//===- ScalarBody.td - the meaning of an element-wise op ---*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_SCALARBODY_TD
#define GLOW_INTERFACES_SCALARBODY_TD

include "mlir/IR/OpBase.td"

def ScalarBodyOpInterface : OpInterface<"ScalarBodyOpInterface"> {
  let cppNamespace = "::mlir::glow";
  let description = [{
    An element-wise op states once what it does to one element, in `arith` and
    `math`. Constant folding, fusion, CPU kernels, vector-core kernels and the
    gradient read this body and nothing else.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits the body on scalars (or equally shaped vectors) `args`, one per
        operand of the op, with signless element types. Returns one value of the
        result's signless element type.
      }],
      "::mlir::Value", "emitScalarBody",
      (ins "::mlir::glow::ScalarBuilder &":$builder,
           "::mlir::ValueRange":$args)>
  ];
}
#endif
