// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s
// What is read limits what windows are computed of.

// CHECK-DAG: [[RESULTS:#.+]] = affine_map<()[s0] -> (1, s0, 4)>
// CHECK-DAG: [[REACH:#.+]] = affine_map<()[s0] -> (1, s0 + 1, 4)>
// CHECK-DAG: [[STRIDED:#.+]] = affine_map<()[s0] -> (1, s0 ceildiv 2, 4)>
// CHECK-DAG: [[TWICE:#.+]] = affine_map<()[s0] -> (1, (s0 ceildiv 2) * 2, 4)>
// CHECK-DAG: [[POINTS:#.+]] = affine_map<()[s0] -> (s0 ceildiv 8)>
// CHECK-DAG: [[BANDS:#.+]] = affine_map<()[s0] -> (1, (s0 ceildiv 8) * 8 + 1, 4)>

// CHECK-DAG: [[SLID:#.+]] = affine_map<()[s0] -> (1, s0 + 3, 4)>
// CHECK-DAG: [[WITHIN:#.+]] = affine_map<(d0)[s0] -> (1, d0 * -8 + s0 + 3, 4)>
// CHECK-DAG: [[BAND:#.+]] = affine_map<(d0)[s0] -> (1, d0 * -8 + s0, 4)>
// CHECK-DAG: [[EACH:#.+]] = affine_map<()[s0] -> (s0, 4)>
// CHECK-DAG: [[BOTH:#.+]] = affine_map<()[s0] -> (1, (s0 ceildiv 3) * 3 + 1, 4)>
// CHECK-DAG: [[TILES:#.+]] = affine_map<()[s0, s1] -> (1, (s1 - 1) ceildiv 2, 4)>

// The caller looks at nothing beyond the result's extent. Windows of three reach
// one place further; behind the pad's place, the copy has what is left.
// CHECK-LABEL: func.func @window(
//       CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[REACH]]}
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[REACH]]}
//       CHECK: glow_inst.conv {{.*}} glow_inst.extents = [[RESULTS]]
func.func @window(
    %x: memref<1x16x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 16 : i64}]},
    %valid: memref<16x1xi1>, %w: memref<3x4x4xf32>,
    %y: memref<1x16x4xf32> {glow.extents = affine_map<()[s0] -> (1, s0, 4)>, glow_inst.output}) {
  %m = glow_inst.alloc : memref<1x16x4xf32>
  glow_inst.map ins(%valid, %x : memref<16x1xi1>, memref<1x16x4xf32>) outs(%m : memref<1x16x4xf32>) {
  ^bb0(%a: i1, %b: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.select %a, %b, %zero : f32
    glow.yield %c : f32
  }
  %p = glow_inst.alloc : memref<1x18x4xf32>
  %inner = glow_inst.view %p : memref<1x18x4xf32> to memref<1x16x4xf32, strided<[72, 4, 1], offset: 4>>
  glow_inst.copy %m -> %inner : memref<1x16x4xf32> -> memref<1x16x4xf32, strided<[72, 4, 1], offset: 4>>
  glow_inst.conv ins(%p, %w : memref<1x18x4xf32>, memref<3x4x4xf32>) outs(%y : memref<1x16x4xf32>) {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0>, strides = array<i64: 1>}
  return
}

// Two readers, one of every second place: the one that reaches further counts.
// CHECK-LABEL: func.func @two_readers(
//       CHECK: glow_inst.conv {{.*}} glow_inst.extents = [[TWICE]]
//       CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[STRIDED]]}
//       CHECK: glow_inst.map {{.*}} attributes {glow_inst.extents = [[RESULTS]]}
func.func @two_readers(
    %x: memref<1x16x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 16 : i64}]},
    %w: memref<1x4x4xf32>,
    %y: memref<1x8x4xf32> {glow.extents = affine_map<()[s0] -> (1, s0 ceildiv 2, 4)>, glow_inst.output},
    %z: memref<1x16x4xf32> {glow.extents = affine_map<()[s0] -> (1, s0, 4)>, glow_inst.output}) {
  %t = glow_inst.alloc : memref<1x16x4xf32>
  glow_inst.conv ins(%x, %w : memref<1x16x4xf32>, memref<1x4x4xf32>) outs(%t : memref<1x16x4xf32>) {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0>, strides = array<i64: 1>}
  %even = glow_inst.view %t : memref<1x16x4xf32> to memref<1x8x4xf32, strided<[64, 8, 1]>>
  %odd = glow_inst.view %t : memref<1x16x4xf32> to memref<1x8x4xf32, strided<[64, 8, 1], offset: 4>>
  glow_inst.map ins(%even, %odd : memref<1x8x4xf32, strided<[64, 8, 1]>>, memref<1x8x4xf32, strided<[64, 8, 1], offset: 4>>) outs(%y : memref<1x8x4xf32>) {
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    glow.yield %c : f32
  }
  glow_inst.map ins(%t : memref<1x16x4xf32>) outs(%z : memref<1x16x4xf32>) {
  ^bb0(%a: f32):
    %c = arith.addf %a, %a : f32
    glow.yield %c : f32
  }
  return
}

// Points of a loop whose windows reach over their neighbours: as many as there
// are results, and what these read.
// CHECK-LABEL: func.func @bands(
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[BANDS]]}
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

// The last element alone is read, and a mean over all needs all.
// CHECK-LABEL: func.func @last(
//       CHECK: glow_inst.conv {{.*}} glow_inst.extents = [[RESULTS]]
//       CHECK: glow_inst.conv
//   CHECK-NOT: glow_inst.extents
//       CHECK: glow_inst.reduce
func.func @last(
    %x: memref<1x16x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 16 : i64}]},
    %w: memref<1x4x4xf32>, %y: memref<1x4xf32> {glow_inst.output}, %z: memref<1x4xf32> {glow_inst.output}) {
  %one = glow_inst.constant dense<-1> : tensor<1xi64> -> memref<1xi64>
  %i = glow_inst.alloc : memref<1xi64>
  glow_inst.map ins(%one, %s : memref<1xi64>, memref<1xi64>) outs(%i : memref<1xi64>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.addi %a, %b : i64
    glow.yield %c : i64
  }
  %t = glow_inst.alloc : memref<1x16x4xf32>
  glow_inst.conv ins(%x, %w : memref<1x16x4xf32>, memref<1x4x4xf32>) outs(%t : memref<1x16x4xf32>) {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0>, strides = array<i64: 1>}
  %index = glow_inst.view %i : memref<1xi64> to memref<i64>
  glow_inst.gather ins(%t, %index : memref<1x16x4xf32>, memref<i64>) outs(%y : memref<1x4xf32>) axis = 1
  %u = glow_inst.alloc : memref<1x16x4xf32>
  glow_inst.conv ins(%x, %w : memref<1x16x4xf32>, memref<1x4x4xf32>) outs(%u : memref<1x16x4xf32>) {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0>, strides = array<i64: 1>}
  glow_inst.reduce sum ins(%u : memref<1x16x4xf32>) outs(%z : memref<1x4xf32>) axes = [1]
  return
}

// A negative index counts from the end, so all is read.
// CHECK-LABEL: func.func @negative_index(
//       CHECK: glow_inst.conv
//   CHECK-NOT: glow_inst.extents
//       CHECK: glow_inst.gather
func.func @negative_index(
    %x: memref<1x16x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 6 : i64}]},
    %w: memref<1x4x4xf32>, %y: memref<1x4xf32> {glow_inst.output}) {
  %three = glow_inst.constant dense<-3> : tensor<1xi64> -> memref<1xi64>
  %i = glow_inst.alloc : memref<1xi64>
  glow_inst.map ins(%three, %s : memref<1xi64>, memref<1xi64>) outs(%i : memref<1xi64>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.addi %a, %b : i64
    glow.yield %c : i64
  }
  %t = glow_inst.alloc : memref<1x16x4xf32>
  glow_inst.conv ins(%x, %w : memref<1x16x4xf32>, memref<1x4x4xf32>) outs(%t : memref<1x16x4xf32>) {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0>, strides = array<i64: 1>}
  %index = glow_inst.view %i : memref<1xi64> to memref<i64>
  glow_inst.gather ins(%t, %index : memref<1x16x4xf32>, memref<i64>) outs(%y : memref<1x4xf32>) axis = 1
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

// Of halves as wide twice as many are read.
// CHECK-LABEL: func.func @other_elements(
//       CHECK: glow_inst.copy %arg0 -> %{{.+}} : memref<128xf16>
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = {{.*}}} : memref<64xf32>
func.func @other_elements(
    %x: memref<128xf16>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 64 : i64}]},
    %y: memref<64xf32> {glow.extents = affine_map<()[s0] -> (s0)>, glow_inst.output}) {
  %t = glow_inst.alloc : memref<128xf16>
  glow_inst.copy %x -> %t : memref<128xf16> -> memref<128xf16>
  %v = glow_inst.view %t : memref<128xf16> to memref<64xf32>
  glow_inst.copy %v -> %y : memref<64xf32> -> memref<64xf32>
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

// Every other column, in a band of two rows: the limit of columns counts, not
// that of rows, which bounds them as well.
// CHECK-LABEL: func.func @columns(
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[TILES]]}
func.func @columns(
    %x: memref<1x8x4xf32>,
    %s: memref<2xi64> {glow.symbols = [{name = "h", lower = 1 : i64, upper = 2 : i64}, {name = "w", lower = 2 : i64, upper = 16 : i64}]},
    %y: memref<2x16x4xf32> {glow.extents = affine_map<()[s0, s1] -> (s0, s1, 4)>, glow_inst.output}) {
  %odd = glow_inst.view %y : memref<2x16x4xf32> to memref<1x8x4xf32, strided<[64, 8, 1], offset: 4>>
  glow_inst.copy %x -> %odd : memref<1x8x4xf32> -> memref<1x8x4xf32, strided<[64, 8, 1], offset: 4>>
  return
}

// Of two readers that neither is always the one that reads more, there is more
// than both of them read.
// CHECK-LABEL: func.func @neither(
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[BOTH]]}
func.func @neither(
    %x: memref<1x24x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 24 : i64}]},
    %w: memref<2x4x4xf32>, %v: memref<3x4x4xf32>,
    %y: memref<1x12x4xf32> {glow.extents = affine_map<()[s0] -> (1, s0 ceildiv 2, 4)>, glow_inst.output},
    %z: memref<1x8x4xf32> {glow.extents = affine_map<()[s0] -> (1, s0 ceildiv 3, 4)>, glow_inst.output}) {
  %t = glow_inst.alloc : memref<1x24x4xf32>
  glow_inst.copy %x -> %t : memref<1x24x4xf32> -> memref<1x24x4xf32>
  glow_inst.conv ins(%t, %w : memref<1x24x4xf32>, memref<2x4x4xf32>) outs(%y : memref<1x12x4xf32>) {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 2>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0>, strides = array<i64: 2>}
  glow_inst.conv ins(%t, %v : memref<1x24x4xf32>, memref<3x4x4xf32>) outs(%z : memref<1x8x4xf32>) {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0>, strides = array<i64: 3>}
  return
}

// One of two results is needed as a whole, but that is of masked elements. Of
// the other one no more is needed than its extent.
// CHECK-LABEL: func.func @each_output(
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[EACH]]}
//       CHECK: glow_inst.map ins({{.*}} memref<16x1xi1>, memref<16x4xf32>) {{.*}}memref<16x4xf32>) {
func.func @each_output(
    %x: memref<16x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 16 : i64}]},
    %y: memref<16x4xf32> {glow.extents = affine_map<()[s0] -> (s0, 4)>, glow_inst.output},
    %z: memref<16x4xf32> {glow_inst.output}) {
  %positions = glow_inst.constant dense<[[0], [1], [2], [3], [4], [5], [6], [7], [8], [9], [10], [11], [12], [13], [14], [15]]> : tensor<16x1xi64> -> memref<16x1xi64>
  %valid = glow_inst.alloc : memref<16x1xi1>
  glow_inst.map ins(%positions, %s : memref<16x1xi64>, memref<1xi64>) outs(%valid : memref<16x1xi1>) {
  ^bb0(%a: i64, %b: i64):
    %c = arith.cmpi slt, %a, %b : i64
    glow.yield %c : i1
  }
  %t = glow_inst.alloc : memref<16x4xf32>
  glow_inst.copy %x -> %t : memref<16x4xf32> -> memref<16x4xf32>
  glow_inst.map ins(%valid, %t : memref<16x1xi1>, memref<16x4xf32>) outs(%y, %z : memref<16x4xf32>, memref<16x4xf32>) {
  ^bb0(%a: i1, %b: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.select %a, %b, %zero : f32
    glow.yield %b, %c : f32, f32
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
