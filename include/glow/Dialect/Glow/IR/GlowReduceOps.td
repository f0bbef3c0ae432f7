//===- GlowReduceOps.td - reductions and scans along axes ---*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_GLOWREDUCEOPS_TD
#define GLOW_DIALECT_GLOW_IR_GLOWREDUCEOPS_TD

include "glow/Dialect/Glow/IR/GlowOpBase.td"

def Glow_ReduceOp : Glow_PrimitiveOp<"reduce",
    [DeclareOpInterfaceMethods<DecomposeOpInterface,
                               ["decompose", "isComposite"]>]> {
  let summary = "sum, product, maximum, minimum or mean along axes";
  let description = [{
    Axes count from 0 and are sorted; no axes leave the tensor as it is. A NaN
    makes the maximum and the minimum NaN. An empty reduction gives the kind's
    neutral element. The mean over a known number of elements is composite.

    Example:
    ```mlir
    %r = glow.reduce sum %x {axes = array<i64: 1>, keep_dims} : (tensor<2x8xf32>) -> tensor<2x1xf32>
    ```
  }];
  let arguments = (ins Glow_ReduceKindAttr:$kind, Glow_NumTensor:$input,
      DenseI64ArrayAttr:$axes, UnitAttr:$keep_dims);
  let results = (outs Glow_NumTensor:$result);
  let assemblyFormat =
      "$kind $input attr-dict `:` functional-type(operands, results)";
}

def Glow_ArgReduceOp : Glow_PrimitiveOp<"arg_reduce"> {
  let summary = "position of the maximum or minimum along an axis";
  let description = [{
    The first position, or with `select_last` the last one. `kind` is `max` or
    `min`; the result is `i64`. NaN is neither larger nor smaller than anything,
    so it is chosen only where it comes first. Only the first `count` elements are
    looked at, if that is given.

    Example:
    ```mlir
    %r = glow.arg_reduce max %x {axis = 1 : i64} : (tensor<2x8xf32>) -> tensor<2xi64>
    ```
  }];
  let arguments = (ins Glow_ReduceKindAttr:$kind, Glow_NumTensor:$input,
      Glow_Count:$count, I64Attr:$axis, UnitAttr:$keep_dims,
      UnitAttr:$select_last);
  let results = (outs RankedTensorOf<[I64]>:$result);
  let assemblyFormat = [{
    $kind $input (`count` `(` $count^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Glow_ScanOp : Glow_PrimitiveOp<"scan", [Glow_TypeOfInput]> {
  let summary = "running sum or product along an axis";
  let description = [{
    `exclusive` leaves the own element out; `reverse` runs from the end, or from the
    first `count` elements' end, behind which results may be anything.

    Example:
    ```mlir
    %r = glow.scan sum %x {axis = 0 : i64} : (tensor<8xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Glow_ReduceKindAttr:$kind, Glow_NumTensor:$input,
      Glow_Count:$count, I64Attr:$axis, UnitAttr:$exclusive,
      UnitAttr:$reverse);
  let results = (outs Glow_NumTensor:$result);
  let assemblyFormat = [{
    $kind $input (`count` `(` $count^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Glow_TopKOp : Glow_PrimitiveOp<"top_k"> {
  let summary = "the k largest or smallest elements along an axis, sorted";
  let description = [{
    `k` is a 1-D tensor of one element. Of equal elements the one with the lower
    index comes first. Only the first `count` elements are looked at, if that is
    given; results behind so many may be anything.

    Example:
    ```mlir
    %v, %i = glow.top_k %x, %k {axis = 1 : i64, largest} : (tensor<2x8xf32>, tensor<1xi64>) -> (tensor<2x3xf32>, tensor<2x3xi64>)
    ```
  }];
  let arguments = (ins Glow_NumTensor:$input, Glow_ShapeTensor:$k,
      Glow_Count:$count, I64Attr:$axis, UnitAttr:$largest);
  let results = (outs Glow_NumTensor:$values, RankedTensorOf<[I64]>:$indices);
  let hasVerifier = 1;
}

#endif
