//===- GlowRecurrentOps.td - recurrent layers ---*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef GLOW_DIALECT_GLOW_IR_GLOWRECURRENTOPS_TD
#define GLOW_DIALECT_GLOW_IR_GLOWRECURRENTOPS_TD

include "glow/Dialect/Glow/IR/GlowOpBase.td"

def Glow_RecurrentOp : Glow_CompositeOp<"recurrent", [AttrSizedOperandSegments]> {
  let summary = "RNN, GRU or LSTM layer over a sequence";
  let description = [{
    Shapes as in ONNX with layout 0: input S, B, I; `weights` D, G H, I;
    `recurrence` D, G H, H; `bias` D, 2 G H; `initial_h` and `initial_c` D, B, H;
    `peepholes` D, 3 H. G is 1, 3 (z r h) or 4 (i o f c). Results: all hidden
    states S, D, B, H, the last hidden state and, for LSTM, the last cell state
    (a copy of the hidden state otherwise). `activations` are ONNX's names in
    lower case, per direction; `activation_alpha` and `activation_beta` are for
    those that have such a parameter, in their order, with ONNX's defaults where
    the list ends before. `clip` is 0 for none. `steps`, a `tensor<i64>`, says how
    many of the S steps there are, all without it; in a bounded function `extents`
    has those of the steps and of the batch.

    Example:
    ```mlir
    %y, %h, %c = glow.recurrent lstm forward %x, %w, %r {activations = ["sigmoid", "tanh", "tanh"], hidden_size = 4 : i64, clip = 0.0 : f64} : (tensor<5x1x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>) -> (tensor<5x1x1x4xf32>, tensor<1x1x4xf32>, tensor<1x1x4xf32>)
    ```
  }];
  let arguments = (ins Glow_RecurrentKindAttr:$kind,
      Glow_DirectionAttr:$direction, Glow_FloatTensor:$input,
      Glow_FloatTensor:$weights, Glow_FloatTensor:$recurrence,
      Optional<Glow_FloatTensor>:$bias, Optional<Glow_IntTensor>:$sequence_lengths,
      Optional<0DTensorOf<[I64]>>:$steps,
      Optional<Glow_FloatTensor>:$initial_h, Optional<Glow_FloatTensor>:$initial_c,
      Optional<Glow_FloatTensor>:$peepholes, I64Attr:$hidden_size,
      StrArrayAttr:$activations,
      DefaultValuedAttr<DenseF64ArrayAttr, "{}">:$activation_alpha,
      DefaultValuedAttr<DenseF64ArrayAttr, "{}">:$activation_beta, F64Attr:$clip,
      UnitAttr:$linear_before_reset, UnitAttr:$input_forget,
      OptionalAttr<AffineMapAttr>:$extents);
  let results = (outs Glow_FloatTensor:$hidden, Glow_FloatTensor:$last_hidden,
      Glow_FloatTensor:$last_cell);
  let assemblyFormat = [{
    $kind $direction $input `,` $weights `,` $recurrence
    (`bias` `(` $bias^ `)`)? (`lengths` `(` $sequence_lengths^ `)`)?
    (`steps` `(` $steps^ `)`)? (`initial_h` `(` $initial_h^ `)`)?
    (`initial_c` `(` $initial_c^ `)`)? (`peepholes` `(` $peepholes^ `)`)? attr-dict
    `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif
