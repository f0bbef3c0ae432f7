// RUN: glow-opt %s %habana --pass-pipeline="builtin.module(convert-inst-to-habana)" | FileCheck %s

module attributes {glow.target = #habana.target} {
// Maximum over overlapping views of a padded copy.
// CHECK-LABEL: habana.program @max
// CHECK: habana.fill %{{.+}} with 0xFF800000 : memref<1x2x9x9xf32
// CHECK: habana.dma %{{.+}} -> %{{.+}} : memref<1x2x8x8xf32, {{.+}} -> memref<1x2x8x8xf32, strided<[162, 81, 9, 1], offset: 10>, #habana.mem<sram>>
// CHECK: habana.tpc.launch combine({{ *}}max) ins(%{{.+}} : memref<2x4x4x3x3xf32, strided<[81, 18, 2, 9, 1]>, #habana.mem<sram>>)
// CHECK-SAME: outs(%{{.+}} : memref<2x4x4x3x3xf32, strided<[16, 4, 1, 0, 0]>, #habana.mem<sram>>)
func.func @max(%x: memref<1x2x8x8xf32>, %y: memref<1x2x4x4xf32> {glow_inst.output}) {
  glow_inst.pool max ins(%x : memref<1x2x8x8xf32>) outs(%y : memref<1x2x4x4xf32>)
      {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>,
       pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
  return
}

// A mean divides by how many elements each window has.
// CHECK-LABEL: habana.program @mean
// CHECK: habana.alloc constants {value = dense<{{\[\[}}4.000000e+00, 6.000000e+00
// CHECK: combine({{ *}}sum)
// CHECK: arith.divf
func.func @mean(%x: memref<1x1x8x8xf32>, %y: memref<1x1x4x4xf32> {glow_inst.output}) {
  glow_inst.pool average ins(%x : memref<1x1x8x8xf32>) outs(%y : memref<1x1x4x4xf32>)
      {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>,
       pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
  return
}
}
