//===- GlowLinearOps.td - convolutions, products of matrices, pooling ---*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_GLOWLINEAROPS_TD
#define GLOW_DIALECT_GLOW_IR_GLOWLINEAROPS_TD

include "glow/Dialect/Glow/IR/GlowOpBase.td"
include "glow/Interfaces/Layout.td"

/// A contraction whose result may pass through an element-wise epilogue: a
/// region that takes one result element and one element of each epilogue input
/// (broadcast to the result's shape) and yields the final element.
class Glow_ContractionOp<string mnemonic, list<Trait> traits = []>
    : Glow_PrimitiveOp<mnemonic, !listconcat(
          [SingleBlock, IsolatedFromAbove], traits)> {
  let regions = (region MaxSizedRegion<1>:$epilogue);
  let results = (outs Glow_Tensor:$result);
  let hasVerifier = 1;
}

def Glow_ConvOp : Glow_ContractionOp<"conv",
    [AttrSizedOperandSegments, DeclareOpInterfaceMethods<LayoutOpInterface>]> {
  let summary = "N-dimensional convolution";
  let description = [{
    Input N, C, spatial… and filter O, C / group, window…; or with
    `layout = #glow.layout<channels_last>` input N, spatial…, C and filter
    window…, C / group, O. `pads` holds the zeros before each spatial axis, then
    those after. With `packed = n` the filter is the result of `glow.pack` with
    that width and `kernel_shape` gives the window; with `winograd` it is
    transformed as that attribute says. With `pieces = p` input and filter are
    results of `glow.bf16_pieces` along the channels and stand for the sums of
    their p pieces; of a product, those of the i-th and the j-th piece are made
    with i + j < p. The result has the input's element type,
    or the one that the epilogue yields; floats are summed up in the type of the
    epilogue's first argument, at least in single precision.

    Example:
    ```mlir
    %r = glow.conv %x, %w bias(%b) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
    ```
  }];
  let arguments = (ins Glow_ElementTensor:$input, Glow_ElementTensor:$filter,
      Optional<Glow_Tensor>:$bias, Variadic<Glow_Tensor>:$epilogue_inputs,
      DenseI64ArrayAttr:$kernel_shape, DenseI64ArrayAttr:$strides,
      DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$dilations, I64Attr:$group,
      OptionalAttr<Glow_LayoutAttr>:$layout, OptionalAttr<I64Attr>:$packed,
      OptionalAttr<I64Attr>:$output_channels,
      OptionalAttr<Glow_WinogradAttr>:$winograd, OptionalAttr<I64Attr>:$pieces);
  let assemblyFormat = [{
    $input `,` $filter (`bias` `(` $bias^ `)`)?
    (`epilogue` `(` $epilogue_inputs^ `)`)? attr-dict (`do` $epilogue^)?
    `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    bool isChannelsLast();
    int64_t getFirstSpatialAxis() { return isChannelsLast() ? 1 : 2; }
    int64_t getSpatialRank() { return getStrides().size(); }
  }];
}

def Glow_ConvTransposeOp : Glow_CompositeOp<"conv_transpose", [Evaluated]> {
  let summary = "N-dimensional transposed convolution";
  let description = [{
    Input N, C, spatial… and filter C, O / group, window…. Each spatial extent
    becomes `stride (in - 1) + output_padding + dilation (kernel - 1) + 1 - pads`.

    Example:
    ```mlir
    %r = glow.conv_transpose %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, output_padding = array<i64: 0, 0>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x4x8x8xf32>, tensor<4x3x2x2xf32>) -> tensor<1x3x16x16xf32>
    ```
  }];
  let arguments = (ins Glow_FloatTensor:$input, Glow_FloatTensor:$filter,
      Optional<Glow_FloatTensor>:$bias, DenseI64ArrayAttr:$strides,
      DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$dilations,
      DenseI64ArrayAttr:$output_padding, I64Attr:$group);
  let results = (outs Glow_FloatTensor:$result);
}

def Glow_MatMulOp : Glow_ContractionOp<"matmul"> {
  let summary = "product of matrices, with NumPy's rules for batches";
  let description = [{
    Contracts the last axis of `lhs` with the last but one of `rhs`; the leading
    axes are broadcast; a vector is a matrix whose extra axis is dropped from the
    result. Integers accumulate in the result's element type, floats in the type
    of the epilogue's first argument, at least in single precision. With
    `packed = n` the right-hand side is the result of `glow.pack` with that width
    and `output_channels` its number of columns. `pieces` is that of `glow.conv`,
    along the axis that is contracted; with `few_rows = n` fewer than n rows, up to
    the innermost axis of an open extent, may be multiplied in single precision, by
    what the pieces add up to.

    Example:
    ```mlir
    %r = glow.matmul %a, %b : (tensor<8x128x64xf32>, tensor<64x32xf32>) -> tensor<8x128x32xf32>
    ```
  }];
  let arguments = (ins Glow_ElementTensor:$lhs, Glow_ElementTensor:$rhs,
      Variadic<Glow_Tensor>:$epilogue_inputs, OptionalAttr<I64Attr>:$packed,
      OptionalAttr<I64Attr>:$output_channels, OptionalAttr<TypeAttr>:$accumulator,
      OptionalAttr<I64Attr>:$pieces, OptionalAttr<I64Attr>:$few_rows);
  let assemblyFormat = [{
    $lhs `,` $rhs (`epilogue` `(` $epilogue_inputs^ `)`)? attr-dict
    (`do` $epilogue^)? `:` functional-type(operands, results)
  }];
}

def Glow_PackOp : Glow_PrimitiveOp<"pack"> {
  let summary = "a matrix cut into column panels, for contraction kernels";
  let description = [{
    From `…, K, N` to `…, ceil(N / width), K, width`; the last panel is filled
    with zeros. Leading axes are kept. With `group = g` each row of a panel holds
    g rows of the matrix, the g elements of a column side by side, for
    instructions that multiply and add several at once: `…, ceil(K / g),
    g width`, where missing rows are zeros.

    Example:
    ```mlir
    %r = glow.pack %w {width = 32 : i64} : (tensor<64x100xf32>) -> tensor<4x64x32xf32>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, I64Attr:$width,
      DefaultValuedAttr<I64Attr, "1">:$group);
  let results = (outs Glow_Tensor:$result);
}

def Glow_NarrowWeightsOp : Glow_PrimitiveOp<"narrow_weights"> {
  let summary = "a matrix in floats of 24 bits, with a scale for each column";
  let description = [{
    From `K, N` to `K, N` and scales of `N`: `input` is about `result` times
    `scales`. The scale of a column is the largest power of two that is not above
    its largest number, or 0 if all are zeros. Numbers of the result have 5 bits
    of exponent and 18 of mantissa, rounded to nearest with halves to even: they
    are off by at most 2^-19 of themselves, or by 2^-31 of the scale. MLIR has no
    such type; their bits are shown as `i24`. The input must be constant and
    finite.

    Example:
    ```mlir
    %r, %s = glow.narrow_weights %w : (tensor<64x100xf32>) -> (tensor<64x100xi24>, tensor<100xf32>)
    ```
  }];
  let arguments = (ins Glow_Tensor:$input);
  let results = (outs Glow_Tensor:$result, Glow_Tensor:$scales);
}

def Glow_Bf16PiecesOp : Glow_PrimitiveOp<"bf16_pieces"> {
  let summary = "numbers as sums of bf16, for products in several parts";
  let description = [{
    The first piece is the input rounded to bf16, each further one what is left,
    rounded. They follow one another along `axis`, each filled up with zeros to a
    multiple of `multiple` elements. Two pieces hold 16 to 17 bits of a number,
    three all 24. What rounds to infinity leaves NaN behind.

    Example:
    ```mlir
    %r = glow.bf16_pieces %x {axis = 1 : i64, multiple = 32 : i64, pieces = 3 : i64} : (tensor<8x48xf32>) -> tensor<8x192xbf16>
    ```
  }];
  let arguments = (ins Glow_Tensor:$input, I64Attr:$axis, I64Attr:$pieces,
      I64Attr:$multiple);
  let results = (outs Glow_Tensor:$result);
}

def Glow_GemmOp : Glow_CompositeOp<"gemm"> {
  let summary = "alpha A' B' + beta C on matrices, as in BLAS";
  let description = [{
    A' is A or its transpose (`trans_a`); C is broadcast to the product's shape.

    Example:
    ```mlir
    %r = glow.gemm %a, %b, %c {alpha = 1.0 : f64, beta = 1.0 : f64, trans_b} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
    ```
  }];
  let arguments = (ins Glow_NumTensor:$a, Glow_NumTensor:$b,
      Optional<Glow_NumTensor>:$c, F64Attr:$alpha, F64Attr:$beta,
      UnitAttr:$trans_a, UnitAttr:$trans_b);
  let results = (outs Glow_NumTensor:$result);
}

def Glow_PoolOp : Glow_PrimitiveOp<"pool",
    [DeclareOpInterfaceMethods<LayoutOpInterface>]> {
  let summary = "maximum or mean over windows";
  let description = [{
    Layout, `pads`, `strides` and `dilations` as in `glow.conv`. Padding counts
    as minus infinity for `max`; for `average` it counts as zeros if
    `count_include_pad` is set and is left out of the mean otherwise.

    Example:
    ```mlir
    %r = glow.pool max %x {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x3x8x8xf32>) -> tensor<1x3x4x4xf32>
    ```
  }];
  let arguments = (ins Glow_PoolKindAttr:$kind, Glow_ElementTensor:$input,
      DenseI64ArrayAttr:$kernel_shape, DenseI64ArrayAttr:$strides,
      DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$dilations,
      UnitAttr:$ceil_mode, UnitAttr:$count_include_pad,
      OptionalAttr<Glow_LayoutAttr>:$layout);
  let results = (outs Glow_Tensor:$result);
  let assemblyFormat =
      "$kind $input attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    bool isChannelsLast();
    int64_t getFirstSpatialAxis() { return isChannelsLast() ? 1 : 2; }
    int64_t getSpatialRank() { return getStrides().size(); }
  }];
}

def Glow_Col2ImOp : Glow_CompositeOp<"col2im"> {
  let summary = "images from their windows, added up where these overlap";
  let description = [{
    The reverse of cutting images into windows: input N, C x window, number of
    windows; result N, C, `image_shape`. Windows lie as those of `glow.conv` on
    an image padded by `pads`.

    Example:
    ```mlir
    %r = glow.col2im %x {image_shape = array<i64: 4, 4>, kernel_shape = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x8x9xf32>) -> tensor<1x2x4x4xf32>
    ```
  }];
  let arguments = (ins Glow_NumTensor:$input, DenseI64ArrayAttr:$image_shape,
      DenseI64ArrayAttr:$kernel_shape, DenseI64ArrayAttr:$strides,
      DenseI64ArrayAttr:$pads, DenseI64ArrayAttr:$dilations);
  let results = (outs Glow_NumTensor:$result);
}

#endif
