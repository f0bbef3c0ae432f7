//===- BoundShapes.td - ops whose dimensions are bounds ----*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_BOUNDSHAPES_TD
#define GLOW_INTERFACES_BOUNDSHAPES_TD

include "mlir/IR/OpBase.td"

def BoundShapesOpInterface : OpInterface<"BoundShapesOpInterface"> {
  let cppNamespace = "::mlir::glow";
  let description = [{
    How an op computes on tensors that are held at upper bounds of their
    extents. Element-wise ops need not implement it: whatever stands in the
    padding stays there.
  }];
  let methods = [
    InterfaceMethod<[{
        Called by `glow-bound-shapes` once the operands are static. Makes the op
        static, states the run-time extents of its results with
        `BoundedGraph::set`, and inserts or replaces what is needed so that no
        valid element depends on padding. Fails after `BoundedGraph::fail`.
      }],
      "::llvm::LogicalResult", "boundShapes",
      (ins "::mlir::glow::BoundedGraph &":$graph)>
  ];
}
#endif
