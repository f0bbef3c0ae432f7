//===- GlowUnaryOps.td - element-wise ops of one operand ---*- tablegen -*-===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line per op: its name, what it computes, and its scalar body.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_DIALECT_GLOW_IR_GLOWUNARYOPS_TD
#define GLOW_DIALECT_GLOW_IR_GLOWUNARYOPS_TD

include "glow/Dialect/Glow/IR/GlowOpBase.td"

class Glow_MathOp<string mnemonic, string operation, string mathOp>
    : Glow_UnaryOp<mnemonic, operation, "b.math<::mlir::math::" # mathOp # ">(x)",
                   Glow_FloatTensor>;

def Glow_AcosOp : Glow_MathOp<"acos", "arc cosine, in radians", "AcosOp">;
def Glow_AcoshOp : Glow_MathOp<"acosh", "inverse hyperbolic cosine", "AcoshOp">;
def Glow_AsinOp : Glow_MathOp<"asin", "arc sine, in radians", "AsinOp">;
def Glow_AsinhOp : Glow_MathOp<"asinh", "inverse hyperbolic sine", "AsinhOp">;
def Glow_AtanOp : Glow_MathOp<"atan", "arc tangent, in radians", "AtanOp">;
def Glow_AtanhOp : Glow_MathOp<"atanh", "inverse hyperbolic tangent", "AtanhOp">;
def Glow_CeilOp : Glow_MathOp<"ceil", "rounding up", "CeilOp">;
def Glow_CosOp : Glow_MathOp<"cos", "cosine of radians", "CosOp">;
def Glow_CoshOp : Glow_MathOp<"cosh", "hyperbolic cosine", "CoshOp">;
def Glow_ErfOp : Glow_MathOp<"erf", "error function", "ErfOp">;
def Glow_ExpOp : Glow_MathOp<"exp", "natural exponential", "ExpOp">;
def Glow_FloorOp : Glow_MathOp<"floor", "rounding down", "FloorOp">;
def Glow_LogOp : Glow_MathOp<"log", "natural logarithm", "LogOp">;
def Glow_RoundOp : Glow_MathOp<"round", "rounding, halves to even", "RoundEvenOp">;
def Glow_RsqrtOp : Glow_MathOp<"rsqrt", "reciprocal square root", "RsqrtOp">;
def Glow_SinOp : Glow_MathOp<"sin", "sine of radians", "SinOp">;
def Glow_SinhOp : Glow_MathOp<"sinh", "hyperbolic sine", "SinhOp">;
def Glow_SqrtOp : Glow_MathOp<"sqrt", "square root", "SqrtOp">;
def Glow_TanOp : Glow_MathOp<"tan", "tangent of radians", "TanOp">;
def Glow_TanhOp : Glow_MathOp<"tanh", "hyperbolic tangent", "TanhOp">;

def Glow_AbsOp : Glow_UnaryOp<"abs", "absolute value", "b.abs(x)">;
def Glow_NegOp : Glow_UnaryOp<"neg", "negation", "b.neg(x)">;
def Glow_SignOp : Glow_UnaryOp<"sign", "sign: -1, 0 or 1", "b.sign(x)">;
def Glow_ReluOp : Glow_UnaryOp<"relu", "max(x, 0)", "b.relu(x)">;
def Glow_ReciprocalOp : Glow_UnaryOp<"reciprocal", "1 / x", "b.reciprocal(x)",
                                     Glow_FloatTensor>;
def Glow_SigmoidOp : Glow_UnaryOp<"sigmoid", "1 / (1 + exp(-x))", "b.sigmoid(x)",
                                  Glow_FloatTensor>;
def Glow_SoftplusOp : Glow_UnaryOp<"softplus", "log(1 + exp(x))", "b.softplus(x)",
                                   Glow_FloatTensor>;
def Glow_SoftsignOp : Glow_UnaryOp<"softsign", "x / (1 + |x|)",
    "b.div(x, b.add(b.one(x), b.abs(x)))", Glow_FloatTensor>;
def Glow_MishOp : Glow_UnaryOp<"mish", "x tanh(softplus(x))",
    "b.mul(x, b.tanhOfSoftplus(x))", Glow_FloatTensor>;
def Glow_HardSwishOp : Glow_UnaryOp<"hard_swish", "x max(0, min(1, x / 6 + 1/2))",
    "b.mul(x, b.clamp(b.add(b.mul(x, b.constant(x, 1.0 / 6)), b.constant(x, 0.5)), "
    "b.zero(x), b.one(x)))", Glow_FloatTensor>;
def Glow_NotOp : Glow_UnaryOp<"not", "logical negation", "b.noti(x)",
                              Glow_BoolTensor>;
def Glow_BitwiseNotOp : Glow_UnaryOp<"bitwise_not", "bitwise complement",
                                     "b.noti(x)", Glow_IntTensor>;
def Glow_IsNaNOp : Glow_UnaryOp<"is_nan", "test for NaN", "b.isNaN(x)",
    Glow_FloatTensor, [], "::mlir::glow::boolType(context)">;

// -- With parameters -------------------------------------------------------------

class Glow_AlphaOp<string mnemonic, string operation, string scalarBody>
    : Glow_UnaryOp<mnemonic, operation, scalarBody, Glow_FloatTensor> {
  let arguments = (ins Glow_FloatTensor:$input, F64Attr:$alpha);
  let description = [{
    Example:
    ```mlir
    %r = glow.}] # mnemonic # [{ %x {alpha = 0.5 : f64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
}
def Glow_LeakyReluOp : Glow_AlphaOp<"leaky_relu", "x < 0 ? alpha x : x",
    "b.select(b.compare(ScalarBuilder::Predicate::lt, x, b.zero(x)), "
    "b.mul(x, b.constant(x, getAlpha())), x)">;
def Glow_EluOp : Glow_AlphaOp<"elu", "x < 0 ? alpha (exp(x) - 1) : x",
    "b.select(b.compare(ScalarBuilder::Predicate::lt, x, b.zero(x)), "
    "b.mul(b.constant(x, getAlpha()), b.math<::mlir::math::ExpM1Op>(x)), x)">;
def Glow_CeluOp : Glow_AlphaOp<"celu",
    "max(0, x) + min(0, alpha (exp(x / alpha) - 1))",
    "b.add(b.relu(x), b.min(b.zero(x), b.mul(b.constant(x, getAlpha()), "
    "b.math<::mlir::math::ExpM1Op>(b.div(x, b.constant(x, getAlpha()))))))">;
def Glow_ThresholdedReluOp : Glow_AlphaOp<"thresholded_relu",
    "x > alpha ? x : 0",
    "b.select(b.compare(ScalarBuilder::Predicate::gt, x, "
    "b.constant(x, getAlpha())), x, b.zero(x))">;
def Glow_SwishOp : Glow_AlphaOp<"swish", "x sigmoid(alpha x)",
    "b.mul(x, b.sigmoid(b.mul(x, b.constant(x, getAlpha()))))">;

class Glow_AlphaBetaOp<string mnemonic, string operation, string scalarBody>
    : Glow_UnaryOp<mnemonic, operation, scalarBody, Glow_FloatTensor> {
  let arguments = (ins Glow_FloatTensor:$input, F64Attr:$alpha, F64Attr:$beta);
  let description = [{
    Example:
    ```mlir
    %r = glow.}] # mnemonic # [{ %x {alpha = 0.2 : f64, beta = 0.5 : f64} : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
}
def Glow_HardSigmoidOp : Glow_AlphaBetaOp<"hard_sigmoid",
    "max(0, min(1, alpha x + beta))",
    "b.clamp(b.add(b.mul(x, b.constant(x, getAlpha())), "
    "b.constant(x, getBeta())), b.zero(x), b.one(x))">;
def Glow_SeluOp : Glow_AlphaBetaOp<"selu",
    "x > 0 ? beta x : beta alpha (exp(x) - 1)",
    "b.mul(b.constant(x, getBeta()), b.select(b.compare("
    "ScalarBuilder::Predicate::gt, x, b.zero(x)), x, b.mul(b.constant(x, getAlpha()), "
    "b.math<::mlir::math::ExpM1Op>(x))))">;
def Glow_ShrinkOp : Glow_AlphaBetaOp<"shrink",
    "x < -alpha ? x + beta : x > alpha ? x - beta : 0",
    "b.select(b.compare(ScalarBuilder::Predicate::lt, x, "
    "b.neg(b.constant(x, getAlpha()))), b.add(x, b.constant(x, getBeta())), "
    "b.select(b.compare(ScalarBuilder::Predicate::gt, x, b.constant(x, "
    "getAlpha())), b.sub(x, b.constant(x, getBeta())), b.zero(x)))">;

def Glow_GeluOp : Glow_UnaryOp<"gelu", "Gaussian error linear unit",
    "getTanh() ? b.geluTanh(x) : b.gelu(x)", Glow_FloatTensor> {
  let arguments = (ins Glow_FloatTensor:$input, UnitAttr:$tanh);
  let description = [{
    x/2 (1 + erf(x / sqrt 2)), or with `tanh` the approximation of Hendrycks and
    Gimpel, https://arxiv.org/abs/1606.08415.

    Example:
    ```mlir
    %r = glow.gelu %x : (tensor<4xf32>) -> tensor<4xf32>
    ```
  }];
}
def Glow_IsInfOp : Glow_UnaryOp<"is_inf", "test for infinity",
    "b.isInf(x, getNegative(), getPositive())", Glow_FloatTensor, [],
    "::mlir::glow::boolType(context)"> {
  let arguments = (ins Glow_FloatTensor:$input, BoolAttr:$negative,
                   BoolAttr:$positive);
  let description = [{
    Example:
    ```mlir
    %r = glow.is_inf %x {negative = true, positive = true} : (tensor<4xf32>) -> tensor<4xi1>
    ```
  }];
}
def Glow_CastOp : Glow_UnaryOp<"cast", "conversion to another element type",
    "b.cast(x, getUnsaturated(), ScalarBuilder::PowerOfTwo(getRoundMode()))", Glow_NumTensor, [],
    "adaptor.getTo()"> {
  let arguments = (ins Glow_NumTensor:$input, TypeAttr:$to,
      UnitAttr:$unsaturated,
      DefaultValuedAttr<Glow_RoundModeAttr, "::mlir::glow::RoundMode::Up">:$round_mode);
  let hasFolder = 1;
  let description = [{
    Float to integer truncates and saturates, but integers of less than a byte
    wrap around; to `i1` it compares with zero. What is too large for a float of
    8 bits becomes its largest number, or with `unsaturated` infinity or NaN.
    `round_mode` is for `f8E8M0FNU`, whose numbers are powers of two: of numbers
    halfway between two of them `nearest` takes the larger.

    Example:
    ```mlir
    %r = glow.cast %x {to = i64} : (tensor<4xf32>) -> tensor<4xi64>
    ```
  }];
}
def Glow_BitCastOp : Glow_UnaryOp<"bit_cast",
    "reading of the same bits as another element type", "b.bitCast(x)",
    Glow_NumTensor, [], "adaptor.getTo()"> {
  let arguments = (ins Glow_NumTensor:$input, TypeAttr:$to);
  let hasVerifier = 1;
  let description = [{
    Both types have the same width; that of `i1` is 8, with true as 1.

    Example:
    ```mlir
    %r = glow.bit_cast %x {to = i32} : (tensor<4xf32>) -> tensor<4xi32>
    ```
  }];
}

#endif
