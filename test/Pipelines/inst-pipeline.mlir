// RUN: glow-opt %s -glow-inst-pipeline | FileCheck %s

// A residual block: the input of the padded convolution is written straight into
// the padded buffer, the sum takes over the branch's buffer, and the concatenation
// of both results needs no copy.
// CHECK-LABEL: func.func @block(
// CHECK-SAME: glow_inst.arena_bytes = {{[0-9]+}} : i64
// CHECK: %[[P:.+]] = glow_inst.alloc {offset = {{[0-9]+}} : i64} : memref<1x8x10x4xf32>
// CHECK: glow_inst.map ins(%arg0 : {{.*}}) outs(%{{.+}} : memref<1x8x8x4xf32, strided<[320, 40, 4, 1], offset: 4>>)
// CHECK-NOT: glow_inst.copy
// CHECK: glow_inst.conv ins(%[[P]], {{.*}}) outs(%{{.+}} : memref<1x8x8x4xf32, strided<[512, 64, 8, 1]>>) {{.*}} pads = array<i64: 1, 0, 1, 0>
// CHECK-NOT: glow_inst.copy
// CHECK: return
func.func @block(%x: tensor<1x8x8x4xf32>, %w: tensor<3x3x4x4xf32>) -> tensor<1x8x8x8xf32> {
  %0 = glow.relu %x : (tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = glow.conv %0, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>,
    layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>}
    : (tensor<1x8x8x4xf32>, tensor<3x3x4x4xf32>) -> tensor<1x8x8x4xf32>
  %2 = glow.add %0, %1 : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x4xf32>
  %3 = glow.concat %1, %2 {axis = 3 : i64} : (tensor<1x8x8x4xf32>, tensor<1x8x8x4xf32>) -> tensor<1x8x8x8xf32>
  return %3 : tensor<1x8x8x8xf32>
}
