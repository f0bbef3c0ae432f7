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

// Where every element has an index, places are computed in vectors and come from
// memory one by one.
// CHECK-LABEL: func @elements(
//       CHECK: memref.alloca() {{.*}} : memref<256xi64>
//       CHECK: arith.minsi {{.*}} : vector<8xindex>
//       CHECK: vector.store {{.*}} : memref<256xi64>, vector<8xi64>
// CHECK-COUNT-8: memref.load {{.*}} : memref<5120xf32>
// CHECK-COUNT-8: memref.store {{.*}} : memref<5120xf32>
func.func @elements(%x: memref<5x1024xf32>, %i: memref<5x1024xi64>, %y: memref<5x1024xf32>) {
  glow_inst.gather_elements ins(%x, %i : memref<5x1024xf32>, memref<5x1024xi64>) outs(%y : memref<5x1024xf32>) axis = 1
  return
}
