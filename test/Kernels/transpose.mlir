// RUN: glow-opt %s --glow-test-emit-kernels | FileCheck %s

// Squares of 16 by 16 elements, in four rounds of 16 shuffles.
// CHECK-LABEL: func @squares(
// CHECK-COUNT-16: vector.load
// CHECK-COUNT-64: vector.shuffle
//   CHECK-NOT: vector.shuffle
// CHECK-COUNT-16: vector.store
func.func @squares(%a: memref<32x32xf32, strided<[1, 32]>>, %b: memref<32x32xf32>) {
  glow_inst.copy %a -> %b : memref<32x32xf32, strided<[1, 32]>> -> memref<32x32xf32>
  return
}

// An axis of three elements is too short for squares.
// CHECK-LABEL: func @short(
//   CHECK-NOT: vector.shuffle
func.func @short(%a: memref<32x3xf32, strided<[1, 32]>>, %b: memref<32x3xf32>) {
  glow_inst.copy %a -> %b : memref<32x3xf32, strided<[1, 32]>> -> memref<32x3xf32>
  return
}
