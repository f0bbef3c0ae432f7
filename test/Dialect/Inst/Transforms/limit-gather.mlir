// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s
// What is gathered behind the extents of indices is padding.

// CHECK-DAG: [[TOKENS:#.+]] = affine_map<()[s0, s1] -> (s0 * s1, 4)>
// CHECK-DAG: [[JOINED:#.+]] = affine_map<()[s0, s1] -> (s0 * s1 + 1, 4)>
// CHECK-DAG: [[SIDES:#.+]] = affine_map<()[s0, s1] -> (s0, s1, 4)>
// CHECK-DAG: [[ROWS:#.+]] = affine_map<()[s0] -> (s0, 4)>
// CHECK-DAG: [[BAND:#.+]] = affine_map<(d0)[s0] -> (d0 * -4 + s0 + 1, 4)>

// CHECK-DAG: [[READ:#.+]] = affine_map<()[s0] -> (s0, 8)>

// Pixels whose rows end before the bound are moved together: so many are made,
// and joined with one row before them; all before is computed up to the sides.
// CHECK-LABEL: func.func @tokens(
//       CHECK: glow_inst.map ins(%arg0 : {{.*}} attributes {glow_inst.extents = [[SIDES]]}
//       CHECK: glow_inst.gather {{.*}} axis = 0 {glow_inst.extents = [[TOKENS]]}
//   CHECK-NOT: index_extents
//       CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[JOINED]]}
func.func @tokens(
    %x: memref<6x8x4xf32> {glow.extents = affine_map<()[s0, s1] -> (s0, s1, 4)>}, %i: memref<48xi64>, %first: memref<1x4xf32>,
    %s: memref<2xi64> {glow.symbols = [{name = "h", lower = 1 : i64, upper = 6 : i64}, {name = "w", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<49x4xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<6x8x4xf32>
  glow_inst.map ins(%x : memref<6x8x4xf32>) outs(%t : memref<6x8x4xf32>) {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  }
  %flat = glow_inst.view %t : memref<6x8x4xf32> to memref<48x4xf32>
  %j = glow_inst.alloc : memref<49x4xf32>
  %behind = glow_inst.view %j : memref<49x4xf32> to memref<48x4xf32, strided<[4, 1], offset: 4>>
  glow_inst.gather ins(%flat, %i : memref<48x4xf32>, memref<48xi64>) outs(%behind : memref<48x4xf32, strided<[4, 1], offset: 4>>) axis = 0 {index_extents = affine_map<()[s0, s1] -> (s0 * s1)>}
  %head = glow_inst.view %j : memref<49x4xf32> to memref<1x4xf32>
  glow_inst.copy %first -> %head : memref<1x4xf32> -> memref<1x4xf32>
  glow_inst.map ins(%j : memref<49x4xf32>) outs(%y : memref<49x4xf32>) {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  }
  return
}

// A part that lies behind the first padding has ordinary values there.
// CHECK-LABEL: func.func @part_behind(
//       CHECK: glow_inst.map
//   CHECK-NOT: glow_inst.extents
//       CHECK: return
func.func @part_behind(
    %x: memref<6x4xf32>, %i: memref<6xi64>, %last: memref<1x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "h", lower = 1 : i64, upper = 6 : i64}]},
    %y: memref<7x4xf32> {glow_inst.output}) {
  %j = glow_inst.alloc : memref<7x4xf32>
  %before = glow_inst.view %j : memref<7x4xf32> to memref<6x4xf32>
  glow_inst.gather ins(%x, %i : memref<6x4xf32>, memref<6xi64>) outs(%before : memref<6x4xf32>) axis = 0 {index_extents = affine_map<()[s0] -> (s0)>}
  %tail = glow_inst.view %j : memref<7x4xf32> to memref<1x4xf32, strided<[4, 1], offset: 24>>
  glow_inst.copy %last -> %tail : memref<1x4xf32> -> memref<1x4xf32, strided<[4, 1], offset: 24>>
  glow_inst.map ins(%j : memref<7x4xf32>) outs(%y : memref<7x4xf32>) {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  }
  return
}

// Bands of rows read one row of their neighbours. A mask that slides with what
// it masks ends what is read of that: the map before stops at the extent, not a
// row behind it.
// CHECK-LABEL: func.func @mask_slides(
//       CHECK: glow_inst.map ins(%arg0 : {{.*}} attributes {glow_inst.extents = [[ROWS]]}
//       CHECK: glow_inst.forall [4]
//       CHECK:   glow_inst.slide
//       CHECK:   glow_inst.map {{.*}} attributes {glow_inst.extents = [[BAND]]}
func.func @mask_slides(
    %x: memref<16x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "h", lower = 1 : i64, upper = 16 : i64}]},
    %y: memref<16x4xf32> {glow.extents = affine_map<()[s0] -> (s0, 4)>, glow_inst.output}) {
  %c0 = glow_inst.constant dense<0> : tensor<i64> -> memref<i64>
  %rows = glow_inst.constant dense<[[0],[1],[2],[3],[4],[5],[6],[7],[8],[9],[10],[11],[12],[13],[14],[15]]> : tensor<16x1xi64> -> memref<16x1xi64>
  %h = glow_inst.alloc : memref<i64>
  glow_inst.gather ins(%s, %c0 : memref<1xi64>, memref<i64>) outs(%h : memref<i64>) axis = 0
  %m = glow_inst.alloc : memref<16x1xi1>
  glow_inst.map ins(%rows, %h : memref<16x1xi64>, memref<i64>) outs(%m : memref<16x1xi1>) {
  ^bb0(%a: i64, %b: i64):
    %p = arith.cmpi slt, %a, %b : i64
    glow.yield %p : i1
  }
  %t = glow_inst.alloc : memref<16x4xf32>
  glow_inst.map ins(%x : memref<16x4xf32>) outs(%t : memref<16x4xf32>) {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  }
  glow_inst.forall [4] ins(%m, %t : memref<16x1xi1>, memref<16x4xf32>) outs(%y : memref<16x4xf32>) steps = [array<i64: 0>, array<i64: 0>, array<i64: 16>] {
  ^bb0(%0: memref<16x1xi1>, %1: memref<16x4xf32>, %2: memref<4x4xf32>):
    %mask = glow_inst.slide %0 at [array<i64: 0, 4, 8, 11>] : memref<16x1xi1> to memref<5x1xi1>
    %part = glow_inst.slide %1 at [array<i64: 0, 16, 32, 44>] : memref<16x4xf32> to memref<5x4xf32>
    %z = glow_inst.alloc : memref<5x4xf32>
    glow_inst.map ins(%mask, %part : memref<5x1xi1>, memref<5x4xf32>) outs(%z : memref<5x4xf32>) {
    ^bb0(%a: i1, %b: f32):
      %zero = arith.constant 0.0 : f32
      %e = arith.select %a, %b, %zero : f32
      glow.yield %e : f32
    }
    %own = glow_inst.view %z : memref<5x4xf32> to memref<4x4xf32>
    %next = glow_inst.view %z : memref<5x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 4>>
    glow_inst.map ins(%own, %next : memref<4x4xf32>, memref<4x4xf32, strided<[4, 1], offset: 4>>) outs(%2 : memref<4x4xf32>) {
    ^bb0(%a: f32, %b: f32):
      %e = arith.addf %a, %b : f32
      glow.yield %e : f32
    }
  }
  return
}

// Nor is a part behind the padding of one in the middle, in a buffer of one
// image.
// CHECK-LABEL: func.func @three_parts(
// CHECK: glow_inst.copy %arg1 {{.*}} {glow_inst.extents = [[ROWS]]}
// CHECK: glow_inst.copy %arg2
// CHECK-NOT: glow_inst.extents
// CHECK: return
func.func @three_parts(
    %a: memref<4x4xf32>, %b: memref<16x4xf32> {glow.extents = affine_map<()[s0] -> (s0, 4)>}, %c: memref<12x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 16 : i64}]},
    %y: memref<32x4xf32> {glow_inst.output}) {
  %all = glow_inst.alloc : memref<32x4xf32>
  %p = glow_inst.view %all : memref<32x4xf32> to memref<4x4xf32>
  glow_inst.copy %a -> %p : memref<4x4xf32> -> memref<4x4xf32>
  %q = glow_inst.view %all : memref<32x4xf32> to memref<16x4xf32, strided<[4, 1], offset: 16>>
  glow_inst.copy %b -> %q : memref<16x4xf32> -> memref<16x4xf32, strided<[4, 1], offset: 16>>
  %r = glow_inst.view %all : memref<32x4xf32> to memref<12x4xf32, strided<[4, 1], offset: 80>>
  glow_inst.copy %c -> %r : memref<12x4xf32> -> memref<12x4xf32, strided<[4, 1], offset: 80>>
  glow_inst.map ins(%all : memref<32x4xf32>) outs(%y : memref<32x4xf32>) {
  ^bb0(%e: f32):
    %f = arith.addf %e, %e : f32
    glow.yield %f : f32
  }
  return
}

// One element per index: of the other axes as much is read as there are indices.
// CHECK-LABEL: func.func @elements(
//       CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[READ]]}
//       CHECK: glow_inst.gather_elements {{.*}} axis = 1 {glow_inst.extents = [[ROWS]]}
func.func @elements(
    %x: memref<6x8xf32>, %i: memref<6x4xi64> {glow.extents = affine_map<()[s0] -> (s0, 4)>},
    %s: memref<1xi64> {glow.symbols = [{name = "h", lower = 1 : i64, upper = 6 : i64}]},
    %y: memref<6x4xf32> {glow_inst.output, glow.extents = affine_map<()[s0] -> (s0, 4)>}) {
  %t = glow_inst.alloc : memref<6x8xf32>
  glow_inst.map ins(%x : memref<6x8xf32>) outs(%t : memref<6x8xf32>) {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  }
  glow_inst.gather_elements ins(%t, %i : memref<6x8xf32>, memref<6x4xi64>) outs(%y : memref<6x4xf32>) axis = 1
  return
}
