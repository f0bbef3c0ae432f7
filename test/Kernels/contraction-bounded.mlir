// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=512,vector-registers=32,fma=1" --canonicalize --cse | FileCheck %s

// Tiles of 11 rows up to the limit, then one of 4, 8 or 11 rows with the rest.
// CHECK-LABEL: func.func @rest(
//       CHECK: %[[LIMIT:.+]] = arith.minsi %{{.+}}, %c30
//       CHECK: %[[WHOLE:.+]] = arith.divui %[[LIMIT]], %c11
//       CHECK: %[[LAST:.+]] = arith.minsi %{{.+}}, %[[WHOLE]]
//       CHECK: scf.for %{{.+}} = %c0 to %[[LAST]]
//       CHECK: %{{.+}}:22 = scf.for
//       CHECK: %[[REST:.+]] = arith.remui %[[LIMIT]], %c11
//       CHECK: arith.cmpi sgt, %[[REST]], %c0
//       CHECK: arith.cmpi slt, %[[REST]], %c5
//       CHECK: %{{.+}}:8 = scf.for
//       CHECK: arith.cmpi sgt, %[[REST]], %c4
//       CHECK: arith.cmpi slt, %[[REST]], %c9
//       CHECK: %{{.+}}:16 = scf.for
//       CHECK: arith.cmpi sgt, %[[REST]], %c8
//       CHECK: %{{.+}}:22 = scf.for
//   CHECK-NOT: = scf.for
#rows = affine_map<()[s0] -> (s0, 32)>
func.func @rest(%x: memref<30x96xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 30 : i64}]},
                %w: memref<1x96x32xf32>, %y: memref<30x32xf32>) {
  glow_inst.matmul ins(%x, %w : memref<30x96xf32>, memref<1x96x32xf32>) outs(%y : memref<30x32xf32>) {glow_inst.extents = #rows, packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// As many tiles ask for what comes next as there are, at most eight; one that is
// alone asks for its own panel, a page ahead.
// CHECK-LABEL: func.func @shares(
//       CHECK: %[[LIMIT:.+]] = arith.minsi %{{.+}}, %c128
//       CHECK: %[[TILES:.+]] = arith.divui %{{.+}}, %c12
//       CHECK: %[[ONE:.+]] = arith.cmpi slt, %[[TILES]], %c2
//       CHECK: %[[TWO:.+]] = arith.select %[[ONE]], %c1, %c2
//       CHECK: arith.select %{{.+}}, %[[TWO]], %c4
//       CHECK: %[[SHARES:.+]] = arith.select %{{.+}}, %{{.+}}, %c8
//       CHECK: arith.divui %c32, %[[SHARES]]
//       CHECK: %[[ALONE:.+]] = arith.cmpi slt, %[[LIMIT]], %c13
//       CHECK: %[[AHEAD:.+]] = arith.addi %{{.+}}, %c1024
//       CHECK: arith.select %[[ALONE]], %[[AHEAD]]
//       CHECK: memref.prefetch
#all = affine_map<()[s0] -> (s0, 768)>
func.func @shares(%x: memref<128x768xf32>, %n: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 128 : i64}]},
                  %w: memref<24x768x32xf32>, %y: memref<128x768xf32>) {
  glow_inst.matmul ins(%x, %w : memref<128x768xf32>, memref<24x768x32xf32>) outs(%y : memref<128x768xf32>) {glow_inst.extents = #all, packed = 32 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}
