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

// What a region makes of a row and of one number for each row.
// CHECK-LABEL: func @squares(
//       CHECK: vector.load {{.*}} vector<16xf32>
//       CHECK: memref.load
//       CHECK: vector.broadcast
//       CHECK: arith.subf {{.*}} vector<16xf32>
//       CHECK: arith.mulf {{.*}} vector<16xf32>
//   CHECK-NOT: vector.store
//       CHECK: memref.store
func.func @squares(%x: memref<2x64xf32>, %mean: memref<2x1xf32>, %y: memref<2xf32>) {
  glow_inst.reduce sum ins(%x, %mean : memref<2x64xf32>, memref<2x1xf32>) outs(%y : memref<2xf32>) axes = [1] of {
  ^bb0(%a: f32, %m: f32):
    %0 = arith.subf %a, %m : f32
    %1 = arith.mulf %0, %0 : f32
    glow.yield %1 : f32
  }
  return
}

// Up to a limit: four vectors at once, vectors, and a part of one.
// CHECK-LABEL: func.func @limited(
//       CHECK: %[[LIMIT:.+]] = arith.minsi %{{.+}}, %c100
//       CHECK: %[[FOURS:.+]] = arith.muli %{{.+}}, %c64
//       CHECK: %[[ONES:.+]] = arith.muli %{{.+}}, %c16
//       CHECK: scf.for %{{.+}} = %c0 to %[[FOURS]] step %c64
//       CHECK: scf.for %{{.+}} = %[[FOURS]] to %[[ONES]] step %c16
//       CHECK: scf.for %[[AT:.+]] = %[[ONES]] to %[[LIMIT]] step %c16
//       CHECK: arith.subi %[[LIMIT]], %[[AT]]
//       CHECK: vector.create_mask
func.func @limited(%x: memref<2x100xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 100 : i64}]}, %y: memref<2xf32>) {
  glow_inst.reduce sum ins(%x : memref<2x100xf32>) outs(%y : memref<2xf32>) axes = [1] {glow_inst.extents = affine_map<()[s0] -> (2, s0)>}
  return
}
