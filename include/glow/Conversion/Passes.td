//===- Passes.td - conversions between dialects ------------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_CONVERSION_PASSES_TD
#define GLOW_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertGlowToInst : Pass<"convert-glow-to-inst", "::mlir::func::FuncOp"> {
  let summary = "Turn graphs of tensors into instructions on buffers";
  let description = [{
    A tensor argument becomes a memref argument, a result one more argument that
    is marked `glow_inst.output`; both keep their `glow.name`. Every op lowers
    itself through `LowerToInstOpInterface`; an element-wise op becomes a `map` of
    its scalar body. Ops that only change the shape become views, ops that move
    elements become copies between strided views.

    All shapes must be static and composite ops decomposed.
  }];
  let dependentDialects = ["::mlir::glow::inst::InstDialect"];
}

#endif
