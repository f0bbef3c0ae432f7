// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s

// CHECK-DAG: [[PART:#.+]] = affine_map<()[s0] -> (4, s0)>
// CHECK-DAG: [[STEPS:#.+]] = affine_map<()[s0] -> (4, (s0 ceildiv 8) * 8)>

// A sum goes on in steps of eight numbers; what its mask drops of them need not be
// computed.
// CHECK-LABEL: func.func @masked_sum(
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[PART]]}
//       CHECK: glow_inst.reduce sum {{.*}} {glow_inst.extents = [[STEPS]]}
func.func @masked_sum(
    %x: memref<4x24xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 24 : i64}]},
    %y: memref<4xf32> {glow_inst.output}) {
  %positions = glow_inst.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi64> -> memref<24xi64>
  %valid = glow_inst.alloc : memref<24xi1>
  glow_inst.map ins(%positions, %s : memref<24xi64>, memref<1xi64>) outs(%valid : memref<24xi1>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.cmpi slt, %a, %b : i64
    glow.yield %c : i1
  }
  %t = glow_inst.alloc : memref<4x24xf32>
  glow_inst.copy %x -> %t : memref<4x24xf32> -> memref<4x24xf32>
  glow_inst.reduce sum ins(%valid, %t : memref<24xi1>, memref<4x24xf32>) outs(%y : memref<4xf32>) axes = [1] of {
  ^bb0(%a: i1, %b: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.select %a, %b, %zero : f32
    glow.yield %c : f32
  }
  return
}
