// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s
// What ends at a count reads no more of its input, if symbols say what that is.

// CHECK-DAG: [[COLUMNS:#.+]] = affine_map<()[s0] -> (6, s0)>
// CHECK-DAG: [[BACK:#.+]] = affine_map<()[s0] -> (6, s0, s0)>
// CHECK-DAG: [[LIST:#.+]] = affine_map<()[s0] -> (s0)>
// CHECK-DAG: [[ONE:#.+]] = affine_map<()[s0] -> (2, s0)>

// CHECK-LABEL: func.func @walks(
//       CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[COLUMNS]]}
//       CHECK: glow_inst.arg_reduce {{.*}} count(%{{.+}} : memref<i64>) axis = 1 {glow_inst.extents = [[COLUMNS]]}
//       CHECK: glow_inst.scan {{.*}} count(%{{.+}} : memref<i64>) axis = 1 {glow_inst.extents = [[BACK]], reverse}
func.func @walks(
    %x: memref<6x8xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %a: memref<6xi64> {glow_inst.output},
    %b: memref<6x8xf32> {glow_inst.output, glow.extents = affine_map<()[s0] -> (6, s0)>}) {
  %n = glow_inst.view %s : memref<1xi64> to memref<i64>
  %t = glow_inst.alloc : memref<6x8xf32>
  glow_inst.map ins(%x : memref<6x8xf32>) outs(%t : memref<6x8xf32>) {
  ^bb0(%c: f32):
    %e = math.exp %c : f32
    glow.yield %e : f32
  }
  glow_inst.arg_reduce max ins(%t : memref<6x8xf32>) outs(%a : memref<6xi64>) count(%n : memref<i64>) axis = 1
  glow_inst.scan sum ins(%t : memref<6x8xf32>) outs(%b : memref<6x8xf32>) count(%n : memref<i64>) axis = 1 {reverse}
  return
}

// CHECK-LABEL: func.func @updates(
//       CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[LIST]]}
//       CHECK: glow_inst.scatter_elements add {{.*}} count(%{{.+}} : memref<i64>) axis = 0
func.func @updates(
    %i: memref<8xi64>, %u: memref<8xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<5xf32> {glow_inst.output}) {
  %n = glow_inst.view %s : memref<1xi64> to memref<i64>
  %t = glow_inst.alloc : memref<8xf32>
  glow_inst.map ins(%u : memref<8xf32>) outs(%t : memref<8xf32>) {
  ^bb0(%c: f32):
    %e = math.exp %c : f32
    glow.yield %e : f32
  }
  glow_inst.fill %y with 0.0 : f32 : memref<5xf32>
  glow_inst.scatter_elements add ins(%i, %t : memref<8xi64>, memref<8xf32>) outs(%y : memref<5xf32>) count(%n : memref<i64>) axis = 0
  return
}

// The largest of integers, of which a mask makes the least.
// CHECK-LABEL: func.func @integers(
//       CHECK: glow_inst.reduce max {{.*}} {glow_inst.extents = [[ONE]]}
//       CHECK: glow_inst.reduce sum {{.*}}
//   CHECK-NOT: glow_inst.extents
//       CHECK: return
func.func @integers(
    %x: memref<8x2xi32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<2xi32> {glow_inst.output}, %z: memref<2xi32> {glow_inst.output}) {
  %p = glow_inst.constant dense<[[0], [1], [2], [3], [4], [5], [6], [7]]> : tensor<8x1xi64> -> memref<8x1xi64>
  glow_inst.reduce max ins(%p, %s, %x : memref<8x1xi64>, memref<1xi64>, memref<8x2xi32>) outs(%y : memref<2xi32>) axes = [0] of {
  ^bb0(%a: i64, %b: i64, %c: i32):
    %least = arith.constant -2147483648 : i32
    %d = arith.cmpi slt, %a, %b : i64
    %e = arith.select %d, %c, %least : i32
    glow.yield %e : i32
  }
  glow_inst.reduce sum ins(%p, %s, %x : memref<8x1xi64>, memref<1xi64>, memref<8x2xi32>) outs(%z : memref<2xi32>) axes = [0] of {
  ^bb0(%a: i64, %b: i64, %c: i32):
    %one = arith.constant 1 : i32
    %d = arith.cmpi slt, %a, %b : i64
    %e = arith.select %d, %c, %one : i32
    glow.yield %e : i32
  }
  return
}
