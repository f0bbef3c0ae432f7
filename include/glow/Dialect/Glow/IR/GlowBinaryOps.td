//===- GlowBinaryOps.td - element-wise ops of more operands ---*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line per op: its name, what it computes, and its scalar body.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_GLOW_IR_GLOWBINARYOPS_TD
#define GLOW_DIALECT_GLOW_IR_GLOWBINARYOPS_TD

include "glow/Dialect/Glow/IR/GlowOpBase.td"

def Glow_AddOp : Glow_BinaryOp<"add", "sum", "b.add(x, y)", Glow_NumTensor, [Commutative]>;
def Glow_SubOp : Glow_BinaryOp<"sub", "difference", "b.sub(x, y)">;
def Glow_MulOp : Glow_BinaryOp<"mul", "product", "b.mul(x, y)", Glow_NumTensor, [Commutative]> {
  let hasCanonicalizeMethod = 1;
}
def Glow_DivOp : Glow_BinaryOp<"div", "quotient; integers truncate", "b.div(x, y)">;
def Glow_ModOp : Glow_BinaryOp<"mod", "remainder with the divisor's sign", "b.mod(x, y)">;
def Glow_FmodOp : Glow_BinaryOp<"fmod", "remainder with the dividend's sign", "b.fmod(x, y)">;
def Glow_PowOp : Glow_BinaryOp<"pow", "power", "b.pow(x, y)">;
def Glow_MaximumOp : Glow_BinaryOp<"maximum", "maximum; NaN if either is", "b.max(x, y)", Glow_NumTensor, [Commutative]>;
def Glow_MinimumOp : Glow_BinaryOp<"minimum", "minimum; NaN if either is", "b.min(x, y)", Glow_NumTensor, [Commutative]>;
def Glow_PReluOp : Glow_BinaryOp<"prelu", "x < 0 ? x y : x",
    "b.select(b.compare(ScalarBuilder::Predicate::lt, x, b.zero(x)), b.mul(x, y), x)">;

class Glow_LogicalOp<string mnemonic, string operation, string scalarBody, Type type>
    : Glow_BinaryOp<mnemonic, operation, scalarBody, type, [Commutative]>;
def Glow_AndOp : Glow_LogicalOp<"and", "logical and", "b.andi(x, y)", Glow_BoolTensor>;
def Glow_OrOp : Glow_LogicalOp<"or", "logical or", "b.ori(x, y)", Glow_BoolTensor>;
def Glow_XorOp : Glow_LogicalOp<"xor", "exclusive or", "b.xori(x, y)", Glow_BoolTensor>;
def Glow_BitwiseAndOp : Glow_LogicalOp<"bitwise_and", "bitwise and", "b.andi(x, y)", Glow_IntTensor>;
def Glow_BitwiseOrOp : Glow_LogicalOp<"bitwise_or", "bitwise or", "b.ori(x, y)", Glow_IntTensor>;
def Glow_BitwiseXorOp : Glow_LogicalOp<"bitwise_xor", "bitwise exclusive or", "b.xori(x, y)", Glow_IntTensor>;
def Glow_ShiftLeftOp : Glow_BinaryOp<"shift_left", "shift to the left", "b.shiftLeft(x, y)", Glow_IntTensor>;
def Glow_ShiftRightOp : Glow_BinaryOp<"shift_right", "shift to the right", "b.shiftRight(x, y)", Glow_IntTensor>;

class Glow_CompareOp<string mnemonic, string operation, string predicate>
    : Glow_BinaryOp<mnemonic, operation,
                    "b.compare(ScalarBuilder::Predicate::" # predicate # ", x, y)",
                    Glow_NumTensor, [], "::mlir::glow::boolType(context)">;
def Glow_EqualOp : Glow_CompareOp<"equal", "equality", "eq">;
def Glow_NotEqualOp : Glow_CompareOp<"not_equal", "inequality", "ne">;
def Glow_LessOp : Glow_CompareOp<"less", "x < y", "lt">;
def Glow_LessEqualOp : Glow_CompareOp<"less_equal", "x <= y", "le">;
def Glow_GreaterOp : Glow_CompareOp<"greater", "x > y", "gt">;
def Glow_GreaterEqualOp : Glow_CompareOp<"greater_equal", "x >= y", "ge">;

def Glow_WhereOp : Glow_ElementwiseOp<"where", "b.select(x, y, z)",
    [AllElementTypesMatch<["lhs", "rhs", "result"]>],
    "::mlir::glow::elementType(adaptor.getOperands()[1])"> {
  let summary = "element-wise choice by a condition, with broadcasting";
  let arguments = (ins Glow_BoolTensor:$condition, Glow_NumTensor:$lhs,
                   Glow_NumTensor:$rhs);
  let description = [{
    Example:
    ```mlir
    %r = glow.where %c, %x, %y : (tensor<4xi1>, tensor<4xf32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
  let hasFolder = 1;
}
def Glow_ClampOp : Glow_ElementwiseOp<"clamp", "b.clamp(x, y, z)",
                                      [SameOperandsElementType]> {
  let summary = "element-wise min(max(x, low), high), with broadcasting";
  let arguments = (ins Glow_NumTensor:$input, Glow_NumTensor:$low,
                   Glow_NumTensor:$high);
  let description = [{
    Example:
    ```mlir
    %r = glow.clamp %x, %lo, %hi : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<4xf32>
    ```
  }];
}

#endif
