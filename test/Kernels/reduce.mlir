// RUN: glow-opt %s --glow-test-emit-kernels | FileCheck %s

// Partial sums of a row, whose halves are then added up.
// CHECK-LABEL: func @rows(
//       CHECK: vector.load {{.*}} vector<16xf32>
//       CHECK: vector.shuffle {{.*}} : vector<16xf32>, vector<16xf32>
//       CHECK: memref.store
func.func @rows(%x: memref<2x64xf32>, %y: memref<2xf32>) {
  glow_inst.reduce sum ins(%x : memref<2x64xf32>) outs(%y : memref<2xf32>) axes = [1]
  return
}

// Sums of neighbouring columns in the lanes of a vector.
// CHECK-LABEL: func @columns(
//       CHECK: vector.load {{.*}} vector<16xf32>
//   CHECK-NOT: vector.shuffle
//       CHECK: vector.store
func.func @columns(%x: memref<64x16xf32>, %y: memref<16xf32>) {
  glow_inst.reduce sum ins(%x : memref<64x16xf32>) outs(%y : memref<16xf32>) axes = [0]
  return
}
