//===- GlowShapeOps.td - ops that move elements or change shapes ---*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_GLOWSHAPEOPS_TD
#define GLOW_DIALECT_GLOW_IR_GLOWSHAPEOPS_TD

include "glow/Dialect/Glow/IR/GlowOpBase.td"

def Glow_ReshapeOp : Glow_PrimitiveOp<"reshape"> {
  let summary = "the same elements in another shape";
  let description = [{
    At most one extent of `shape` is -1 and follows from the others; a 0 copies
    the input's extent at that place unless `allow_zero` is set.

    Example:
    ```mlir
    %r = glow.reshape %x, %shape : (tensor<2x6xf32>, tensor<2xi64>) -> tensor<3x4xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, Glow_ShapeTensor:$shape,
      UnitAttr:$allow_zero);
  let results = (outs Glow_Tensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Glow_SqueezeOp : Glow_PrimitiveOp<"squeeze"> {
  let summary = "removal of axes of extent 1";
  let description = [{
    Example:
    ```mlir
    %r = glow.squeeze %x {axes = array<i64: 0>} : (tensor<1x6xf32>) -> tensor<6xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, DenseI64ArrayAttr:$axes);
  let results = (outs Glow_Tensor:$result);
  let hasCanonicalizer = 1;
}

def Glow_UnsqueezeOp : Glow_PrimitiveOp<"unsqueeze"> {
  let summary = "insertion of axes of extent 1";
  let description = [{
    `axes` are places in the result.

    Example:
    ```mlir
    %r = glow.unsqueeze %x {axes = array<i64: 0>} : (tensor<6xf32>) -> tensor<1x6xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, DenseI64ArrayAttr:$axes);
  let results = (outs Glow_Tensor:$result);
  let hasCanonicalizer = 1;
}

def Glow_FlattenOp : Glow_PrimitiveOp<"flatten"> {
  let summary = "a matrix: axes before `axis` by the axes from it on";
  let description = [{
    Example:
    ```mlir
    %r = glow.flatten %x {axis = 1 : i64} : (tensor<2x3x4xf32>) -> tensor<2x12xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, I64Attr:$axis);
  let results = (outs Glow_Tensor:$result);
  let hasCanonicalizer = 1;
}

def Glow_TransposeOp : Glow_PrimitiveOp<"transpose"> {
  let summary = "axes in another order";
  let description = [{
    Axis `i` of the result is axis `permutation[i]` of the input.

    Example:
    ```mlir
    %r = glow.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, DenseI64ArrayAttr:$permutation);
  let results = (outs Glow_Tensor:$result);
  let hasFolder = 1;
  let hasCanonicalizer = 1;
}

def Glow_ConcatOp : Glow_PrimitiveOp<"concat"> {
  let summary = "tensors one after another along an axis";
  let description = [{
    Example:
    ```mlir
    %r = glow.concat %x, %y {axis = 0 : i64} : (tensor<2x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
    ```
  }];
  let arguments = (ins Variadic<Glow_Tensor>:$inputs, I64Attr:$axis);
  let results = (outs Glow_Tensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Glow_SliceOp : Glow_PrimitiveOp<"slice"> {
  let summary = "every n-th element of a range along axes";
  let description = [{
    `starts`, `ends` and `steps` hold one number per entry of `axes`, with
    ONNX's rules: negative positions count from the end, positions are clamped,
    a negative step runs backwards.

    Example:
    ```mlir
    %r = glow.slice %x, %starts, %ends, %steps {axes = array<i64: 1>} : (tensor<2x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, Glow_ShapeTensor:$starts,
      Glow_ShapeTensor:$ends, Glow_ShapeTensor:$steps, DenseI64ArrayAttr:$axes);
  let results = (outs Glow_Tensor:$result);
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Glow_PadOp : Glow_PrimitiveOp<"pad"> {
  let summary = "elements added, or with negative pads removed, at the edges";
  let description = [{
    `pads` holds the numbers before all axes, then those after. `value` (rank 0)
    is read by mode `constant` only and is zero if absent.

    Example:
    ```mlir
    %r = glow.pad constant %x, %pads : (tensor<2x3xf32>, tensor<4xi64>) -> tensor<4x5xf32>
    ```
  }];
  let arguments = (ins Glow_PadModeAttr:$mode, Glow_Tensor:$input,
      Glow_ShapeTensor:$pads, Optional<Glow_Tensor>:$value);
  let results = (outs Glow_Tensor:$result);
  let assemblyFormat = [{
    $mode $input `,` $pads (`value` `(` $value^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Glow_ExpandOp : Glow_PrimitiveOp<"expand"> {
  let summary = "broadcasting to a shape";
  let description = [{
    The result's shape is that of the input broadcast with `shape`, both ways.

    Example:
    ```mlir
    %r = glow.expand %x, %shape : (tensor<3x1xf32>, tensor<3xi64>) -> tensor<2x3x6xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, Glow_ShapeTensor:$shape);
  let results = (outs Glow_Tensor:$result);
  let hasFolder = 1;
}

def Glow_TileOp : Glow_PrimitiveOp<"tile"> {
  let summary = "copies side by side along every axis";
  let description = [{
    Example:
    ```mlir
    %r = glow.tile %x, %repeats : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<4x3xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, Glow_ShapeTensor:$repeats);
  let results = (outs Glow_Tensor:$result);
}

def Glow_ShapeOfOp : Glow_PrimitiveOp<"shape_of"> {
  let summary = "the extents of a tensor as a 1-D tensor";
  let description = [{
    Axes from `start` up to, but not including, `end`; both within 0 … rank.

    Example:
    ```mlir
    %r = glow.shape_of %x {start = 0 : i64, end = 2 : i64} : (tensor<2x3xf32>) -> tensor<2xi64>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, I64Attr:$start, I64Attr:$end);
  let results = (outs Glow_ShapeTensor:$result);
  let hasFolder = 1;
}

def Glow_SplatOp : Glow_PrimitiveOp<"splat"> {
  let summary = "a tensor of one repeated value";
  let description = [{
    `value` has rank 0.

    Example:
    ```mlir
    %r = glow.splat %v, %shape : (tensor<f32>, tensor<2xi64>) -> tensor<3x4xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$value, Glow_ShapeTensor:$shape);
  let results = (outs Glow_Tensor:$result);
}

def Glow_RangeOp : Glow_PrimitiveOp<"range"> {
  let summary = "start, start + delta, … up to, but not including, limit";
  let description = [{
    Example:
    ```mlir
    %r = glow.range %start, %limit, %delta : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
    ```
  }];
  let arguments = (ins Glow_ScalarTensor:$start, Glow_ScalarTensor:$limit,
      Glow_ScalarTensor:$delta);
  let results = (outs 1DTensorOf<[AnyFloat, AnyInteger]>:$result);
}

def Glow_TriluOp : Glow_PrimitiveOp<"trilu"> {
  let summary = "upper or lower triangle of matrices, zero elsewhere";
  let description = [{
    Diagonal `k` (rank 0, may be absent for the main one) belongs to both.

    Example:
    ```mlir
    %r = glow.trilu %x {upper} : (tensor<4x4xf32>) -> tensor<4x4xf32>
    ```
  }];
  let arguments = (ins Glow_NumTensor:$input, Optional<0DTensorOf<[I64]>>:$k,
      UnitAttr:$upper);
  let results = (outs Glow_NumTensor:$result);
}

def Glow_ResizeOp : Glow_PrimitiveOp<"resize"> {
  let summary = "spatial resampling by nearest neighbour, linear or cubic";
  let description = [{
    `scales` holds one factor per axis and `sizes` the result's extents. A
    factor of 0 stands for the ratio of the extents.
    The coordinate, rounding and cubic parameters are those of ONNX's Resize,
    https://onnx.ai/onnx/operators/onnx__Resize.html.

    Example:
    ```mlir
    %r = glow.resize %x, %scales, %sizes {mode = "nearest", coordinate_mode = "asymmetric", nearest_mode = "floor", cubic_coeff = -0.75 : f64} : (tensor<1x3x4x4xf32>, tensor<4xf32>, tensor<4xi64>) -> tensor<1x3x8x8xf32>
    ```
  }];
  let arguments = (ins Glow_NumTensor:$input, 1DTensorOf<[F32]>:$scales,
      Glow_ShapeTensor:$sizes, StrAttr:$mode, StrAttr:$coordinate_mode,
      StrAttr:$nearest_mode, F64Attr:$cubic_coeff);
  let results = (outs Glow_NumTensor:$result);
}

#endif
