//===- LowerToInst.td - from values to addresses -----------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_LOWERTOINST_TD
#define GLOW_INTERFACES_LOWERTOINST_TD

include "mlir/IR/OpBase.td"

def LowerToInstOpInterface : OpInterface<"LowerToInstOpInterface"> {
  let cppNamespace = "::mlir::glow";
  let description = [{
    Conversion of one graph op to instructions on buffers. One pattern of
    `convert-glow-to-inst` calls it for every op. Implemented as external
    models in `lib/Conversion/GlowToInst`.
  }];
  let methods = [
    InterfaceMethod<[{
        Emits instructions that compute the op and binds its results to buffers
        through `lowering`. Fails after `emitOpError`.
      }],
      "::llvm::LogicalResult", "lowerToInst",
      (ins "::mlir::glow::InstLowering &":$lowering)>
  ];
}

/// Declares how an op of ours is lowered. Whoever attaches the interface reads
/// the trait, so nothing lists the ops.
def Lowered : NativeOpTrait<"Lowered", [], [{
    /// Emits the instructions; defined in `lib/Conversion/GlowToInst`.
    ::llvm::LogicalResult lower(::mlir::glow::InstLowering &lowering);
}]> {
  let cppNamespace = "::mlir::glow";
}
#endif
