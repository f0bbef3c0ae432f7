// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s
// What masks write is left out where all readers stop before it.

// CHECK-DAG: [[ROWS:#.+]] = affine_map<()[s0] -> (8, (s0 ceildiv 8) * 8)>
// CHECK-DAG: [[VALUES:#.+]] = affine_map<()[s0] -> (s0, 16)>
// CHECK-DAG: [[DEPTH:#.+]] = affine_map<()[s0] -> (8, 16, s0)>

// Numbers that a mask has put behind the extent are left out if all that read
// them stop there or before, in whole steps of what reads them: the values of a
// softmax, whose rows are then as short, and those that they are multiplied by.
// CHECK-LABEL: func.func @attention
// CHECK: glow_inst.map ins({{.*}} memref<64xi64>, memref<i64>) outs({{.*}} memref<64xi1>) attributes {
// CHECK: glow_inst.matmul {{.*}} {glow_inst.extents = [[ROWS]]} do
// CHECK: glow_inst.reduce max {{.*}} {glow_inst.extents = [[ROWS]]}
// CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[ROWS]]}
// CHECK: glow_inst.reduce sum {{.*}} {glow_inst.extents = [[ROWS]]}
// CHECK: glow_inst.map {{.*}} memref<64x16xf32>) attributes {glow_inst.extents = [[VALUES]]}
// CHECK: glow_inst.matmul {{.*}} {glow_inst.extents = [[DEPTH]]}
func.func @attention(
    %q: memref<8x16xf32>, %k: memref<16x64xf32> {glow.extents = affine_map<()[s0] -> (16, s0)>},
    %v: memref<64x16xf32> {glow.extents = affine_map<()[s0] -> (s0, 16)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 64 : i64}]},
    %y: memref<8x16xf32> {glow_inst.output}, %total: memref<8xf32> {glow_inst.output}) {
  %zero = glow_inst.constant dense<0> : tensor<i64> -> memref<i64>
  %places = glow_inst.constant dense<[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63]> : tensor<64xi64> -> memref<64xi64>
  %n = glow_inst.alloc : memref<i64>
  glow_inst.gather ins(%s, %zero : memref<1xi64>, memref<i64>) outs(%n : memref<i64>) axis = 0
  %valid = glow_inst.alloc : memref<64xi1>
  glow_inst.map ins(%places, %n : memref<64xi64>, memref<i64>) outs(%valid : memref<64xi1>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.cmpi slt, %a, %b : i64
    glow.yield %c : i1
  }
  %p = glow_inst.alloc : memref<8x64xf32>
  glow_inst.matmul ins(%q, %k : memref<8x16xf32>, memref<16x64xf32>) epilogue(%valid : memref<64xi1>) outs(%p : memref<8x64xf32>) do {
  ^bb0(%a: f32, %b: i1):
    %low = arith.constant 0xFF800000 : f32
    %c = arith.select %b, %a, %low : f32
    glow.yield %c : f32
  }
  %most = glow_inst.alloc : memref<8xf32>
  glow_inst.reduce max ins(%p : memref<8x64xf32>) outs(%most : memref<8xf32>) axes = [1]
  %column = glow_inst.view %most : memref<8xf32> to memref<8x1xf32>
  glow_inst.map ins(%p, %column : memref<8x64xf32>, memref<8x1xf32>) outs(%p : memref<8x64xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.subf %a, %b : f32
    %d = math.exp %c : f32
    glow.yield %d : f32
  }
  glow_inst.reduce sum ins(%p : memref<8x64xf32>) outs(%total : memref<8xf32>) axes = [1]
  %masked = glow_inst.alloc : memref<64x16xf32>
  %rows = glow_inst.view %valid : memref<64xi1> to memref<64x1xi1>
  glow_inst.map ins(%rows, %v : memref<64x1xi1>, memref<64x16xf32>) outs(%masked : memref<64x16xf32>) {
  ^bb0(%a: i1, %b: f32):
    %c = arith.constant 0.0 : f32
    %d = arith.select %a, %b, %c : f32
    glow.yield %d : f32
  }
  glow_inst.matmul ins(%p, %masked : memref<8x64xf32>, memref<64x16xf32>) outs(%y : memref<8x16xf32>)
  return
}

// An output is read as a whole, and one is no neutral element of a sum.
// CHECK-LABEL: func.func @needed
// CHECK-NOT: glow_inst.extents
// CHECK: return
func.func @needed(
    %x: memref<4xf32> {glow.extents = affine_map<()[s0] -> (s0)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 4 : i64}]},
    %y: memref<4xf32> {glow_inst.output}, %z: memref<f32> {glow_inst.output}) {
  %places = glow_inst.constant dense<[0, 1, 2, 3]> : tensor<4xi64> -> memref<4xi64>
  glow_inst.map ins(%places, %s, %x : memref<4xi64>, memref<1xi64>, memref<4xf32>) outs(%y : memref<4xf32>) {
  ^bb0(%a: i64, %b: i64, %c: f32):
    %one = arith.constant 1.0 : f32
    %d = arith.cmpi slt, %a, %b : i64
    %e = arith.select %d, %c, %one : f32
    glow.yield %e : f32
  }
  glow_inst.reduce sum ins(%y : memref<4xf32>) outs(%z : memref<f32>) axes = [0]
  return
}

// Half of a buffer is not all that is read of it.
// CHECK-LABEL: func.func @half
// CHECK: glow_inst.map
// CHECK-NOT: glow_inst.extents
// CHECK: return
func.func @half(
    %x: memref<2x64xf32> {glow.extents = affine_map<()[s0] -> (2, s0)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 4 : i64}]},
    %z: memref<2x64xf32> {glow_inst.output}) {
  %places = glow_inst.constant dense<[0, 1, 2, 3]> : tensor<4xi64> -> memref<4xi64>
  %a = glow_inst.alloc : memref<4x4xf32>
  %top = glow_inst.view %x : memref<2x64xf32> to memref<2x4xf32, strided<[64, 1]>>
  %half = glow_inst.view %a : memref<4x4xf32> to memref<2x4xf32>
  glow_inst.map ins(%places, %s, %top : memref<4xi64>, memref<1xi64>, memref<2x4xf32, strided<[64, 1]>>) outs(%half : memref<2x4xf32>) {
  ^bb0(%b: i64, %c: i64, %d: f32):
    %zero = arith.constant 0.0 : f32
    %e = arith.cmpi slt, %b, %c : i64
    %f = arith.select %e, %d, %zero : f32
    glow.yield %f : f32
  }
  glow_inst.fill %z with 0.0 : f32 : memref<2x64xf32>
  %rest = glow_inst.view %a : memref<4x4xf32> to memref<2x4xf32, strided<[4, 1], offset: 8>>
  glow_inst.copy %half -> %rest : memref<2x4xf32> -> memref<2x4xf32, strided<[4, 1], offset: 8>>
  %all = glow_inst.view %a : memref<4x4xf32> to memref<16xf32>
  %part = glow_inst.view %z : memref<2x64xf32> to memref<16xf32>
  glow_inst.copy %all -> %part : memref<16xf32> -> memref<16xf32>
  return
}

// Sums of what masks write are other numbers.
// CHECK-LABEL: func.func @sums_of_masked
// CHECK: glow_inst.reduce sum {{.*}} axes = [0] of
// CHECK: glow_inst.reduce sum {{.*}} axes = [0]{{$}}
func.func @sums_of_masked(
    %x: memref<8x4xf32> {glow.extents = affine_map<()[s0] -> (8, s0)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 4 : i64}]},
    %z: memref<f32> {glow_inst.output}) {
  %places = glow_inst.constant dense<[0, 1, 2, 3]> : tensor<4xi64> -> memref<4xi64>
  %p = glow_inst.alloc : memref<8x4xf32>
  glow_inst.map ins(%places, %s, %x : memref<4xi64>, memref<1xi64>, memref<8x4xf32>) outs(%p : memref<8x4xf32>) {
  ^bb0(%a: i64, %b: i64, %c: f32):
    %zero = arith.constant 0.0 : f32
    %d = arith.cmpi slt, %a, %b : i64
    %e = arith.select %d, %c, %zero : f32
    glow.yield %e : f32
  }
  %q = glow_inst.alloc : memref<4xf32>
  glow_inst.reduce sum ins(%p : memref<8x4xf32>) outs(%q : memref<4xf32>) axes = [0] of {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  }
  glow_inst.reduce sum ins(%q : memref<4xf32>) outs(%z : memref<f32>) axes = [0]
  return
}

// What an instruction of which nothing is known has written is no mask's.
// CHECK-LABEL: func.func @overwritten
// CHECK-NOT: glow_inst.extents
// CHECK: return
func.func @overwritten(
    %x: memref<2x4xf32> {glow.extents = affine_map<()[s0] -> (2, s0)>}, %o: memref<4x4xf32>, %i: memref<4x4xi64>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 4 : i64}]},
    %z: memref<4xf32> {glow_inst.output}) {
  %places = glow_inst.constant dense<[0, 1, 2, 3]> : tensor<4xi64> -> memref<4xi64>
  %p = glow_inst.alloc : memref<4x4xf32>
  %half = glow_inst.view %p : memref<4x4xf32> to memref<2x4xf32>
  glow_inst.map ins(%places, %s, %x : memref<4xi64>, memref<1xi64>, memref<2x4xf32>) outs(%half : memref<2x4xf32>) {
  ^bb0(%a: i64, %b: i64, %c: f32):
    %zero = arith.constant 0.0 : f32
    %d = arith.cmpi slt, %a, %b : i64
    %e = arith.select %d, %c, %zero : f32
    glow.yield %e : f32
  }
  glow_inst.scatter_elements none ins(%i, %o : memref<4x4xi64>, memref<4x4xf32>) outs(%p : memref<4x4xf32>) axis = 0
  glow_inst.map ins(%places, %s, %x : memref<4xi64>, memref<1xi64>, memref<2x4xf32>) outs(%half : memref<2x4xf32>) {
  ^bb0(%a: i64, %b: i64, %c: f32):
    %zero = arith.constant 0.0 : f32
    %d = arith.cmpi slt, %a, %b : i64
    %e = arith.select %d, %c, %zero : f32
    glow.yield %e : f32
  }
  glow_inst.reduce sum ins(%p : memref<4x4xf32>) outs(%z : memref<4xf32>) axes = [1]
  return
}

// An index that a mask has chosen is that of what is read there: all of it is
// gathered.
// CHECK-LABEL: func.func @chosen_index
// CHECK: glow_inst.gather {{.*}} axis = 0{{$}}
func.func @chosen_index(
    %x: memref<5xf32>, %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 4 : i64}]},
    %y: memref<4xf32> {glow_inst.output}) {
  %places = glow_inst.constant dense<[0, 1, 2, 3]> : tensor<4xi64> -> memref<4xi64>
  %i = glow_inst.alloc : memref<4xi64>
  glow_inst.map ins(%places, %s : memref<4xi64>, memref<1xi64>) outs(%i : memref<4xi64>) {
  ^bb0(%a: i64, %b: i64):
    %last = arith.constant 4 : i64
    %d = arith.cmpi slt, %a, %b : i64
    %e = arith.select %d, %a, %last : i64
    glow.yield %e : i64
  }
  glow_inst.gather ins(%x, %i : memref<5xf32>, memref<4xi64>) outs(%y : memref<4xf32>) axis = 0
  return
}

// A mask that no symbol decides on limits nothing: such kernels do not take the
// symbols.
// CHECK-LABEL: func.func @constant_mask
// CHECK-NOT: glow_inst.extents
// CHECK: return
func.func @constant_mask(
    %x: memref<8xf32> {glow.extents = affine_map<()[s0] -> (s0)>},
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %w: memref<8x8xf32>, %y: memref<8xf32> {glow_inst.output}) {
  %places = glow_inst.constant dense<[0, 1, 2, 3, 4, 5, 6, 7]> : tensor<8xi64> -> memref<8xi64>
  %t = glow_inst.alloc : memref<8x8xf32>
  glow_inst.map ins(%w, %places : memref<8x8xf32>, memref<8xi64>) outs(%t : memref<8x8xf32>) {
  ^bb0(%a: f32, %p: i64):
    %five = arith.constant 5 : i64
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpi slt, %p, %five : i64
    %r = arith.select %c, %a, %zero : f32
    glow.yield %r : f32
  }
  glow_inst.reduce sum ins(%t : memref<8x8xf32>) outs(%y : memref<8xf32>) axes = [1]
  return
}
