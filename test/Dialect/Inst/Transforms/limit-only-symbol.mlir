// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s

// CHECK-DAG: [[ONLY:#.+]] = affine_map<()[s0] -> (4, s0)>

// What a mask of the only symbol puts block by block ends as a whole.
// CHECK-LABEL: func.func @only_symbol
// CHECK: glow_inst.reduce {{.*}} axes = [0] {glow_inst.extents = [[ONLY]]}
func.func @only_symbol(
    %x: memref<64x4xf32> {glow.extents = affine_map<()[s0] -> (s0, 4)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 64 : i64}]},
    %y: memref<4xf32> {glow_inst.output}) {
  %p = glow_inst.constant dense<[[0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12], [13], [14], [15], [16], [17], [18], [19], [20], [21], [22], [23], [24], [25], [26], [27], [28], [29], [30], [31], [32], [33], [34], [35], [36], [37], [38], [39], [40], [41], [42], [43], [44], [45], [46], [47], [48], [49], [50], [51], [52], [53], [54], [55], [56], [57], [58], [59], [60], [61], [62], [63]]> : tensor<64x1xi64> -> memref<64x1xi64>
  %n = glow_inst.view %s : memref<1xi64> to memref<i64>
  %t = glow_inst.alloc : memref<64x4xf32>
  glow_inst.forall [4] ins(%p, %n, %x : memref<64x1xi64>, memref<i64>, memref<64x4xf32>) outs(%t : memref<64x4xf32>) steps = [array<i64: 16>, array<i64: 0>, array<i64: 64>, array<i64: 64>] {
  ^bb0(%pw: memref<16x1xi64>, %nw: memref<i64>, %xw: memref<16x4xf32>, %tw: memref<16x4xf32>):
    glow_inst.map ins(%pw, %nw, %xw : memref<16x1xi64>, memref<i64>, memref<16x4xf32>) outs(%tw : memref<16x4xf32>) {
    ^bb0(%a: i64, %b: i64, %c: f32):
      %zero = arith.constant 0.0 : f32
      %within = arith.cmpi slt, %a, %b : i64
      %d = arith.select %within, %c, %zero : f32
      glow.yield %d : f32
    }
  }
  glow_inst.reduce sum ins(%t : memref<64x4xf32>) outs(%y : memref<4xf32>) axes = [0]
  return
}
