// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1" --canonicalize --cse | FileCheck %s

// One row has all four vectors, up to four rows have tiles of as many and four
// vectors, and more have tiles of eight rows and two vectors.
// CHECK-LABEL: func.func @rows(
//       CHECK: %[[ONE:.+]] = arith.andi
//       CHECK: scf.if %[[ONE]] {
//       CHECK: } else {
//       CHECK: %[[FEW:.+]] = arith.cmpi slt, %{{.+}}, %c5 : index
//       CHECK: scf.if %[[FEW]] {
// CHECK-COUNT-16: vector.fma
//       CHECK: } else {
// CHECK-COUNT-16: vector.fma
#rows = affine_map<()[s0] -> (s0, 64)>
func.func @rows(%x: memref<8x256xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
                %w: memref<2x256x32xf32>, %y: memref<8x64xf32>) {
  glow_inst.matmul ins(%x, %w : memref<8x256xf32>, memref<2x256x32xf32>) outs(%y : memref<8x64xf32>) {glow_inst.extents = #rows, packed = 32 : i64}
  return
}
