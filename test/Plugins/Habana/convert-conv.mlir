// RUN: glow-opt %s %habana --pass-pipeline="builtin.module(convert-inst-to-habana)" -split-input-file | FileCheck %s

// A convolution that fits is one tile; its epilogue runs on the result in SRAM.
module attributes {glow.target = #habana.target} {
// CHECK-LABEL: habana.program @channels_last
// CHECK: habana.mme.conv
// CHECK-SAME: memref<1x3x8x8xf32, strided<[192, 1, 24, 3]>, #habana.mem<sram>>, memref<4x3x3x3xf32, strided<[1, 4, 36, 12]>, #habana.mem<sram>>
// CHECK-SAME: outs(%[[OUT:.+]] : memref<1x4x8x8xf32, strided<[256, 1, 32, 4]>, #habana.mem<sram>>)
// CHECK-SAME: pads = array<i64: 1, 1>
// CHECK: habana.tpc.launch ins(%[[ACC:.+]], %{{.+}} : {{.+}} outs(%[[ACC]] :
// CHECK: arith.maximumf
// CHECK: habana.dma
// CHECK-NOT: habana.mme.conv
func.func @channels_last(%x: memref<1x8x8x3xf32>, %w: memref<3x3x3x4xf32>,
                         %b: memref<4xf32>,
                         %y: memref<1x8x8x4xf32> {glow_inst.output}) {
  glow_inst.conv ins(%x, %w : memref<1x8x8x3xf32>, memref<3x3x3x4xf32>)
      epilogue(%b : memref<4xf32>) outs(%y : memref<1x8x8x4xf32>)
      {dilations = array<i64: 1, 1>, group = 1 : i64,
       kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>,
       pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} do {
  ^bb0(%acc: f32, %bias: f32):
    %zero = arith.constant 0.0 : f32
    %s = arith.addf %acc, %bias : f32
    %m = arith.maximumf %s, %zero : f32
    glow.yield %m : f32
  }
  return
}
}

// -----

// With little SRAM there are several tiles of rows: the first has one row of
// padding above, the others have none and start one row earlier.
module attributes {glow.target = #habana.target<sram = 4096>} {
// CHECK-LABEL: habana.program @rows
// CHECK: habana.dma %{{.+}} -> %{{.+}} : memref<1x1x9x32xf32
// CHECK: habana.mme.conv {{.+}} pads = array<i64: 1, 1>
// CHECK: habana.dma %{{.+}} -> %{{.+}} : memref<1x1x10x32xf32, strided<[1024, 1024, 32, 1], offset: 224>
// CHECK: habana.mme.conv {{.+}} pads = array<i64: 0, 1>
func.func @rows(%x: memref<1x1x32x32xf32>, %w: memref<1x1x3x3xf32>,
                %y: memref<1x1x32x32xf32> {glow_inst.output}) {
  glow_inst.conv ins(%x, %w : memref<1x1x32x32xf32>, memref<1x1x3x3xf32>)
      outs(%y : memref<1x1x32x32xf32>)
      {dilations = array<i64: 1, 1>, group = 1 : i64,
       kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>,
       strides = array<i64: 1, 1>}
  return
}
}
