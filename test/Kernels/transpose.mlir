// RUN: glow-opt %s --glow-test-emit-kernels | FileCheck %s
// RUN: glow-opt %s --glow-test-emit-kernels=target=vector-bits=256 | FileCheck %s --check-prefix=HALF

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

// Three planes become one in three vectors, of two shuffles each, and a rest.
// CHECK-LABEL: func @planes(
// CHECK-COUNT-3: vector.load
// CHECK: vector.shuffle {{.*}} [0, 16, 0, 1, 17, 1, 2, 18, 2, 3, 19, 3, 4, 20, 4, 5]
// CHECK: vector.shuffle {{.*}} [0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15]
// CHECK-COUNT-4: vector.shuffle
//   CHECK-NOT: vector.shuffle
func.func @planes(%a: memref<4x37x3xf32, strided<[40, 1, 256]>>, %b: memref<4x37x3xf32, strided<[120, 3, 1]>>) {
  glow_inst.copy %a -> %b : memref<4x37x3xf32, strided<[40, 1, 256]>> -> memref<4x37x3xf32, strided<[120, 3, 1]>>
  return
}

// Rows of four elements are one with the axis around them, so that lines are
// stored as a whole.
// CHECK-LABEL: func @joined(
// CHECK: arith.remui %{{.+}}, %c4
// CHECK-COUNT-64: vector.shuffle
// CHECK: vector.store {{.*}}, vector<16xf32>
func.func @joined(%a: memref<32x8x4xf32, strided<[1, 32, 256]>>, %b: memref<32x8x4xf32>) {
  glow_inst.copy %a -> %b : memref<32x8x4xf32, strided<[1, 32, 256]>> -> memref<32x8x4xf32>
  return
}

// The last squares overlap those before: along, all of their elements are
// stored again, and across, 5 rows of them.
// CHECK-LABEL: func @overlap(
// CHECK: scf.if
// CHECK-COUNT-32: vector.store
// CHECK: else
// CHECK-COUNT-10: vector.store
// CHECK-NOT: store
// CHECK: return
func.func @overlap(%a: memref<37x35xf32, strided<[1, 37]>>, %b: memref<37x35xf32>) {
  glow_inst.copy %a -> %b : memref<37x35xf32, strided<[1, 37]>> -> memref<37x35xf32>
  return
}

// A row of three elements is too short for vectors.
// CHECK-LABEL: func @short(
//   CHECK-NOT: vector.shuffle
func.func @short(%a: memref<3x3xf32, strided<[1, 32]>>, %b: memref<3x3xf32>) {
  glow_inst.copy %a -> %b : memref<3x3xf32, strided<[1, 32]>> -> memref<3x3xf32>
  return
}

// Of the axis across, so many squares are copied as have an element that is
// there.
// CHECK-LABEL: func.func @bounded(
//       CHECK: %[[BLOCKS:.+]] = arith.divui %{{.+}}, %c16
//       CHECK: %[[LIMIT:.+]] = arith.minsi %[[BLOCKS]], %c4
//       CHECK: scf.for %{{.+}} = %c0 to %[[LIMIT]]
func.func @bounded(%x: memref<64x32xf32, strided<[1, 64]>>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 64 : i64}]}, %y: memref<64x32xf32>) {
  glow_inst.copy %x -> %y {glow_inst.extents = affine_map<()[s0] -> (s0, 32)>} : memref<64x32xf32, strided<[1, 64]>> -> memref<64x32xf32>
  return
}

// Squares past the caches, if their rows are whole lines: a line of which half is
// stored goes to memory twice.
// HALF-LABEL: func @nontemporal(
// HALF-NOT: nontemporal = true
// HALF: return
// CHECK-LABEL: func @nontemporal(
// CHECK: scf.if
// CHECK-COUNT-16: nontemporal = true
// CHECK: llvm.fence seq_cst
// CHECK: else
// CHECK-NOT: nontemporal = true
// CHECK: return
func.func @nontemporal(%a: memref<32x32xf32, strided<[1, 32]>>, %b: memref<32x32xf32>) {
  glow_inst.copy %a -> %b {nontemporal} : memref<32x32xf32, strided<[1, 32]>> -> memref<32x32xf32>
  return
}
