// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s
// What is computed from all of an axis stops where the other axes do.

// CHECK-DAG: [[ROWS:#.+]] = affine_map<()[s0] -> (s0, 8)>
// CHECK-DAG: [[COLUMNS:#.+]] = affine_map<()[s0] -> (6, s0)>
// CHECK-DAG: [[BEST:#.+]] = affine_map<()[s0] -> (s0, 2)>
// CHECK-DAG: [[LIST:#.+]] = affine_map<()[s0] -> (s0)>

// CHECK-LABEL: func.func @rows(
//       CHECK: glow_inst.scan {{.*}} axis = 1 {glow_inst.extents = [[ROWS]]}
//       CHECK: glow_inst.scan {{.*}} axis = 1 {glow_inst.extents = [[ROWS]], reverse}
//       CHECK: glow_inst.arg_reduce {{.*}} axis = 1 {glow_inst.extents = [[LIST]]}
//       CHECK: glow_inst.top_k {{.*}} axis = 1 {glow_inst.extents = [[BEST]], largest}
func.func @rows(
    %x: memref<6x8xf32> {glow.extents = affine_map<()[s0] -> (s0, 8)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 6 : i64}]},
    %a: memref<6x8xf32> {glow_inst.output}, %b: memref<6x8xf32> {glow_inst.output},
    %c: memref<6xi64> {glow_inst.output},
    %d: memref<6x2xf32> {glow_inst.output}, %e: memref<6x2xi64> {glow_inst.output}) {
  glow_inst.scan sum ins(%x : memref<6x8xf32>) outs(%a : memref<6x8xf32>) axis = 1
  glow_inst.scan sum ins(%x : memref<6x8xf32>) outs(%b : memref<6x8xf32>) axis = 1 {reverse}
  glow_inst.arg_reduce max ins(%x : memref<6x8xf32>) outs(%c : memref<6xi64>) axis = 1
  glow_inst.top_k ins(%x : memref<6x8xf32>) outs(%d, %e : memref<6x2xf32>, memref<6x2xi64>) axis = 1 {largest}
  return
}

// Nothing of a running sum but what is before a position is part of it, unless
// it runs backwards. Of an axis that the output lacks the next one is limited.
// CHECK-LABEL: func.func @columns(
//       CHECK: glow_inst.scan {{.*}} axis = 1 {glow_inst.extents = [[COLUMNS]]}
//       CHECK: glow_inst.scan {{.*}} axis = 1 {reverse}
//       CHECK: glow_inst.arg_reduce {{.*}} axis = 0 {glow_inst.extents = [[LIST]]}
func.func @columns(
    %x: memref<6x8xf32> {glow.extents = affine_map<()[s0] -> (6, s0)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %a: memref<6x8xf32> {glow_inst.output}, %b: memref<6x8xf32> {glow_inst.output},
    %c: memref<8xi64> {glow_inst.output}) {
  glow_inst.scan sum ins(%x : memref<6x8xf32>) outs(%a : memref<6x8xf32>) axis = 1
  glow_inst.scan sum ins(%x : memref<6x8xf32>) outs(%b : memref<6x8xf32>) axis = 1 {reverse}
  glow_inst.arg_reduce max ins(%x : memref<6x8xf32>) outs(%c : memref<8xi64>) axis = 0
  return
}

// CHECK-LABEL: func.func @tables(
//       CHECK: glow_inst.gather_nd {{.*}} batch_dims = 0 {glow_inst.extents = [[ROWS]]}
//       CHECK: glow_inst.walk_trees {{.*}} {glow_inst.extents = [[BEST]]}
func.func @tables(
    %x: memref<4x5x8xf32>, %i: memref<6x2xi64> {glow.extents = affine_map<()[s0] -> (s0, 2)>},
    %f: memref<6x4xf32> {glow.extents = affine_map<()[s0] -> (s0, 4)>},
    %t: memref<31xf32>, %l: memref<31x3xi32>, %r: memref<2x2xi32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 6 : i64}]},
    %a: memref<6x8xf32> {glow_inst.output}, %b: memref<6x2xi32> {glow_inst.output}) {
  glow_inst.gather_nd ins(%x, %i : memref<4x5x8xf32>, memref<6x2xi64>) outs(%a : memref<6x8xf32>) batch_dims = 0
  glow_inst.walk_trees ins(%f, %t, %l, %r : memref<6x4xf32>, memref<31xf32>, memref<31x3xi32>, memref<2x2xi32>) outs(%b : memref<6x2xi32>)
  return
}

// A sum that runs backwards needs all, however little of it is needed.
// CHECK-LABEL: func.func @demanded(
//       CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[COLUMNS]]}
//       CHECK: glow_inst.scan {{.*}} axis = 1 {glow_inst.extents = [[COLUMNS]]}
//       CHECK: glow_inst.map
//   CHECK-NOT: glow_inst.extents
//       CHECK: glow_inst.scan
func.func @demanded(
    %x: memref<6x8xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<6x8xf32> {glow_inst.output, glow.extents = affine_map<()[s0] -> (6, s0)>},
    %z: memref<6x8xf32> {glow_inst.output, glow.extents = affine_map<()[s0] -> (6, s0)>}) {
  %t = glow_inst.alloc : memref<6x8xf32>
  glow_inst.map ins(%x : memref<6x8xf32>) outs(%t : memref<6x8xf32>) {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  }
  glow_inst.scan sum ins(%t : memref<6x8xf32>) outs(%y : memref<6x8xf32>) axis = 1
  %u = glow_inst.alloc : memref<6x8xf32>
  glow_inst.map ins(%x : memref<6x8xf32>) outs(%u : memref<6x8xf32>) {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  }
  glow_inst.scan sum ins(%u : memref<6x8xf32>) outs(%z : memref<6x8xf32>) axis = 1 {reverse}
  return
}

// Slices are as long as what they are written to: both end at the same place.
// What is addressed may be any.
// CHECK-LABEL: func.func @slices(
//       CHECK: glow_inst.fill {{.*}} {glow_inst.extents = [[COLUMNS]]}
//       CHECK: glow_inst.scatter_nd add {{.*}} {glow_inst.extents = [[COLUMNS]]}
//       CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[COLUMNS]]}
func.func @slices(
    %i: memref<4x1xi64>, %u: memref<4x8xf32> {glow.extents = affine_map<()[s0] -> (4, s0)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<6x8xf32> {glow_inst.output, glow.extents = affine_map<()[s0] -> (6, s0)>}) {
  %t = glow_inst.alloc : memref<6x8xf32>
  glow_inst.fill %t with 0.0 : f32 : memref<6x8xf32>
  glow_inst.scatter_nd add ins(%i, %u : memref<4x1xi64>, memref<4x8xf32>) outs(%t : memref<6x8xf32>)
  glow_inst.map ins(%t : memref<6x8xf32>) outs(%y : memref<6x8xf32>) {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  }
  return
}

// Elements of rows; of fewer columns than there are, none.
// CHECK-LABEL: func.func @elements(
//       CHECK: glow_inst.fill {{.*}} {glow_inst.extents = [[ROWS:#.+]]}
//       CHECK: glow_inst.scatter_elements none {{.*}} {glow_inst.extents = [[ROWS]]}
//       CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[ROWS]]}
func.func @elements(
    %i: memref<8x1x3xi64>, %u: memref<8x1x3xf32> {glow.extents = affine_map<()[s0] -> (s0, 1, 3)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<8x5x4xf32> {glow_inst.output, glow.extents = affine_map<()[s0] -> (s0, 5, 4)>}) {
  %t = glow_inst.alloc : memref<8x5x4xf32>
  glow_inst.fill %t with 0.0 : f32 : memref<8x5x4xf32>
  glow_inst.scatter_elements none ins(%i, %u : memref<8x1x3xi64>, memref<8x1x3xf32>) outs(%t : memref<8x5x4xf32>) axis = 1
  glow_inst.map ins(%t : memref<8x5x4xf32>) outs(%y : memref<8x5x4xf32>) {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  }
  return
}

// Behind a mask all rows are zeros, of which the first one is the largest: an
// index like any other.
// CHECK-LABEL: func.func @masked(
//       CHECK: glow_inst.arg_reduce
//   CHECK-NOT: glow_inst.extents
//       CHECK: return
func.func @masked(%x: memref<8x4xf32>, %t: memref<4x6xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %z: memref<8x6xf32> {glow_inst.output}) {
  %p = glow_inst.constant dense<[[0],[1],[2],[3],[4],[5],[6],[7]]> : tensor<8x1xi64> -> memref<8x1xi64>
  %y = glow_inst.alloc : memref<8x4xf32>
  glow_inst.map ins(%p, %s, %x : memref<8x1xi64>, memref<1xi64>, memref<8x4xf32>) outs(%y : memref<8x4xf32>) {
  ^bb0(%a: i64, %b: i64, %c: f32):
    %zero = arith.constant 0.0 : f32
    %d = arith.cmpi slt, %a, %b : i64
    %e = arith.select %d, %c, %zero : f32
    glow.yield %e : f32
  }
  %i = glow_inst.alloc : memref<8xi64>
  glow_inst.arg_reduce max ins(%y : memref<8x4xf32>) outs(%i : memref<8xi64>) axis = 1
  glow_inst.gather ins(%t, %i : memref<4x6xf32>, memref<8xi64>) outs(%z : memref<8x6xf32>) axis = 0
  return
}
