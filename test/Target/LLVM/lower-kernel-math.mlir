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
