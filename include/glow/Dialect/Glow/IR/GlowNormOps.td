//===- GlowNormOps.td - normalisation, softmax and quantisation ---*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_GLOWNORMOPS_TD
#define GLOW_DIALECT_GLOW_IR_GLOWNORMOPS_TD

include "glow/Dialect/Glow/IR/GlowOpBase.td"

def Glow_SoftmaxOp : Glow_CompositeOp<"softmax", [Glow_TypeOfInput]> {
  let summary = "exp(x) / sum(exp(x)) along an axis";
  let description = [{
    With `log`, its logarithm.

    Example:
    ```mlir
    %r = glow.softmax %x {axis = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins Glow_FloatTensor:$input, I64Attr:$axis, UnitAttr:$log);
  let results = (outs Glow_FloatTensor:$result);
  let hasVerifier = 1;
}

def Glow_BatchNormOp : Glow_CompositeOp<"batch_norm", [Glow_TypeOfInput]> {
  let summary = "batch normalisation at inference";
  let description = [{
    (x - mean) / sqrt(variance + epsilon) * scale + bias per channel (axis 1).
    Ioffe and Szegedy, https://arxiv.org/abs/1502.03167.

    Example:
    ```mlir
    %r = glow.batch_norm %x, %s, %b, %m, %v {epsilon = 1.0e-5 : f64} : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
    ```
  }];
  let arguments = (ins Glow_FloatTensor:$input, Glow_FloatTensor:$scale,
      Glow_FloatTensor:$bias, Glow_FloatTensor:$mean,
      Glow_FloatTensor:$variance, F64Attr:$epsilon);
  let results = (outs Glow_FloatTensor:$result);
  let hasVerifier = 1;
}

def Glow_LayerNormOp : Glow_CompositeOp<"layer_norm", [Glow_TypeOfInput]> {
  let summary = "normalisation over the axes from `axis` on";
  let description = [{
    (x - mean) / sqrt(variance + epsilon) * scale + bias; with `rms` the mean
    is taken as zero (RMS normalisation, https://arxiv.org/abs/1910.07467).
    Scale and bias are broadcast to the input. Ba et al.,
    https://arxiv.org/abs/1607.06450.

    Example:
    ```mlir
    %r = glow.layer_norm %x, %s, %b {axis = 1 : i64, epsilon = 1.0e-5 : f64} : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins Glow_FloatTensor:$input, Glow_FloatTensor:$scale,
      Optional<Glow_FloatTensor>:$bias, I64Attr:$axis, F64Attr:$epsilon,
      UnitAttr:$rms);
  let results = (outs Glow_FloatTensor:$result);
  let hasVerifier = 1;
}

def Glow_GroupNormOp : Glow_CompositeOp<"group_norm", [Glow_TypeOfInput]> {
  let summary = "normalisation over groups of channels";
  let description = [{
    Channels (axis 1) in `groups` equal groups; scale and bias per channel.
    As many groups as channels is instance normalisation. Wu and He,
    https://arxiv.org/abs/1803.08494.

    Example:
    ```mlir
    %r = glow.group_norm %x, %s, %b {groups = 2 : i64, epsilon = 1.0e-5 : f64} : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
    ```
  }];
  let arguments = (ins Glow_FloatTensor:$input, Glow_FloatTensor:$scale,
      Glow_FloatTensor:$bias, I64Attr:$groups, F64Attr:$epsilon);
  let results = (outs Glow_FloatTensor:$result);
  let hasVerifier = 1;
}

def Glow_QuantizeOp : Glow_CompositeOp<"quantize"> {
  let summary = "saturate(round(x / scale) + zero_point)";
  let description = [{
    Rounds halves to even. `scale` and `zero_point` have rank 0, rank 1 along
    `axis`, or the rank of the input, to which they are broadcast. The zero point's element type is the result's.

    Example:
    ```mlir
    %r = glow.quantize %x, %s, %z {axis = 1 : i64} : (tensor<2x8xf32>, tensor<f32>, tensor<ui8>) -> tensor<2x8xui8>
    ```
  }];
  let arguments = (ins Glow_NumTensor:$input, Glow_FloatTensor:$scale,
      Glow_NumTensor:$zero_point, I64Attr:$axis);
  let results = (outs Glow_NumTensor:$result);
}

def Glow_DequantizeOp : Glow_CompositeOp<"dequantize"> {
  let summary = "(x - zero_point) * scale";
  let description = [{
    `scale` and `zero_point` have rank 0, rank 1 along `axis`, or the rank of
    the input, to which they are broadcast. The scale's element type is the
    result's.

    Example:
    ```mlir
    %r = glow.dequantize %x, %s, %z {axis = 1 : i64} : (tensor<2x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x8xf32>
    ```
  }];
  let arguments = (ins Glow_NumTensor:$input, Glow_FloatTensor:$scale,
      Optional<Glow_NumTensor>:$zero_point, I64Attr:$axis);
  let results = (outs Glow_FloatTensor:$result);
}

#endif
