// RUN: glow-opt %s --glow-test-emit-kernels | FileCheck %s

// An index is wrapped, clamped, and selects a row that is copied in vectors.
// CHECK-LABEL: func @rows(
//       CHECK: %[[I:.+]] = arith.index_cast
//       CHECK: arith.addi %[[I]]
//       CHECK: arith.select
//       CHECK: arith.maxsi
//       CHECK: arith.minsi
//       CHECK: vector.load {{.*}} vector<16xf32>
//       CHECK: vector.store
func.func @rows(%x: memref<9x16xf32>, %i: memref<3xi64>, %y: memref<3x16xf32>) {
  glow_inst.gather ins(%x, %i : memref<9x16xf32>, memref<3xi64>) outs(%y : memref<3x16xf32>) axis = 0
  return
}
