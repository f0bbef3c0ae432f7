// RUN: glow-opt %s "--glow-lower-kernel-math=converts-bfloat16 flushes-bfloat16" | FileCheck %s
// RUN: glow-opt %s --glow-lower-kernel-math=converts-bfloat16 | FileCheck %s --check-prefix=KEEPS
// RUN: glow-opt %s --glow-lower-kernel-math=scales-vectors | FileCheck %s --check-prefix=SCALES

// What the model asks for keeps denormals, what a precision inserts need not.
// CHECK-LABEL: func @round(
//  CHECK-SAME:     %[[X:.+]]: vector<16xf32>)
//       CHECK: arith.bitcast %[[X]] : vector<16xf32> to vector<16xi32>
//   CHECK-NOT: arith.truncf
//       CHECK: arith.trunci {{.*}} : vector<16xi32> to vector<16xi16>
//       CHECK: arith.truncf %[[X]] fastmath<afn>
// KEEPS-LABEL: func @round(
//       KEEPS: arith.truncf %{{.+}} : vector<16xf32> to vector<16xbf16>
func.func @round(%x: vector<16xf32>) -> (vector<16xbf16>, vector<16xbf16>) {
  %0 = arith.truncf %x : vector<16xf32> to vector<16xbf16>
  %1 = arith.truncf %x fastmath<afn> : vector<16xf32> to vector<16xbf16>
  return %0, %1 : vector<16xbf16>, vector<16xbf16>
}

// Of vectors 2^n is one instruction where the processor has it, of single numbers
// a change of the exponent's bits. Where results are subnormal they are 0 by
// themselves, as LLVM puts off a choice until after slow arithmetic with them.
// CHECK-LABEL: func @exp(
//   CHECK-NOT: llvm.ldexp
// SCALES-LABEL: func @exp(
//  SCALES-SAME:     %[[X:.+]]: vector<16xf32>,
//   SCALES-DAG: %[[ZERO_FROM:.+]] = arith.constant dense<-1.000000e+04>
//   SCALES-DAG: %[[BELOW:.+]] = arith.cmpf olt, %[[X]]
//   SCALES-DAG: arith.select %[[BELOW]], %[[ZERO_FROM]],
//       SCALES: %[[N:.+]] = arith.subi {{.*}} : vector<16xi32>
//       SCALES: llvm.call_intrinsic "llvm.ldexp"(%{{.+}}, %[[N]])
//   SCALES-NOT: llvm.ldexp
func.func @exp(%x: vector<16xf32>, %y: f32) -> (vector<16xf32>, f32) {
  %0 = math.exp %x : vector<16xf32>
  %1 = math.exp %y : f32
  return %0, %1 : vector<16xf32>, f32
}

// Results that are rounded to bf16 next: a short polynomial and one instruction
// for 2^n, on whole registers, and the processor's estimate of a reciprocal.
// SCALES-LABEL: func @coarse(
//       SCALES: math.floor
// SCALES-COUNT-4: math.fma
//   SCALES-NOT: math.fma
// SCALES-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.mask.scalef.ps.512"
// SCALES-COUNT-2: llvm.call_intrinsic "llvm.x86.avx512.rcp14.ps.512"
//   SCALES-NOT: arith.divf
//       SCALES: return
func.func @coarse(%x: vector<32xf32>) -> vector<32xf32> {
  %one = arith.constant dense<1.0> : vector<32xf32>
  %0 = math.exp %x fastmath<afn> : vector<32xf32>
  %1 = arith.divf %one, %0 fastmath<afn> : vector<32xf32>
  return %1 : vector<32xf32>
}

// SCALES-LABEL: func @coarse_odd(
// SCALES-COUNT-13: math.fma
//   SCALES-NOT: math.fma
//       SCALES: llvm.x86.avx512.rcp14.ps.512
//       SCALES: return
func.func @coarse_odd(%x: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>) {
  %0 = math.erf %x fastmath<afn> : vector<16xf32>
  %1 = math.tanh %x fastmath<afn> : vector<16xf32>
  return %0, %1 : vector<16xf32>, vector<16xf32>
}

// Single numbers and quotients of others are as exact as ever.
// SCALES-LABEL: func @exact(
//   SCALES-NOT: llvm.x86
//       SCALES: arith.divf
//       SCALES: return
func.func @exact(%x: f32, %y: vector<16xf32>) -> (f32, vector<16xf32>) {
  %0 = math.exp %x fastmath<afn> : f32
  %1 = arith.divf %y, %y fastmath<afn> : vector<16xf32>
  return %0, %1 : f32, vector<16xf32>
}
