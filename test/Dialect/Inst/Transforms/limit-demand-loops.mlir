// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s
// What is read limits which points of a loop run, and what these compute.

// CHECK-DAG: [[SIDES:#.+]] = affine_map<()[s0, s1] -> (s0, s1)>
// CHECK-DAG: [[ROWS:#.+]] = affine_map<()[s0, s1] -> (s1, 8)>
// CHECK-DAG: [[REACH:#.+]] = affine_map<()[s0] -> (1, s0 + 1, 4)>
// CHECK-DAG: [[POINTS:#.+]] = affine_map<()[s0] -> (s0 ceildiv 8)>
// CHECK-DAG: [[SLID:#.+]] = affine_map<()[s0] -> (1, s0 + 3, 4)>
// CHECK-DAG: [[WITHIN:#.+]] = affine_map<(d0)[s0] -> (1, d0 * -8 + s0 + 3, 4)>
// CHECK-DAG: [[BAND:#.+]] = affine_map<(d0)[s0] -> (1, d0 * -8 + s0, 4)>
// CHECK-DAG: [[EACH:#.+]] = affine_map<()[s0] -> (s0, 4)>

// Points of a loop whose windows reach over their neighbours: as many as there
// are results, and what these read.
// CHECK-LABEL: func.func @bands(
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[REACH]]}
//       CHECK: glow_inst.forall [4] {{.*}} attributes {glow_inst.extents = [[POINTS]]}
func.func @bands(
    %x: memref<1x32x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 32 : i64}]},
    %w: memref<3x4x4xf32>,
    %y: memref<1x32x4xf32> {glow.extents = affine_map<()[s0] -> (1, s0, 4)>, glow_inst.output}) {
  %p = glow_inst.alloc : memref<1x34x4xf32>
  %inner = glow_inst.view %p : memref<1x34x4xf32> to memref<1x32x4xf32, strided<[136, 4, 1], offset: 4>>
  glow_inst.copy %x -> %inner : memref<1x32x4xf32> -> memref<1x32x4xf32, strided<[136, 4, 1], offset: 4>>
  glow_inst.forall [4] ins(%p, %w : memref<1x34x4xf32>, memref<3x4x4xf32>) outs(%y : memref<1x32x4xf32>) steps = [array<i64: 32>, array<i64: 0>, array<i64: 32>] {
  ^bb0(%a: memref<1x10x4xf32, strided<[136, 4, 1]>>, %b: memref<3x4x4xf32>, %c: memref<1x8x4xf32, strided<[128, 4, 1]>>):
    glow_inst.conv ins(%a, %b : memref<1x10x4xf32, strided<[136, 4, 1]>>, memref<3x4x4xf32>) outs(%c : memref<1x8x4xf32, strided<[128, 4, 1]>>) {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0>, strides = array<i64: 1>}
  }
  return
}

// Points whose windows run over into the next row read one row more than there
// are points.
// CHECK-LABEL: func.func @over_the_edge(
//       CHECK: glow_inst.copy %arg0 -> %{{.+}} : memref<9x8xf32>
//       CHECK: glow_inst.forall [4, 2]
func.func @over_the_edge(
    %x: memref<9x8xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 4 : i64}]},
    %y: memref<4x2x8xf32> {glow.extents = affine_map<()[s0] -> (s0, 2, 8)>, glow_inst.output}) {
  %t = glow_inst.alloc : memref<9x8xf32>
  glow_inst.copy %x -> %t : memref<9x8xf32> -> memref<9x8xf32>
  glow_inst.forall [4, 2] ins(%t : memref<9x8xf32>) outs(%y : memref<4x2x8xf32>) steps = [array<i64: 8, 4>, array<i64: 16, 8>] {
  ^bb0(%a: memref<8xf32>, %b: memref<8xf32>):
    glow_inst.copy %a -> %b : memref<8xf32> -> memref<8xf32>
  }
  return
}

// Rows of a window that lie in a wider buffer.
// CHECK-LABEL: func.func @gaps(
//   CHECK-NOT: s0 - 1
//       CHECK: return
func.func @gaps(
    %x: memref<4x2x7x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 7 : i64}]},
    %y: memref<8x8x4xf32> {glow.extents = affine_map<()[s0] -> (8, s0, 4)>, glow_inst.output}) {
  %t = glow_inst.alloc : memref<8x9x4xf32>
  %u = glow_inst.view %t : memref<8x9x4xf32> to memref<8x8x4xf32, strided<[36, 4, 1]>>
  glow_inst.forall [4] ins(%x : memref<4x2x7x4xf32>) outs(%u : memref<8x8x4xf32, strided<[36, 4, 1]>>) steps = [array<i64: 56>, array<i64: 72>] {
  ^bb0(%a: memref<2x7x4xf32>, %b: memref<2x8x4xf32, strided<[36, 4, 1]>>):
    %from = glow_inst.view %a : memref<2x7x4xf32> to memref<1x7x4xf32, strided<[28, 4, 1], offset: 28>>
    %to = glow_inst.view %b : memref<2x8x4xf32, strided<[36, 4, 1]>> to memref<1x7x4xf32, strided<[36, 4, 1], offset: 36>>
    glow_inst.copy %from -> %to : memref<1x7x4xf32, strided<[28, 4, 1], offset: 28>> -> memref<1x7x4xf32, strided<[36, 4, 1], offset: 36>>
  }
  glow_inst.copy %u -> %y : memref<8x8x4xf32, strided<[36, 4, 1]>> -> memref<8x8x4xf32>
  return
}

// Bands slide over an image, the first and the last one not as far as the
// others. Where they begin and how much of them is needed is what is read,
// whichever point that is.
// CHECK-LABEL: func.func @slides(
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[SLID]]}
//       CHECK: glow_inst.forall [4] {{.*}} attributes {glow_inst.extents = [[POINTS]]}
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[WITHIN]]}
//       CHECK: glow_inst.conv {{.*}} glow_inst.extents = [[BAND]]
func.func @slides(
    %x: memref<1x32x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 32 : i64}]},
    %w: memref<3x4x4xf32>,
    %y: memref<1x32x4xf32> {glow.extents = affine_map<()[s0] -> (1, s0, 4)>, glow_inst.output}) {
  %t = glow_inst.alloc : memref<1x32x4xf32>
  glow_inst.copy %x -> %t : memref<1x32x4xf32> -> memref<1x32x4xf32>
  glow_inst.forall [4] ins(%t, %w : memref<1x32x4xf32>, memref<3x4x4xf32>) outs(%y : memref<1x32x4xf32>) steps = [array<i64: 0>, array<i64: 0>, array<i64: 32>] {
  ^bb0(%a: memref<1x32x4xf32>, %b: memref<3x4x4xf32>, %c: memref<1x8x4xf32, strided<[128, 4, 1]>>):
    %p = glow_inst.alloc : memref<1x12x4xf32>
    %from = glow_inst.slide %a at [array<i64: 0, 28, 60, 88>] : memref<1x32x4xf32> to memref<1x10x4xf32, strided<[128, 4, 1]>>
    %to = glow_inst.view %p : memref<1x12x4xf32> to memref<1x10x4xf32, strided<[48, 4, 1], offset: 4>>
    glow_inst.copy %from -> %to : memref<1x10x4xf32, strided<[128, 4, 1]>> -> memref<1x10x4xf32, strided<[48, 4, 1], offset: 4>>
    %q = glow_inst.slide %p at [array<i64: 0, 4, 4, 8>] : memref<1x12x4xf32> to memref<1x10x4xf32, strided<[48, 4, 1]>>
    glow_inst.conv ins(%q, %b : memref<1x10x4xf32, strided<[48, 4, 1]>>, memref<3x4x4xf32>) outs(%c : memref<1x8x4xf32, strided<[128, 4, 1]>>) {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0>, strides = array<i64: 1>}
  }
  return
}

// Rows 0, 1, 4, 5 and so on, then the others: of a box along both axes more would
// be read than there are rows.
// CHECK-LABEL: func.func @not_a_box(
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[EACH]]}
func.func @not_a_box(
    %x: memref<8x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<8x4xf32> {glow.extents = affine_map<()[s0] -> (s0, 4)>, glow_inst.output}) {
  %t = glow_inst.alloc : memref<8x4xf32>
  glow_inst.copy %x -> %t : memref<8x4xf32> -> memref<8x4xf32>
  glow_inst.forall [2] ins(%t : memref<8x4xf32>) outs(%y : memref<8x4xf32>) steps = [array<i64: 2>, array<i64: 2>] {
  ^bb0(%a: memref<8x2xf32, strided<[4, 1]>>, %b: memref<8x2xf32, strided<[4, 1]>>):
    %a0 = glow_inst.view %a : memref<8x2xf32, strided<[4, 1]>> to memref<2x2x2xf32, strided<[16, 4, 1]>>
    %b0 = glow_inst.view %b : memref<8x2xf32, strided<[4, 1]>> to memref<2x2x2xf32, strided<[16, 4, 1]>>
    glow_inst.copy %a0 -> %b0 : memref<2x2x2xf32, strided<[16, 4, 1]>> -> memref<2x2x2xf32, strided<[16, 4, 1]>>
    %a1 = glow_inst.view %a : memref<8x2xf32, strided<[4, 1]>> to memref<2x2x2xf32, strided<[16, 4, 1], offset: 8>>
    %b1 = glow_inst.view %b : memref<8x2xf32, strided<[4, 1]>> to memref<2x2x2xf32, strided<[16, 4, 1], offset: 8>>
    glow_inst.copy %a1 -> %b1 : memref<2x2x2xf32, strided<[16, 4, 1], offset: 8>> -> memref<2x2x2xf32, strided<[16, 4, 1], offset: 8>>
  }
  return
}

// The mask is made block by block of a part of the positions, and used outside
// of the loop too: nothing behind its end is read.
// CHECK-LABEL: func.func @mask_of_blocks(
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[EACH]]}
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[EACH]]}
//       CHECK: glow_inst.forall
func.func @mask_of_blocks(
    %x: memref<16x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 16 : i64}]},
    %y: memref<16x4xf32> {glow_inst.output}, %z: memref<16x4xf32> {glow_inst.output}) {
  %positions = glow_inst.constant dense<[[0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12], [13], [14], [15]]> : tensor<16x1xi64> -> memref<16x1xi64>
  %t = glow_inst.alloc : memref<16x4xf32>
  glow_inst.copy %x -> %t : memref<16x4xf32> -> memref<16x4xf32>
  %u = glow_inst.alloc : memref<16x4xf32>
  glow_inst.copy %x -> %u : memref<16x4xf32> -> memref<16x4xf32>
  %valid = glow_inst.alloc : memref<16x1xi1>
  %first = glow_inst.constant dense<0> : tensor<i64> -> memref<i64>
  %number = glow_inst.alloc : memref<i64>
  glow_inst.gather ins(%s, %first : memref<1xi64>, memref<i64>) outs(%number : memref<i64>) axis = 0
  glow_inst.forall [4] ins(%positions, %number, %t : memref<16x1xi64>, memref<i64>, memref<16x4xf32>) outs(%valid, %y : memref<16x1xi1>, memref<16x4xf32>) steps = [array<i64: 4>, array<i64: 0>, array<i64: 16>, array<i64: 4>, array<i64: 16>] {
  ^bb0(%a: memref<4x1xi64>, %n: memref<i64>, %b: memref<4x4xf32>, %c: memref<4x1xi1>, %d: memref<4x4xf32>):
    glow_inst.map ins(%a, %n : memref<4x1xi64>, memref<i64>) outs(%c : memref<4x1xi1>) {
    ^bb0(%i: i64, %j: i64):
      %k = arith.cmpi slt, %i, %j : i64
      glow.yield %k : i1
    }
    glow_inst.map ins(%c, %b : memref<4x1xi1>, memref<4x4xf32>) outs(%d : memref<4x4xf32>) {
    ^bb0(%i: i1, %j: f32):
      %zero = arith.constant 0.0 : f32
      %k = arith.select %i, %j, %zero : f32
      glow.yield %k : f32
    }
  }
  glow_inst.map ins(%valid, %u : memref<16x1xi1>, memref<16x4xf32>) outs(%z : memref<16x4xf32>) {
  ^bb0(%i: i1, %j: f32):
    %zero = arith.constant 0.0 : f32
    %k = arith.select %i, %j, %zero : f32
    glow.yield %k : f32
  }
  return
}

// Of a result that is needed as a whole no band stops early, wherever it slides.
// CHECK-LABEL: func.func @all_needed(
//   CHECK-NOT: glow_inst.extents
//       CHECK: return
func.func @all_needed(
    %x: memref<1x32x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 32 : i64}]},
    %w: memref<3x4x4xf32>,
    %y: memref<1x32x4xf32> {glow_inst.output}) {
  glow_inst.forall [4] ins(%x, %w : memref<1x32x4xf32>, memref<3x4x4xf32>) outs(%y : memref<1x32x4xf32>) steps = [array<i64: 0>, array<i64: 0>, array<i64: 32>] {
  ^bb0(%a: memref<1x32x4xf32>, %b: memref<3x4x4xf32>, %c: memref<1x8x4xf32, strided<[128, 4, 1]>>):
    %p = glow_inst.alloc : memref<1x12x4xf32>
    %from = glow_inst.slide %a at [array<i64: 0, 28, 60, 88>] : memref<1x32x4xf32> to memref<1x10x4xf32, strided<[128, 4, 1]>>
    %to = glow_inst.view %p : memref<1x12x4xf32> to memref<1x10x4xf32, strided<[48, 4, 1], offset: 4>>
    glow_inst.copy %from -> %to : memref<1x10x4xf32, strided<[128, 4, 1]>> -> memref<1x10x4xf32, strided<[48, 4, 1], offset: 4>>
    %q = glow_inst.slide %p at [array<i64: 0, 4, 4, 8>] : memref<1x12x4xf32> to memref<1x10x4xf32, strided<[48, 4, 1]>>
    glow_inst.conv ins(%q, %b : memref<1x10x4xf32, strided<[48, 4, 1]>>, memref<3x4x4xf32>) outs(%c : memref<1x8x4xf32, strided<[128, 4, 1]>>) {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0>, strides = array<i64: 1>}
  }
  return
}

// Columns, which are the same at all points.
// CHECK-LABEL: func.func @mask_of_columns(
//       CHECK: glow_inst.map ins(%arg0 : {{.*}} attributes {glow_inst.extents = [[SIDES]]}
func.func @mask_of_columns(
    %x: memref<16x16xf32>,
    %s: memref<2xi64> {glow.symbols = [{name = "h", lower = 1 : i64, upper = 16 : i64}, {name = "w", lower = 1 : i64, upper = 16 : i64}]},
    %y: memref<16x16xf32> {glow_inst.output}) {
  %c0 = glow_inst.constant dense<0> : tensor<i64> -> memref<i64>
  %c1 = glow_inst.constant dense<1> : tensor<i64> -> memref<i64>
  %rows = glow_inst.constant dense<[[0],[1],[2],[3],[4],[5],[6],[7],[8],[9],[10],[11],[12],[13],[14],[15]]> : tensor<16x1xi64> -> memref<16x1xi64>
  %cols = glow_inst.constant dense<[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]> : tensor<16xi64> -> memref<16xi64>
  %h = glow_inst.alloc : memref<i64>
  glow_inst.gather ins(%s, %c0 : memref<2xi64>, memref<i64>) outs(%h : memref<i64>) axis = 0
  %w = glow_inst.alloc : memref<i64>
  glow_inst.gather ins(%s, %c1 : memref<2xi64>, memref<i64>) outs(%w : memref<i64>) axis = 0
  %m = glow_inst.alloc : memref<16x16xi1>
  glow_inst.forall [4] ins(%rows, %h, %cols, %w : memref<16x1xi64>, memref<i64>, memref<16xi64>, memref<i64>) outs(%m : memref<16x16xi1>) steps = [array<i64: 4>, array<i64: 0>, array<i64: 0>, array<i64: 0>, array<i64: 64>] {
  ^bb0(%0: memref<4x1xi64>, %1: memref<i64>, %2: memref<16xi64>, %3: memref<i64>, %4: memref<4x16xi1>):
    glow_inst.map ins(%0, %1, %2, %3 : memref<4x1xi64>, memref<i64>, memref<16xi64>, memref<i64>) outs(%4 : memref<4x16xi1>) {
    ^bb0(%a: i64, %b: i64, %c: i64, %d: i64):
      %p = arith.cmpi slt, %a, %b : i64
      %q = arith.cmpi slt, %c, %d : i64
      %r = arith.andi %p, %q : i1
      glow.yield %r : i1
    }
  }
  %t = glow_inst.alloc : memref<16x16xf32>
  glow_inst.map ins(%x : memref<16x16xf32>) outs(%t : memref<16x16xf32>) {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  }
  glow_inst.map ins(%m, %t : memref<16x16xi1>, memref<16x16xf32>) outs(%y : memref<16x16xf32>) {
  ^bb0(%a: i1, %b: f32):
    %z = arith.constant 0.0 : f32
    %e = arith.select %a, %b, %z : f32
    glow.yield %e : f32
  }
  return
}

// A window of all rows is no block of the rows of all points.
// CHECK-LABEL: func.func @all_rows(
//       CHECK: glow_inst.forall [4, 1]
//       CHECK:   glow_inst.map {{.*}} attributes {glow_inst.extents = [[ROWS]]}
func.func @all_rows(
    %x: memref<4x37x8xf32>,
    %s: memref<2xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 4 : i64}, {name = "m", lower = 1 : i64, upper = 37 : i64}]},
    %y: memref<4x37x8xf32> {glow.extents = affine_map<()[s0, s1] -> (s0, s1, 8)>, glow_inst.output}) {
  glow_inst.forall [4, 1] ins(%x : memref<4x37x8xf32>) outs(%y : memref<4x37x8xf32>) steps = [array<i64: 296, 296>, array<i64: 296, 296>] {
  ^bb0(%a: memref<37x8xf32>, %b: memref<37x8xf32>):
    glow_inst.map ins(%a : memref<37x8xf32>) outs(%b : memref<37x8xf32>) {
    ^bb0(%c: f32):
      %d = math.exp %c : f32
      glow.yield %d : f32
    }
  }
  return
}

// Indices that points of a loop compute are sums of digits: the rows and columns
// that they address are known.
// CHECK-LABEL: func.func @digits(
//       CHECK: glow_inst.map ins(%arg0 : {{.*}} attributes {glow_inst.extents = [[SIDES]]}
//       CHECK: glow_inst.forall
func.func @digits(
    %x: memref<16x16xf32>, %i: memref<4x4xi64>,
    %s: memref<2xi64> {glow.symbols = [{name = "h", lower = 1 : i64, upper = 16 : i64}, {name = "w", lower = 1 : i64, upper = 16 : i64}]},
    %y: memref<4x4xf32> {glow_inst.output}) {
  %c0 = glow_inst.constant dense<0> : tensor<i64> -> memref<i64>
  %c1 = glow_inst.constant dense<1> : tensor<i64> -> memref<i64>
  %h = glow_inst.alloc : memref<i64>
  glow_inst.gather ins(%s, %c0 : memref<2xi64>, memref<i64>) outs(%h : memref<i64>) axis = 0
  %w = glow_inst.alloc : memref<i64>
  glow_inst.gather ins(%s, %c1 : memref<2xi64>, memref<i64>) outs(%w : memref<i64>) axis = 0
  %t = glow_inst.alloc : memref<16x16xf32>
  glow_inst.map ins(%x : memref<16x16xf32>) outs(%t : memref<16x16xf32>) {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  }
  %p = glow_inst.alloc : memref<4x4xi64>
  glow_inst.forall [4] ins(%i, %h, %w : memref<4x4xi64>, memref<i64>, memref<i64>) outs(%p : memref<4x4xi64>) steps = [array<i64: 4>, array<i64: 0>, array<i64: 0>, array<i64: 4>] {
  ^bb0(%0: memref<4xi64>, %1: memref<i64>, %2: memref<i64>, %3: memref<4xi64>):
    glow_inst.map ins(%0, %1, %2 : memref<4xi64>, memref<i64>, memref<i64>) outs(%3 : memref<4xi64>) {
    ^bb0(%a: i64, %b: i64, %c: i64):
      %less = arith.constant -1 : i64
      %zero = arith.constant 0 : i64
      %row = arith.constant 16 : i64
      %mostRow = arith.addi %b, %less : i64
      %mostColumn = arith.addi %c, %less : i64
      %d = arith.maxsi %a, %zero : i64
      %e = arith.minsi %d, %mostRow : i64
      %f = arith.minsi %d, %mostColumn : i64
      %g = arith.muli %e, %row : i64
      %j = arith.addi %g, %f : i64
      glow.yield %j : i64
    }
  }
  %flat = glow_inst.view %t : memref<16x16xf32> to memref<256xf32>
  glow_inst.gather ins(%flat, %p : memref<256xf32>, memref<4x4xi64>) outs(%y : memref<4x4xf32>) axis = 0
  return
}
