// RUN: glow-opt %s "--glow-test-emit-kernels=target=vector-bits=256,vector-registers=16,fma=1" --canonicalize --cse | FileCheck %s

// Lines of seven places fill no tile of two vectors, so the rows of all lines
// are in tiles of five. The output has a border: where a row of it is, its
// number says. The input has none, so its rows are at one distance.
// CHECK-LABEL: func.func @border(
//       CHECK: scf.for
//       CHECK: arith.divui %{{.+}}, %c7
//       CHECK: arith.remui %{{.+}}, %c7
//       CHECK: scf.for {{.+}} iter_args
// CHECK-COUNT-10: vector.fma
//   CHECK-NOT: vector.fma
//       CHECK: llvm.inline_asm has_side_effects "", "X,
// CHECK-COUNT-30: vector.fma
//   CHECK-NOT: vector.fma
//       CHECK: scf.yield
func.func @border(%x: memref<1x7x7x64xf32>, %w: memref<2x64x16xf32>, %y: memref<1x7x7x32xf32, strided<[2592, 288, 32, 1], offset: 320>>) {
  glow_inst.conv ins(%x, %w : memref<1x7x7x64xf32>, memref<2x64x16xf32>) outs(%y : memref<1x7x7x32xf32, strided<[2592, 288, 32, 1], offset: 320>>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Six places are a tile. Lines are tickets.
// CHECK-LABEL: func.func @whole_tiles(
//       CHECK: arith.remui %{{.+}}, %c6
//   CHECK-NOT: arith.remui %{{.+}}, %c6
// CHECK-COUNT-12: vector.fma
//   CHECK-NOT: vector.fma
//       CHECK: llvm.inline_asm has_side_effects "", "X,
// CHECK-COUNT-36: vector.fma
//   CHECK-NOT: vector.fma
//       CHECK: return
func.func @whole_tiles(%x: memref<1x6x6x64xf32>, %w: memref<2x64x16xf32>, %y: memref<1x6x6x32xf32, strided<[2048, 256, 32, 1], offset: 288>>) {
  glow_inst.conv ins(%x, %w : memref<1x6x6x64xf32>, memref<2x64x16xf32>) outs(%y : memref<1x6x6x32xf32, strided<[2048, 256, 32, 1], offset: 288>>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}

// Windows that reach over the first and last line differ from line to line.
// CHECK-LABEL: func.func @clipped(
//       CHECK: arith.remui %{{.+}}, %c7
//   CHECK-NOT: arith.remui %{{.+}}, %c7
//       CHECK: return
func.func @clipped(%x: memref<1x7x9x16xf32>, %w: memref<2x144x16xf32>, %y: memref<1x7x7x32xf32>) {
  glow_inst.conv ins(%x, %w : memref<1x7x9x16xf32>, memref<2x144x16xf32>) outs(%y : memref<1x7x7x32xf32>) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, packed = 16 : i64, pads = array<i64: 1, 0, 1, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  }
  return
}
