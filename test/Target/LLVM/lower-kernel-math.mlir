// RUN: glow-opt %s "--glow-lower-kernel-math=converts-bfloat16 flushes-bfloat16" | FileCheck %s
// RUN: glow-opt %s --glow-lower-kernel-math=converts-bfloat16 | FileCheck %s --check-prefix=KEEPS

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
