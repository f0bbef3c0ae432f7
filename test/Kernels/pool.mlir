// RUN: glow-opt %s --glow-test-emit-kernels | FileCheck %s

// Vectors along the channels; the window's loops leave padding out.
// CHECK-LABEL: func @padded(
//       CHECK: arith.maxsi
//       CHECK: scf.for
//       CHECK: vector.load {{.*}} vector<16xf32>
//       CHECK: arith.maximumf
func.func @padded(%x: memref<1x8x8x16xf32>, %y: memref<1x4x4x16xf32>) {
  glow_inst.pool max ins(%x : memref<1x8x8x16xf32>) outs(%y : memref<1x4x4x16xf32>) {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
  return
}

// The largest of some bf16 is one of them: nothing is rounded.
// CHECK-LABEL: func @bfloat16(
//       CHECK: arith.maximumf {{.*}} : vector<16xf32>
//   CHECK-NOT: arith.truncf
//       CHECK: arith.shrui {{.*}} : vector<16xi32>
func.func @bfloat16(%x: memref<1x8x8x16xbf16>, %y: memref<1x4x4x16xbf16>) {
  glow_inst.pool max ins(%x : memref<1x8x8x16xbf16>) outs(%y : memref<1x4x4x16xbf16>) {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>}
  return
}

// Of one channel vectors lie along the width, where windows lie inside; positions
// at the border have one by one the taps that they have.
// CHECK-LABEL: func @one_channel(
//       CHECK: scf.for
//   CHECK-NOT: vector<
//       CHECK: memref.load
//       CHECK: vector.load {{.*}} vector<16xf32>
//       CHECK: arith.maximumf {{.*}} : vector<16xf32>
//       CHECK: memref.load
//   CHECK-NOT: vector<
//       CHECK: return
func.func @one_channel(%x: memref<1x1x40x40xf32>, %y: memref<1x1x40x40xf32>) {
  glow_inst.pool max ins(%x : memref<1x1x40x40xf32>) outs(%y : memref<1x1x40x40xf32>) {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 9, 9>, layout = #glow.layout<channels_first>, pads = array<i64: 4, 4, 4, 4>, strides = array<i64: 1, 1>}
  return
}
