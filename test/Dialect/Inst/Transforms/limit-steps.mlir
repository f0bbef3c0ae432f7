// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s
// What reads the rows of a loop over steps computes those that there are.

// CHECK-DAG: [[ROWS:#.+]] = affine_map<()[s0] -> (1, s0, 4)>

// Behind the row that the first step begins with.
// CHECK-LABEL: func.func @histories
// CHECK: glow_inst.matmul ins(%{{.+}}, %arg2 : {{.*}} outs(%arg4 : {{.*}}) {glow_inst.extents = [[ROWS]]}
func.func @histories(
    %x: memref<1x8x4xf32> {glow.extents = affine_map<()[s0] -> (1, s0, 4)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %w: memref<4x4xf32>, %y: memref<1x9x4xf32>, %z: memref<1x8x4xf32> {glow_inst.output}) {
  %n = glow_inst.view %s : memref<1xi64> to memref<i64>
  %h = glow_inst.alloc : memref<1x9x4xf32>
  glow_inst.for_steps @body number(%n : memref<i64>) histories(%h : memref<1x9x4xf32>) rows(%x : memref<1x8x4xf32>) {extents = [affine_map<()[s0] -> (1, s0 + 1, 4)>]}
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
  glow_inst.for_steps @body number(%n : memref<i64>) histories(%h : memref<1x9x4xf32>) rows(%x : memref<1x8x4xf32>) {extents = [affine_map<()[s0] -> (1, s0 + 1, 4)>]}
  %rows = glow_inst.view %h : memref<1x9x4xf32> to memref<1x7x4xf32, strided<[28, 4, 1], offset: 8>>
  glow_inst.matmul ins(%rows, %w : memref<1x7x4xf32, strided<[28, 4, 1], offset: 8>>, memref<4x4xf32>) outs(%z : memref<1x7x4xf32>)
  return
}
