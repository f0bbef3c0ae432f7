// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s
// Where the number is that says how far a mask goes.

// CHECK-DAG: [[HALF:#.+]] = affine_map<()[s0] -> (8, ((s0 floordiv 2) ceildiv 8) * 8)>

// Where a mask ends may be computed in the place of what it follows from.
// CHECK-LABEL: func.func @in_place(
//       CHECK: glow_inst.reduce sum {{.*}} {glow_inst.extents = [[HALF]]}
func.func @in_place(
    %x: memref<8x64xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 2 : i64, upper = 128 : i64}]},
    %y: memref<8xf32> {glow_inst.output}) {
  %zero = glow_inst.constant dense<0> : tensor<i64> -> memref<i64>
  %places = glow_inst.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]> : tensor<64xi64> -> memref<64xi64>
  %n = glow_inst.alloc : memref<i64>
  glow_inst.gather ins(%s, %zero : memref<1xi64>, memref<i64>) outs(%n : memref<i64>) axis = 0
  glow_inst.map ins(%n : memref<i64>) outs(%n : memref<i64>) {
  ^bb0(%a: i64):
    %two = arith.constant 2 : i64
    %b = arith.divsi %a, %two : i64
    glow.yield %b : i64
  }
  %m = glow_inst.alloc : memref<8x64xf32>
  glow_inst.map ins(%places, %n, %x : memref<64xi64>, memref<i64>, memref<8x64xf32>) outs(%m : memref<8x64xf32>) {
  ^bb0(%a: i64, %b: i64, %c: f32):
    %valid = arith.cmpi slt, %a, %b : i64
    %none = arith.constant 0.0 : f32
    %d = arith.select %valid, %c, %none : f32
    glow.yield %d : f32
  }
  glow_inst.reduce sum ins(%m : memref<8x64xf32>) outs(%y : memref<8xf32>) axes = [1]
  return
}

// It may also be a part of a shape, which its other elements leave alone.
// CHECK-LABEL: func.func @part_of_a_shape(
//       CHECK: glow_inst.reduce sum {{.*}} {glow_inst.extents = [[HALF]]}
func.func @part_of_a_shape(
    %x: memref<8x64xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 2 : i64, upper = 128 : i64}]},
    %y: memref<8xf32> {glow_inst.output}) {
  %zero = glow_inst.constant dense<0> : tensor<i64> -> memref<i64>
  %places = glow_inst.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]> : tensor<64xi64> -> memref<64xi64>
  %shape = glow_inst.alloc : memref<2xi64>
  %first = glow_inst.view %shape : memref<2xi64> to memref<i64>
  %n = glow_inst.view %shape : memref<2xi64> to memref<i64, strided<[], offset: 1>>
  glow_inst.gather ins(%s, %zero : memref<1xi64>, memref<i64>) outs(%n : memref<i64, strided<[], offset: 1>>) axis = 0
  glow_inst.map ins(%n : memref<i64, strided<[], offset: 1>>) outs(%n : memref<i64, strided<[], offset: 1>>) {
  ^bb0(%a: i64):
    %two = arith.constant 2 : i64
    %b = arith.divsi %a, %two : i64
    glow.yield %b : i64
  }
  glow_inst.fill %first with 8 : i64 : memref<i64>
  %m = glow_inst.alloc : memref<8x64xf32>
  glow_inst.map ins(%places, %n, %x : memref<64xi64>, memref<i64, strided<[], offset: 1>>, memref<8x64xf32>) outs(%m : memref<8x64xf32>) {
  ^bb0(%a: i64, %b: i64, %c: f32):
    %valid = arith.cmpi slt, %a, %b : i64
    %none = arith.constant 0.0 : f32
    %d = arith.select %valid, %c, %none : f32
    glow.yield %d : f32
  }
  glow_inst.reduce sum ins(%m : memref<8x64xf32>) outs(%y : memref<8xf32>) axes = [1]
  return
}

// A slide reads another element at each point.
// CHECK-LABEL: func.func @element_of_a_point(
//       CHECK: glow_inst.slide
//   CHECK-NOT: glow_inst.extents
func.func @element_of_a_point(
    %x: memref<2x8xf32>,
    %s: memref<2xi64> {glow.symbols = [{name = "n", lower = 2 : i64, upper = 8 : i64}, {name = "m", lower = 2 : i64, upper = 8 : i64}]},
    %y: memref<2xf32> {glow_inst.output}) {
  %zero = glow_inst.constant dense<0> : tensor<i64> -> memref<i64>
  %places = glow_inst.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi64> -> memref<8xi64>
  %n = glow_inst.alloc : memref<i64>
  glow_inst.gather ins(%s, %zero : memref<2xi64>, memref<i64>) outs(%n : memref<i64>) axis = 0
  glow_inst.forall [2] ins(%x, %n, %places : memref<2x8xf32>, memref<i64>, memref<8xi64>) outs(%y : memref<2xf32>) steps = [array<i64: 8>, array<i64: 0>, array<i64: 0>, array<i64: 1>] {
  ^bb0(%a: memref<8xf32>, %c: memref<i64>, %p: memref<8xi64>, %b: memref<1xf32>):
    %shape = glow_inst.alloc : memref<2xi64>
    %first = glow_inst.view %shape : memref<2xi64> to memref<i64>
    %second = glow_inst.view %shape : memref<2xi64> to memref<i64, strided<[], offset: 1>>
    glow_inst.fill %second with 8 : i64 : memref<i64, strided<[], offset: 1>>
    glow_inst.map ins(%c : memref<i64>) outs(%first : memref<i64>) {
    ^bb9(%e: i64):
      %k = arith.constant 0 : i64
      %f = arith.addi %e, %k : i64
      glow.yield %f : i64
    }
    %own = glow_inst.slide %shape at [array<i64: 0, 1>] : memref<2xi64> to memref<i64>
    %m = glow_inst.alloc : memref<8xf32>
    glow_inst.map ins(%p, %own, %a : memref<8xi64>, memref<i64>, memref<8xf32>) outs(%m : memref<8xf32>) {
    ^bb9(%e: i64, %f: i64, %g: f32):
      %valid = arith.cmpi slt, %e, %f : i64
      %none = arith.constant 0.0 : f32
      %h = arith.select %valid, %g, %none : f32
      glow.yield %h : f32
    }
    %r = glow_inst.view %b : memref<1xf32> to memref<f32>
    glow_inst.reduce sum ins(%m : memref<8xf32>) outs(%r : memref<f32>) axes = [0]
  }
  return
}
