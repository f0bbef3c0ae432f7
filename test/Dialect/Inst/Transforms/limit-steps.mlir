// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s
// What reads the rows of a loop over steps computes those that there are.

// CHECK-DAG: [[ROWS:#.+]] = affine_map<()[s0] -> (1, s0, 4)>
// CHECK-DAG: [[PART:#.+]] = affine_map<()[s0] -> (3, s0 + 1, 4)>
// CHECK-DAG: [[WHOLE:#.+]] = affine_map<()[s0] -> (3, s0 + 2, 4)>

// Behind the row that the first step begins with.
// CHECK-LABEL: func.func @histories
// CHECK: glow_inst.matmul ins(%{{.+}}, %arg2 : {{.*}} outs(%arg4 : {{.*}}) {glow_inst.extents = [[ROWS]]}
func.func @histories(
    %x: memref<1x8x4xf32> {glow.extents = affine_map<()[s0] -> (1, s0, 4)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %w: memref<4x4xf32>, %y: memref<1x9x4xf32>, %z: memref<1x8x4xf32> {glow_inst.output}) {
  %n = glow_inst.view %s : memref<1xi64> to memref<i64>
  %h = glow_inst.alloc : memref<1x9x4xf32>
  glow_inst.for_steps @body number(%n : memref<i64>) histories(%h : memref<1x9x4xf32>) rows(%x : memref<1x8x4xf32>) {extents = affine_map<()[s0] -> (1, s0)>}
  %rows = glow_inst.view %h : memref<1x9x4xf32> to memref<1x8x4xf32, strided<[32, 4, 1], offset: 4>>
  glow_inst.matmul ins(%rows, %w : memref<1x8x4xf32, strided<[32, 4, 1], offset: 4>>, memref<4x4xf32>) outs(%z : memref<1x8x4xf32>)
  return
}
func.func private @body(memref<1x4xf32>, memref<1x4xf32>, memref<1x4xf32>) attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>}

// Two rows further on there may be less than none.
// CHECK-LABEL: func.func @further
// CHECK-NOT: glow_inst.extents
// CHECK: return
func.func @further(
    %x: memref<1x8x4xf32> {glow.extents = affine_map<()[s0] -> (1, s0, 4)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %w: memref<4x4xf32>, %z: memref<1x7x4xf32> {glow_inst.output}) {
  %n = glow_inst.view %s : memref<1xi64> to memref<i64>
  %h = glow_inst.alloc : memref<1x9x4xf32>
  glow_inst.for_steps @body number(%n : memref<i64>) histories(%h : memref<1x9x4xf32>) rows(%x : memref<1x8x4xf32>) {extents = affine_map<()[s0] -> (1, s0)>}
  %rows = glow_inst.view %h : memref<1x9x4xf32> to memref<1x7x4xf32, strided<[28, 4, 1], offset: 8>>
  glow_inst.matmul ins(%rows, %w : memref<1x7x4xf32, strided<[28, 4, 1], offset: 8>>, memref<4x4xf32>) outs(%z : memref<1x7x4xf32>)
  return
}

// What makes the rows that a loop reads makes those of its steps.
// CHECK-LABEL: func.func @demanded
// CHECK: glow_inst.matmul {{.*}} outs(%[[X:.+]] : {{.*}}) {glow_inst.extents = [[ROWS]]}
// CHECK: glow_inst.for_steps {{.*}} rows(%[[X]] :
func.func @demanded(%x: memref<1x8x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %w: memref<4x4xf32>, %y: memref<1x9x4xf32> {glow_inst.output}) {
  %n = glow_inst.view %s : memref<1xi64> to memref<i64>
  %rows = glow_inst.alloc : memref<1x8x4xf32>
  glow_inst.matmul ins(%x, %w : memref<1x8x4xf32>, memref<4x4xf32>) outs(%rows : memref<1x8x4xf32>)
  glow_inst.for_steps @body number(%n : memref<i64>) histories(%y : memref<1x9x4xf32>) rows(%rows : memref<1x8x4xf32>) {extents = affine_map<()[s0] -> (1, s0)>}
  return
}

// A part that is written behind the first place is not one that begins there.
// CHECK-LABEL: func.func @behind
// CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[PART]]}
// CHECK: glow_inst.map {{.*}}extents = [[WHOLE]]
func.func @behind(
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %a: memref<3x9x4xf32> {glow.extents = affine_map<()[s0] -> (3, s0 + 1, 4)>}, %z: memref<3x10x4xf32> {glow_inst.output}) {
  %h = glow_inst.alloc : memref<3x10x4xf32>
  %part = glow_inst.view %h : memref<3x10x4xf32> to memref<3x9x4xf32, strided<[40, 4, 1], offset: 4>>
  %first = glow_inst.view %h : memref<3x10x4xf32> to memref<3x1x4xf32, strided<[40, 4, 1]>>
  glow_inst.copy %a -> %part : memref<3x9x4xf32> -> memref<3x9x4xf32, strided<[40, 4, 1], offset: 4>>
  glow_inst.fill %first with 1.0 : f32 : memref<3x1x4xf32, strided<[40, 4, 1]>>
  glow_inst.map ins(%h : memref<3x10x4xf32>) outs(%z : memref<3x10x4xf32>) {
  ^bb0(%e: f32):
    %n = arith.negf %e : f32
    glow.yield %n : f32
  }
  return
}
