// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s
// Rows that lie apart, as those whose length is no whole number of vectors: what a
// mask puts into them is known, and left out. What is between them is not known.

// CHECK-DAG: [[STEPS:#.+]] = affine_map<()[s0] -> (4, (s0 ceildiv 8) * 8)>

// CHECK-LABEL: func.func @rows(
// CHECK: glow_inst.map {{.*}} outs(%{{.+}} : memref<4x24xf32, strided<[30, 1]>>) attributes {glow_inst.extents = [[STEPS]]}
// CHECK: glow_inst.reduce sum {{.*}} {glow_inst.extents = [[STEPS]]}
func.func @rows(
    %x: memref<4x24xf32> {glow.extents = affine_map<()[s0] -> (4, s0)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 24 : i64}]},
    %y: memref<4xf32> {glow_inst.output}) {
  %positions = glow_inst.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi64> -> memref<24xi64>
  %valid = glow_inst.alloc : memref<24xi1>
  glow_inst.map ins(%positions, %s : memref<24xi64>, memref<1xi64>) outs(%valid : memref<24xi1>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.cmpi slt, %a, %b : i64
    glow.yield %c : i1
  }
  %all = glow_inst.alloc : memref<120xf32>
  %t = glow_inst.view %all : memref<120xf32> to memref<4x24xf32, strided<[30, 1]>>
  glow_inst.map ins(%valid, %x : memref<24xi1>, memref<4x24xf32>) outs(%t : memref<4x24xf32, strided<[30, 1]>>) {
  ^bb0(%a: i1, %b: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.select %a, %b, %zero : f32
    glow.yield %c : f32
  }
  glow_inst.reduce sum ins(%t : memref<4x24xf32, strided<[30, 1]>>) outs(%y : memref<4xf32>) axes = [1]
  return
}

// CHECK-LABEL: func.func @between(
// CHECK: glow_inst.map {{.*}} outs(%{{.+}} : memref<4x24xf32, strided<[30, 1]>>) {
// CHECK: glow_inst.reduce sum ins(%{{.+}} : memref<4x30xf32>) outs(%{{.+}} : memref<4xf32>) axes = [1]{{$}}
func.func @between(
    %x: memref<4x24xf32> {glow.extents = affine_map<()[s0] -> (4, s0)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 24 : i64}]},
    %y: memref<4xf32> {glow_inst.output}) {
  %positions = glow_inst.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi64> -> memref<24xi64>
  %valid = glow_inst.alloc : memref<24xi1>
  glow_inst.map ins(%positions, %s : memref<24xi64>, memref<1xi64>) outs(%valid : memref<24xi1>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.cmpi slt, %a, %b : i64
    glow.yield %c : i1
  }
  %all = glow_inst.alloc : memref<120xf32>
  %t = glow_inst.view %all : memref<120xf32> to memref<4x24xf32, strided<[30, 1]>>
  glow_inst.map ins(%valid, %x : memref<24xi1>, memref<4x24xf32>) outs(%t : memref<4x24xf32, strided<[30, 1]>>) {
  ^bb0(%a: i1, %b: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.select %a, %b, %zero : f32
    glow.yield %c : f32
  }
  %whole = glow_inst.view %all : memref<120xf32> to memref<4x30xf32>
  glow_inst.reduce sum ins(%whole : memref<4x30xf32>) outs(%y : memref<4xf32>) axes = [1]
  return
}

// What is written to the place behind them continues them if the same mask
// decides on it: the last place of a cache has a number only if all have one.

// CHECK-LABEL: func.func @continued(
// CHECK: glow_inst.map {{.*}} outs(%{{.+}} : memref<4x24xf32, strided<[25, 1]>>) attributes {glow_inst.extents = [[PART:#.+]]}
// CHECK: glow_inst.reduce sum {{.*}} {glow_inst.extents = [[NEXT:#.+]]}
func.func @continued(
    %x: memref<4x24xf32> {glow.extents = affine_map<()[s0] -> (4, s0)>}, %new: memref<4x1xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 24 : i64}]},
    %y: memref<4xf32> {glow_inst.output}) {
  %positions = glow_inst.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi64> -> memref<24xi64>
  %all = glow_inst.alloc : memref<4x25xf32>
  %head = glow_inst.view %all : memref<4x25xf32> to memref<4x24xf32, strided<[25, 1]>>
  glow_inst.map ins(%positions, %s, %x, %new : memref<24xi64>, memref<1xi64>, memref<4x24xf32>, memref<4x1xf32>) outs(%head : memref<4x24xf32, strided<[25, 1]>>) {
  ^bb0(%i: i64, %n: i64, %a: f32, %b: f32):
    %zero = arith.constant 0.0 : f32
    %one = arith.constant 1 : i64
    %end = arith.addi %n, %one : i64
    %isOld = arith.cmpi slt, %i, %n : i64
    %isValid = arith.cmpi slt, %i, %end : i64
    %either = arith.select %isOld, %a, %b : f32
    %c = arith.select %isValid, %either, %zero : f32
    glow.yield %c : f32
  }
  %tail = glow_inst.view %all : memref<4x25xf32> to memref<4x1xf32, strided<[25, 1], offset: 24>>
  glow_inst.map ins(%s, %new : memref<1xi64>, memref<4x1xf32>) outs(%tail : memref<4x1xf32, strided<[25, 1], offset: 24>>) {
  ^bb0(%n: i64, %b: f32):
    %zero = arith.constant 0.0 : f32
    %last = arith.constant 24 : i64
    %one = arith.constant 1 : i64
    %end = arith.addi %n, %one : i64
    %isFull = arith.cmpi sgt, %end, %last : i64
    %c = arith.select %isFull, %b, %zero : f32
    glow.yield %c : f32
  }
  glow_inst.reduce sum ins(%all : memref<4x25xf32>) outs(%y : memref<4xf32>) axes = [1]
  return
}

// Not if another mask does.

// CHECK-LABEL: func.func @apart(
// CHECK: glow_inst.reduce sum ins(%{{.+}} : memref<4x25xf32>) outs(%{{.+}} : memref<4xf32>) axes = [1]{{$}}
func.func @apart(
    %x: memref<4x24xf32> {glow.extents = affine_map<()[s0] -> (4, s0)>}, %new: memref<4x1xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 24 : i64}]},
    %y: memref<4xf32> {glow_inst.output}) {
  %positions = glow_inst.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23]> : tensor<24xi64> -> memref<24xi64>
  %all = glow_inst.alloc : memref<4x25xf32>
  %head = glow_inst.view %all : memref<4x25xf32> to memref<4x24xf32, strided<[25, 1]>>
  glow_inst.map ins(%positions, %s, %x : memref<24xi64>, memref<1xi64>, memref<4x24xf32>) outs(%head : memref<4x24xf32, strided<[25, 1]>>) {
  ^bb0(%i: i64, %n: i64, %a: f32):
    %zero = arith.constant 0.0 : f32
    %isOld = arith.cmpi slt, %i, %n : i64
    %c = arith.select %isOld, %a, %zero : f32
    glow.yield %c : f32
  }
  %tail = glow_inst.view %all : memref<4x25xf32> to memref<4x1xf32, strided<[25, 1], offset: 24>>
  glow_inst.map ins(%s, %new : memref<1xi64>, memref<4x1xf32>) outs(%tail : memref<4x1xf32, strided<[25, 1], offset: 24>>) {
  ^bb0(%n: i64, %b: f32):
    %zero = arith.constant 0.0 : f32
    %two = arith.constant 2 : i64
    %isFull = arith.cmpi sgt, %n, %two : i64
    %c = arith.select %isFull, %b, %zero : f32
    glow.yield %c : f32
  }
  glow_inst.reduce sum ins(%all : memref<4x25xf32>) outs(%y : memref<4xf32>) axes = [1]
  return
}
