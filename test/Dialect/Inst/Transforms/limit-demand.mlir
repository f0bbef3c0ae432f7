// RUN: glow-opt %s --glow-inst-limit-work | FileCheck %s
// What is read limits what windows are computed of.

// CHECK-DAG: [[RESULTS:#.+]] = affine_map<()[s0] -> (1, s0, 4)>
// CHECK-DAG: [[REACH:#.+]] = affine_map<()[s0] -> (1, s0 + 1, 4)>
// CHECK-DAG: [[STRIDED:#.+]] = affine_map<()[s0] -> (1, s0 ceildiv 2, 4)>
// CHECK-DAG: [[TWICE:#.+]] = affine_map<()[s0] -> (1, (s0 ceildiv 2) * 2, 4)>
// CHECK-DAG: [[EACH:#.+]] = affine_map<()[s0] -> (s0, 4)>
// CHECK-DAG: [[BOTH:#.+]] = affine_map<()[s0] -> (1, (s0 ceildiv 3) * 3 + 1, 4)>
// CHECK-DAG: [[SIDE:#.+]] = affine_map<()[s0] -> (1, s0 + 1, 1, 4)>
// CHECK-DAG: [[BOTTOM:#.+]] = affine_map<()[s0] -> (1, 1, (s0 + 1) * 4 - 32, 4)>
// CHECK-DAG: [[EVEN:#.+]] = affine_map<()[s0] -> (s0 ceildiv 2, 4)>
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

// Axes are broadcast from the last one on: all of a row is read of each.
// CHECK-LABEL: func.func @broadcast(
//       CHECK: glow_inst.copy %arg0 -> %{{.+}} : memref<64xf32> -> memref<64xf32>
func.func @broadcast(
    %x: memref<64xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 64 : i64}]},
    %y: memref<64x64xf32> {glow.extents = affine_map<()[s0] -> (64, s0)>, glow_inst.output}) {
  %t = glow_inst.alloc : memref<64xf32>
  glow_inst.copy %x -> %t : memref<64xf32> -> memref<64xf32>
  %v = glow_inst.view %y : memref<64x64xf32> to memref<64x64xf32, strided<[1, 64]>>
  glow_inst.map ins(%t : memref<64xf32>) outs(%v : memref<64x64xf32, strided<[1, 64]>>) {
  ^bb0(%a: f32):
    glow.yield %a : f32
  }
  return
}

// Borders are filled as far as windows reach.
// CHECK-LABEL: func.func @borders(
//       CHECK: glow_inst.fill {{.*}} {glow_inst.extents = [[SIDE]]} : memref<1x9x1x4xf32
//       CHECK: glow_inst.fill {{.*}} {glow_inst.extents = [[BOTTOM]]} : memref<1x1x4x4xf32
func.func @borders(
    %x: memref<1x8x3x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %w: memref<2x2x4x4xf32>,
    %y: memref<1x8x3x4xf32> {glow.extents = affine_map<()[s0] -> (1, s0, 3, 4)>, glow_inst.output}) {
  %p = glow_inst.alloc : memref<1x9x4x4xf32>
  %side = glow_inst.view %p : memref<1x9x4x4xf32> to memref<1x9x1x4xf32, strided<[144, 16, 4, 1]>>
  glow_inst.fill %side with 0.0 : f32 : memref<1x9x1x4xf32, strided<[144, 16, 4, 1]>>
  %bottom = glow_inst.view %p : memref<1x9x4x4xf32> to memref<1x1x4x4xf32, strided<[144, 16, 4, 1], offset: 128>>
  glow_inst.fill %bottom with 0.0 : f32 : memref<1x1x4x4xf32, strided<[144, 16, 4, 1], offset: 128>>
  %inner = glow_inst.view %p : memref<1x9x4x4xf32> to memref<1x8x3x4xf32, strided<[144, 16, 4, 1], offset: 4>>
  glow_inst.copy %x -> %inner : memref<1x8x3x4xf32> -> memref<1x8x3x4xf32, strided<[144, 16, 4, 1], offset: 4>>
  glow_inst.conv ins(%p, %w : memref<1x9x4x4xf32>, memref<2x2x4x4xf32>) outs(%y : memref<1x8x3x4xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 2, 2>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>}
  return
}

// Constant places that follow each other as evenly as the results do, and places
// that are clamped to the last valid one.
// CHECK-LABEL: func.func @places(
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[EVEN]]}
//       CHECK: glow_inst.gather {{.*}} outs({{.*}} : memref<8x4xf32>) axis = 0 {glow_inst.extents = [[EACH]]}
//       CHECK: glow_inst.copy {{.*}} {glow_inst.extents = [[EACH]]}
//       CHECK: glow_inst.gather {{.*}} outs({{.*}} : memref<16x4xf32>) axis = 0
func.func @places(
    %x: memref<4x4xf32>, %z: memref<8x4xf32>, %f: memref<16xi64>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 8 : i64}]},
    %y: memref<8x4xf32> {glow.extents = affine_map<()[s0] -> (s0, 4)>, glow_inst.output},
    %w: memref<16x4xf32> {glow_inst.output}) {
  %i = glow_inst.constant dense<[0, 0, 1, 1, 2, 2, 3, 3]> : tensor<8xi64> -> memref<8xi64>
  %t = glow_inst.alloc : memref<4x4xf32>
  glow_inst.copy %x -> %t : memref<4x4xf32> -> memref<4x4xf32>
  glow_inst.gather ins(%t, %i : memref<4x4xf32>, memref<8xi64>) outs(%y : memref<8x4xf32>) axis = 0
  %first = glow_inst.constant dense<0> : tensor<i64> -> memref<i64>
  %n = glow_inst.alloc : memref<i64>
  glow_inst.gather ins(%s, %first : memref<1xi64>, memref<i64>) outs(%n : memref<i64>) axis = 0
  %j = glow_inst.alloc : memref<16xi64>
  glow_inst.map ins(%f, %n : memref<16xi64>, memref<i64>) outs(%j : memref<16xi64>) {
  ^bb0(%a: i64, %b: i64):
    %zero = arith.constant 0 : i64
    %one = arith.constant 1 : i64
    %last = arith.subi %b, %one : i64
    %c = arith.maxsi %a, %zero : i64
    %d = arith.minsi %c, %last : i64
    glow.yield %d : i64
  }
  %u = glow_inst.alloc : memref<8x4xf32>
  glow_inst.copy %z -> %u : memref<8x4xf32> -> memref<8x4xf32>
  glow_inst.gather ins(%u, %j : memref<8x4xf32>, memref<16xi64>) outs(%w : memref<16x4xf32>) axis = 0
  return
}

// Of what a product could compute it computes what is needed: other rows of its
// left-hand side have not been written.
// CHECK-LABEL: func.func @product(
//       CHECK: glow_inst.map {{.*}} {glow_inst.extents = [[PART:#.+]]}
//       CHECK: glow_inst.matmul {{.*}} {glow_inst.extents = [[PART]]}
func.func @product(
    %x: memref<9x4xf32> {glow.extents = affine_map<()[s0] -> (s0, 4)>}, %w: memref<4x4xf32>,
    %s: memref<1xi64> {glow.symbols = [{name = "n", lower = 2 : i64, upper = 9 : i64}]},
    %y: memref<8x4xf32> {glow.extents = affine_map<()[s0] -> (s0 - 1, 4)>, glow_inst.output}) {
  %p = glow_inst.view %x : memref<9x4xf32> to memref<8x4xf32>
  %t = glow_inst.alloc : memref<8x4xf32>
  glow_inst.map ins(%p : memref<8x4xf32>) outs(%t : memref<8x4xf32>) {
  ^bb0(%a: f32):
    %b = math.tanh %a : f32
    glow.yield %b : f32
  }
  glow_inst.matmul ins(%t, %w : memref<8x4xf32>, memref<4x4xf32>) outs(%y : memref<8x4xf32>)
  return
}
