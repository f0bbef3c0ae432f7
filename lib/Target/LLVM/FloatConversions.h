//===- FloatConversions.h - functions that LLVM may call, as IR -----------===//
// Part of the Glow project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a processor has no instructions for f16 or bf16, LLVM calls functions
// of its own run-time library, which not every C compiler brings along. They
// are weak: models that are linked into one program share them.
//
//===----------------------------------------------------------------------===//
#ifndef GLOW_LIB_TARGET_LLVM_FLOATCONVERSIONS_H
#define GLOW_LIB_TARGET_LLVM_FLOATCONVERSIONS_H

namespace mlir::glow {
inline constexpr char kFloatConversions[] = R"(
; Halves to even. A carry out of the mantissa raises the exponent, as it should.
define weak hidden bfloat @__truncsfbf2(float %x) nounwind {
  %bits = bitcast float %x to i32
  %high = lshr i32 %bits, 16
  %odd = and i32 %high, 1
  %half = add i32 %odd, 32767
  %sum = add i32 %bits, %half
  %near = lshr i32 %sum, 16
  %quiet = or i32 %high, 64
  %is_nan = fcmp uno float %x, 0.0
  %result = select i1 %is_nan, i32 %quiet, i32 %near
  %short = trunc i32 %result to i16
  %number = bitcast i16 %short to bfloat
  ret bfloat %number
}

; Numbers below 2^-14 are rounded by adding 0.5, whose last place is f16's
; smallest number; larger ones by their bits, with the bias changed from 127
; to 15.
define weak hidden half @__truncsfhf2(float %x) nounwind {
  %bits = bitcast float %x to i32
  %magnitude = and i32 %bits, 2147483647
  %high = lshr i32 %magnitude, 13
  %odd = and i32 %high, 1
  %half = add i32 %odd, 4095
  %sum = add i32 %magnitude, %half
  %near = lshr i32 %sum, 13
  %normal = sub i32 %near, 114688
  %absolute = bitcast i32 %magnitude to float
  %shifted = fadd float %absolute, 0.5
  %shifted_bits = bitcast float %shifted to i32
  %small = sub i32 %shifted_bits, 1056964608
  %is_small = icmp ult i32 %magnitude, 947912704
  %finite = select i1 %is_small, i32 %small, i32 %normal
  %is_large = icmp uge i32 %magnitude, 1199570944
  %bounded = select i1 %is_large, i32 31744, i32 %finite
  %is_nan = fcmp uno float %x, 0.0
  %result = select i1 %is_nan, i32 32256, i32 %bounded
  %sign = lshr i32 %bits, 16
  %sign_bit = and i32 %sign, 32768
  %signed = or i32 %result, %sign_bit
  %short = trunc i32 %signed to i16
  %number = bitcast i16 %short to half
  ret half %number
}

; The multiplication changes the bias; subnormal numbers become normal.
define weak hidden float @__extendhfsf2(half %x) nounwind {
  %short = bitcast half %x to i16
  %bits = zext i16 %short to i32
  %magnitude = and i32 %bits, 32767
  %moved = shl i32 %magnitude, 13
  %scaled = bitcast i32 %moved to float
  %number = fmul float %scaled, 0x46F0000000000000
  %number_bits = bitcast float %number to i32
  %special = or i32 %moved, 2139095040
  %is_special = icmp uge i32 %magnitude, 31744
  %result = select i1 %is_special, i32 %special, i32 %number_bits
  %sign = and i32 %bits, 32768
  %sign_bit = shl i32 %sign, 16
  %signed = or i32 %result, %sign_bit
  %value = bitcast i32 %signed to float
  ret float %value
}

; Of the two floats around the number, the odd one, so that rounding it again
; gives what rounding the number gives.
define internal float @round_to_odd(double %x) nounwind {
  %near = fptrunc double %x to float
  %back = fpext float %near to double
  %wanted = call double @llvm.fabs.f64(double %x)
  %found = call double @llvm.fabs.f64(double %back)
  %bits = bitcast float %near to i32
  %odd = trunc i32 %bits to i1
  %even = xor i1 %odd, true
  %below = fcmp olt double %found, %wanted
  %above = fcmp ogt double %found, %wanted
  %up = and i1 %below, %even
  %down = and i1 %above, %even
  %more = zext i1 %up to i32
  %less = zext i1 %down to i32
  %raised = add i32 %bits, %more
  %result = sub i32 %raised, %less
  %number = bitcast i32 %result to float
  ret float %number
}
declare double @llvm.fabs.f64(double)

define weak hidden half @__truncdfhf2(double %x) nounwind {
  %odd = call float @round_to_odd(double %x)
  %result = call half @__truncsfhf2(float %odd)
  ret half %result
}
define weak hidden bfloat @__truncdfbf2(double %x) nounwind {
  %odd = call float @round_to_odd(double %x)
  %result = call bfloat @__truncsfbf2(float %odd)
  ret bfloat %result
}
)";
} // namespace mlir::glow

#endif // GLOW_LIB_TARGET_LLVM_FLOATCONVERSIONS_H
