//===- GlowIndexOps.td - ops that address elements by index tensors ---*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_GLOWINDEXOPS_TD
#define GLOW_DIALECT_GLOW_IR_GLOWINDEXOPS_TD

include "glow/Dialect/Glow/IR/GlowOpBase.td"

def Glow_GatherOp : Glow_PrimitiveOp<"gather"> {
  let summary = "slices of the input at indices along an axis";
  let description = [{
    The result's shape is the input's with `axis` replaced by the shape of
    `indices`. Negative indices count from the end. In a bounded function
    `index_extents` may tell how many indices along each of their axes matter, as
    a function of the symbols: what is gathered behind may be anything.

    Example:
    ```mlir
    %r = glow.gather %x, %i {axis = 0 : i64} : (tensor<9x4xf32>, tensor<2x3xi64>) -> tensor<2x3x4xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, Glow_IndexTensor:$indices,
      I64Attr:$axis, OptionalAttr<AffineMapAttr>:$index_extents);
  let results = (outs Glow_Tensor:$result);
  let builders = [OpBuilder<(ins "Value":$input, "Value":$indices,
      "int64_t":$axis), [{
    build($_builder, $_state, input, indices, axis, AffineMapAttr());
  }]>];
  let hasVerifier = 1;
  let hasFolder = 1;
}

def Glow_GatherElementsOp : Glow_PrimitiveOp<"gather_elements"> {
  let summary = "one element per index, along an axis";
  let description = [{
    Result and `indices` have the same shape; all axes but `axis` are addressed
    by the index's own place.

    Example:
    ```mlir
    %r = glow.gather_elements %x, %i {axis = 1 : i64} : (tensor<2x9xf32>, tensor<2x3xi64>) -> tensor<2x3xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, Glow_IndexTensor:$indices,
      I64Attr:$axis);
  let results = (outs Glow_Tensor:$result);
  let hasVerifier = 1;
}

def Glow_WalkTreesOp : Glow_PrimitiveOp<"walk_trees"> {
  let summary = "the nodes that rows of features reach in decision trees";
  let description = [{
    `input` has a row of features per example; the result has a row of nodes,
    one for each tree (Breiman et al., 1984). Row t of `roots` is the first node
    of tree t and the number of steps in it. A step from node n goes to
    `links[n, 2]` if feature `links[n, 0]` is at most `thresholds[n]`, else to
    `links[n, 1]`; a leaf is its own successor. With `missing`, a feature may be
    given as its complement -1 - f, and NaN then counts as at most the
    threshold. Features and nodes that do not exist are an error, or, on some
    back ends, others that do.

    Example:
    ```mlir
    %r = glow.walk_trees %x, %t, %l, %roots : (tensor<9x4xf32>, tensor<31xf32>, tensor<31x3xi32>, tensor<2x2xi32>) -> tensor<9x2xi32>
    ```
  }];
  let arguments = (ins Glow_FloatTensor:$input, Glow_FloatTensor:$thresholds,
      Glow_IndexTensor:$links, Glow_IndexTensor:$roots, UnitAttr:$missing);
  let results = (outs Glow_IndexTensor:$result);
  let hasVerifier = 1;
}

def Glow_GatherNDOp : Glow_PrimitiveOp<"gather_nd"> {
  let summary = "slices of the input at index tuples";
  let description = [{
    The last axis of `indices` addresses the input's axes from `batch_dims` on;
    the first `batch_dims` axes of both are common.

    Example:
    ```mlir
    %r = glow.gather_nd %x, %i {batch_dims = 0 : i64} : (tensor<4x5x6xf32>, tensor<7x2xi64>) -> tensor<7x6xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, Glow_IndexTensor:$indices,
      I64Attr:$batch_dims);
  let results = (outs Glow_Tensor:$result);
  let hasVerifier = 1;
}

def Glow_ScatterElementsOp : Glow_PrimitiveOp<"scatter_elements", [Glow_TypeOfInput]> {
  let summary = "the input with single elements updated along an axis";
  let description = [{
    With `count` only the first indices along `axis` count.

    Example:
    ```mlir
    %r = glow.scatter_elements add %x, %i, %u {axis = 0 : i64} : (tensor<9x4xf32>, tensor<2x4xi64>, tensor<2x4xf32>) -> tensor<9x4xf32>
    ```
  }];
  let arguments = (ins Glow_ScatterKindAttr:$kind, Glow_Tensor:$input,
      Glow_IndexTensor:$indices, Glow_Tensor:$updates, Glow_Count:$count,
      I64Attr:$axis);
  let results = (outs Glow_Tensor:$result);
  let assemblyFormat = [{
    $kind $input `,` $indices `,` $updates (`count` `(` $count^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Glow_ScatterNDOp : Glow_PrimitiveOp<"scatter_nd", [Glow_TypeOfInput]> {
  let summary = "the input with slices at index tuples updated";
  let description = [{
    With `count` only the first places along the first axis of `indices` count.

    Example:
    ```mlir
    %r = glow.scatter_nd none %x, %i, %u : (tensor<8xf32>, tensor<4x1xi64>, tensor<4xf32>) -> tensor<8xf32>
    ```
  }];
  let arguments = (ins Glow_ScatterKindAttr:$kind, Glow_Tensor:$input,
      Glow_IndexTensor:$indices, Glow_Tensor:$updates, Glow_Count:$count);
  let results = (outs Glow_Tensor:$result);
  let assemblyFormat = [{
    $kind $input `,` $indices `,` $updates (`count` `(` $count^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Glow_ReverseSequenceOp
    : Glow_PrimitiveOp<"reverse_sequence", [Glow_TypeOfInput]> {
  let summary = "the first elements of every sequence in reverse order";
  let description = [{
    `lengths` says for each place along `batch_axis` how many elements along
    `time_axis` change places.

    Example:
    ```mlir
    %r = glow.reverse_sequence %x, %n {time_axis = 0 : i64, batch_axis = 1 : i64} : (tensor<4x2x3xf32>, tensor<2xi64>) -> tensor<4x2x3xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, Glow_ShapeTensor:$lengths,
      I64Attr:$time_axis, I64Attr:$batch_axis);
  let results = (outs Glow_Tensor:$result);
  let hasVerifier = 1;
}

def Glow_OneHotOp : Glow_PrimitiveOp<"one_hot"> {
  let summary = "rows that are `on` at the index and `off` elsewhere";
  let description = [{
    `depth` is a 1-D tensor of one element, `values` the pair off, on.

    Example:
    ```mlir
    %r = glow.one_hot %i, %depth, %values {axis = 1 : i64} : (tensor<4xi64>, tensor<1xi64>, tensor<2xf32>) -> tensor<4x10xf32>
    ```
  }];
  let arguments = (ins Glow_NumTensor:$indices, Glow_ShapeTensor:$depth,
      1DTensorOf<[AnyFloat, AnyInteger]>:$values, I64Attr:$axis);
  let results = (outs Glow_NumTensor:$result);
  let hasVerifier = 1;
}

def Glow_NonZeroOp : Glow_PrimitiveOp<"non_zero"> {
  let summary = "the indices of the elements that are not zero";
  let description = [{
    A matrix with one row per axis and one column per element, in row-major
    order.

    Example:
    ```mlir
    %r = glow.non_zero %x : (tensor<3x4xf32>) -> tensor<2x?xi64>
    ```
  }];
  let arguments = (ins Glow_NumTensor:$input);
  let results = (outs RankedTensorOf<[I64]>:$result);
}

def Glow_NonMaxSuppressionOp : Glow_PrimitiveOp<"non_max_suppression"> {
  let summary = "of boxes that overlap the one with the highest score";
  let description = [{
    `boxes` holds the top, left, bottom and right edges of the n boxes of each batch,
    `scores` their scores in each class; a box whose score is NaN is not there. For
    each batch and class, the box with the highest score is chosen, of equal ones the
    first, and those are dropped whose intersection with it is more than `threshold`
    of their union; then the next one is chosen from those that are left, `most` at
    most. `indices` are those of the chosen boxes in this order, and 0 behind the
    `counts` of them. There is room for `limit` of them, or for n.

    Example:
    ```mlir
    %i, %c = glow.non_max_suppression %b, %s, %most, %t {limit = 8 : i64} : (tensor<1x4x99xf32>, tensor<1x80x99xf32>, tensor<i64>, tensor<f32>) -> (tensor<1x80x8xi64>, tensor<1x80xi64>)
    ```
  }];
  let arguments = (ins RankedTensorOf<[F32]>:$boxes, RankedTensorOf<[F32]>:$scores,
      RankedTensorOf<[I64]>:$most, RankedTensorOf<[F32]>:$threshold,
      OptionalAttr<I64Attr>:$limit);
  let results = (outs RankedTensorOf<[I64]>:$indices, RankedTensorOf<[I64]>:$counts);
  let hasVerifier = 1;
}

#endif
