//===- Layout.td - what layouts an op may run in -----------*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_INTERFACES_LAYOUT_TD
#define GLOW_INTERFACES_LAYOUT_TD

include "mlir/IR/OpBase.td"

def LayoutOpInterface : OpInterface<"LayoutOpInterface"> {
  let cppNamespace = "::mlir::glow";
  let description = [{
    The forms in which an op can run. `glow-assign-layout` prices them for the
    whole graph and calls `applyLayout` with the choice. A layout is an
    attribute; it says how one activation tensor is held, as a permutation of
    the channels-first dimensions, or blocked.
  }];
  let methods = [
    InterfaceMethod<[{
        The layouts the op supports for its main operand and result, with their
        cost in estimated nanoseconds. A target may have others, see
        `TargetAttrInterface`.
      }],
      "void", "getLayoutChoices",
      (ins "::llvm::SmallVectorImpl<::mlir::glow::LayoutChoice> &":$choices)>,
    InterfaceMethod<[{
        Rewrites the op in `layout`; reorders of operands and results are made
        explicit with `glow.transpose`.
      }],
      "::llvm::LogicalResult", "applyLayout",
      (ins "::mlir::RewriterBase &":$rewriter,
           "::mlir::glow::LayoutAttr":$layout)>
  ];
}
#endif
