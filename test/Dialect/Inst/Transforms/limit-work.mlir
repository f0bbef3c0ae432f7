// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s
// Instructions of bounded functions compute no padding.

// CHECK-DAG: [[ROWS:#.+]] = affine_map<()[s0] -> (s0, 4)>
// CHECK-DAG: [[LIST:#.+]] = affine_map<()[s0] -> (s0)>
// CHECK-DAG: [[MERGED:#.+]] = affine_map<()[s0] -> (s0 * 4)>
// CHECK-DAG: [[OUTER:#.+]] = affine_map<()[s0, s1] -> (s1, 6, 4)>
// CHECK-DAG: [[SUMS:#.+]] = affine_map<()[s0, s1] -> (s1, 4)>
// CHECK-DAG: [[POINTS:#.+]] = affine_map<()[s0] -> (s0 ceildiv 2)>
// CHECK-DAG: [[BLOCK:#.+]] = affine_map<(d0)[s0] -> (d0 * -2 + s0, 16)>
// CHECK-DAG: [[BORDER:#.+]] = affine_map<()[s0] -> (s0, 1, 4)>

// Rows follow the argument's; through a view that merges axes too.
// CHECK-LABEL: func.func @rows
// CHECK: glow_inst.matmul {{.*}} {glow_inst.extents = [[ROWS]]}
// CHECK: glow_inst.reduce {{.*}} {glow_inst.extents = [[LIST]]}
// CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[MERGED]]}
func.func @rows(
    %x: memref<8x16xf32> {glow.extents = affine_map<()[s0] -> (s0, 16)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %w: memref<16x4xf32>, %y: memref<8xf32> {glow_inst.output}, %z: memref<32xf32> {glow_inst.output}) {
  %t = glow_inst.alloc : memref<8x4xf32>
  glow_inst.matmul ins(%x, %w : memref<8x16xf32>, memref<16x4xf32>) outs(%t : memref<8x4xf32>)
  glow_inst.reduce sum ins(%t : memref<8x4xf32>) outs(%y : memref<8xf32>) axes = [1]
  %v = glow_inst.view %t : memref<8x4xf32> to memref<32xf32>
  glow_inst.map ins(%v : memref<32xf32>) outs(%z : memref<32xf32>) {
  ^bb0(%a: f32):
    %b = arith.addf %a, %a : f32
    glow.yield %b : f32
  }
  return
}

// What a mask writes is computed, and only along its axis; so is what follows.
// CHECK-LABEL: func.func @mask
// CHECK: glow_inst.map ins(%{{.+}}, %{{.+}} : memref<6x1xi64>, memref<1xi64>) outs(%{{.+}} : memref<6x1xi1>) {
// CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[OUTER]]}
// CHECK: glow_inst.reduce {{.*}} axes = [1] {glow_inst.extents = [[SUMS]]}
func.func @mask(
    %x: memref<3x6x4xf32> {glow.extents = affine_map<()[s0, s1] -> (s1, s0, 4)>},
    %s: memref<2xi64> {glow.symbols = [{name = "length", lower = 0 : i64, upper = 6 : i64},
                                       {name = "batch", lower = 1 : i64, upper = 3 : i64}]},
    %positions: memref<6x1xi64>, %y: memref<3x4xf32> {glow_inst.output}) {
  %length = glow_inst.view %s : memref<2xi64> to memref<1xi64>
  %valid = glow_inst.alloc : memref<6x1xi1>
  glow_inst.map ins(%positions, %length : memref<6x1xi64>, memref<1xi64>) outs(%valid : memref<6x1xi1>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.cmpi slt, %a, %b : i64
    glow.yield %c : i1
  }
  %masked = glow_inst.alloc : memref<3x6x4xf32>
  glow_inst.map ins(%valid, %x : memref<6x1xi1>, memref<3x6x4xf32>) outs(%masked : memref<3x6x4xf32>) {
  ^bb0(%a: i1, %b: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.select %a, %b, %zero : f32
    glow.yield %c : f32
  }
  glow_inst.reduce sum ins(%masked : memref<3x6x4xf32>) outs(%y : memref<3x4xf32>) axes = [1]
  return
}

// A loop runs the points that hold rows, and of the last one what is left. It gets
// the symbols and its points' indices as inputs.
// CHECK-LABEL: func.func @loop
// CHECK: %[[LIST:.+]] = glow_inst.constant dense<[0, 1, 2, 3]> : tensor<4xi64>
// CHECK: glow_inst.forall [4] ins(%arg0, %[[LIST]], %arg1 :
// CHECK-SAME: steps = [array<i64: 32>, array<i64: 1>, array<i64: 0>, array<i64: 32>]
// CHECK-SAME: glow_inst.extents = [[POINTS]]}
// CHECK-NEXT: ^bb0(%{{.+}}: memref<2x16xf32>, %{{.+}}: memref<1xi64>, %{{.+}}: memref<1xi64>,
// CHECK-NEXT: glow_inst.copy {{.*}} {glow_inst.extents = [[BLOCK]]}
func.func @loop(
    %x: memref<8x16xf32> {glow.extents = affine_map<()[s0] -> (s0, 16)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<8x16xf32> {glow_inst.output}) {
  glow_inst.forall [4] ins(%x : memref<8x16xf32>) outs(%y : memref<8x16xf32>) steps = [array<i64: 32>, array<i64: 32>] {
  ^bb0(%a: memref<2x16xf32>, %b: memref<2x16xf32>):
    glow_inst.copy %a -> %b : memref<2x16xf32> -> memref<2x16xf32>
  }
  return
}

// Nothing is limited where all is fixed.
// CHECK-LABEL: func.func @fixed
// CHECK-NOT: glow_inst.extents
func.func @fixed(%x: memref<8xf32>, %y: memref<8xf32> {glow_inst.output}) {
  glow_inst.copy %x -> %y : memref<8xf32> -> memref<8xf32>
  return
}

// The border of images that are not there need not be filled either, unless it
// has been read before anything was padding.
// CHECK-LABEL: func.func @border
// CHECK: glow_inst.fill %{{.+}} with 0.000000e+00 : f32 {glow_inst.extents = [[BORDER]]} : memref<8x1x4xf32
// CHECK: glow_inst.fill %{{.+}} with 0.000000e+00 : f32 : memref<8x1x4xf32
func.func @border(
    %x: memref<8x5x4xf32> {glow.extents = affine_map<()[s0] -> (s0, 5, 4)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<8x4xf32> {glow_inst.output}, %z: memref<8x1x4xf32> {glow_inst.output}, %w: memref<8x4xf32> {glow_inst.output}) {
  %a = glow_inst.alloc : memref<8x6x4xf32>
  %top = glow_inst.view %a : memref<8x6x4xf32> to memref<8x1x4xf32, strided<[24, 4, 1]>>
  glow_inst.fill %top with 0.0 : f32 : memref<8x1x4xf32, strided<[24, 4, 1]>>
  %inner = glow_inst.view %a : memref<8x6x4xf32> to memref<8x5x4xf32, strided<[24, 4, 1], offset: 4>>
  glow_inst.copy %x -> %inner : memref<8x5x4xf32> -> memref<8x5x4xf32, strided<[24, 4, 1], offset: 4>>
  glow_inst.reduce sum ins(%a : memref<8x6x4xf32>) outs(%y : memref<8x4xf32>) axes = [1]
  %b = glow_inst.alloc : memref<8x6x4xf32>
  %read = glow_inst.view %b : memref<8x6x4xf32> to memref<8x1x4xf32, strided<[24, 4, 1]>>
  glow_inst.fill %read with 0.0 : f32 : memref<8x1x4xf32, strided<[24, 4, 1]>>
  glow_inst.copy %read -> %z : memref<8x1x4xf32, strided<[24, 4, 1]>> -> memref<8x1x4xf32>
  %rest = glow_inst.view %b : memref<8x6x4xf32> to memref<8x5x4xf32, strided<[24, 4, 1], offset: 4>>
  glow_inst.copy %x -> %rest : memref<8x5x4xf32> -> memref<8x5x4xf32, strided<[24, 4, 1], offset: 4>>
  glow_inst.reduce sum ins(%b : memref<8x6x4xf32>) outs(%w : memref<8x4xf32>) axes = [1]
  return
}
