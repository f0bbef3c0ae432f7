// RUN: glow-opt %s -glow-winograd-convs=target=l2=1M | FileCheck %s

// Three windows of one frame: the middle one adds to all six frames, the others
// to five, and what the middle one's epilogue adds to its sums has zeros for the
// sixth. The original epilogue follows.
// CHECK-LABEL: func.func @clip
//       CHECK: glow.slice %arg0, {{.*}} -> tensor<1x5x56x56x64xf32>
//       CHECK: %[[EARLIER:.+]] = glow.conv {{.*}}pads = array<i64: 1, 1, 1, 1>{{.*}}winograd
//       CHECK: (tensor<5x56x56x64xf32>, {{.*}}) -> tensor<5x56x56x64xf32>
//       CHECK: glow.pad constant {{.*}} -> tensor<1x6x56x56x64xf32>
//       CHECK: %[[FIRST:.+]] = glow.reshape {{.*}} -> tensor<6x56x56x64xf32>
//       CHECK: glow.conv {{.*}}winograd
//       CHECK: glow.pad constant {{.*}} -> tensor<1x6x56x56x64xf32>
//       CHECK: %[[SECOND:.+]] = glow.reshape {{.*}} -> tensor<6x56x56x64xf32>
//       CHECK: glow.conv {{.*}} epilogue(%{{.+}}, %[[FIRST]], %[[SECOND]]) {{.*}}winograd
//       CHECK: ^bb0(%[[SUM:.+]]: f32, %[[R:.+]]: f32, %[[A:.+]]: f32, %[[B:.+]]: f32):
//       CHECK: %[[WITH_B:.+]] = arith.addf %[[B]], %[[SUM]]
//       CHECK: %[[ALL:.+]] = arith.addf %[[A]], %[[WITH_B]]
//       CHECK: arith.addf %[[ALL]], %[[R]]
func.func @clip(%x: tensor<1x6x56x56x64xf32>, %r: tensor<1x6x56x56x64xf32>) -> tensor<1x6x56x56x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x3x64x64xf32>
  %0 = glow.conv %x, %w epilogue(%r) {dilations = array<i64: 1, 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1, 1, 1>, strides = array<i64: 1, 1, 1>} do {
  ^bb0(%sum: f32, %other: f32):
    %1 = arith.addf %sum, %other : f32
    glow.yield %1 : f32
  } : (tensor<1x6x56x56x64xf32>, tensor<3x3x3x64x64xf32>, tensor<1x6x56x56x64xf32>) -> tensor<1x6x56x56x64xf32>
  return %0 : tensor<1x6x56x56x64xf32>
}

// Frames apart from each other are no images of a batch that is there.
// CHECK-LABEL: func.func @every_second_frame
//   CHECK-NOT: winograd
func.func @every_second_frame(%x: tensor<1x6x56x56x64xf32>) -> tensor<1x3x56x56x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x3x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1, 1, 1>, strides = array<i64: 2, 1, 1>} : (tensor<1x6x56x56x64xf32>, tensor<3x3x3x64x64xf32>) -> tensor<1x3x56x56x64xf32>
  return %0 : tensor<1x3x56x56x64xf32>
}

// Three channels cost more to transform than their products.
// CHECK-LABEL: func.func @narrow
//   CHECK-NOT: winograd
//       CHECK: kernel_shape = array<i64: 3, 3, 3>
func.func @narrow(%x: tensor<1x6x8x8x3xf32>) -> tensor<1x6x8x8x4xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x3x3x4xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1, 1, 1>, strides = array<i64: 1, 1, 1>} : (tensor<1x6x8x8x3xf32>, tensor<3x3x3x3x4xf32>) -> tensor<1x6x8x8x4xf32>
  return %0 : tensor<1x6x8x8x4xf32>
}

// Phases along rows and columns first: their frames are four apart still, and
// what reads them is the sum of windows of one frame. The outer ones add to four
// of the eight frames.
// CHECK-LABEL: func.func @dilated
//       CHECK: glow.pad constant %arg0, {{.*}} -> tensor<1x8x36x36x64xf32>
//       CHECK: glow.reshape {{.*}} -> tensor<1x8x18x2x18x2x64xf32>
//       CHECK: glow.transpose {{.*}} -> tensor<1x2x2x8x18x18x64xf32>
//       CHECK: %[[PHASES:.+]] = glow.reshape {{.*}} -> tensor<4x8x18x18x64xf32>
//       CHECK: glow.slice %[[PHASES]], {{.*}} -> tensor<4x4x18x18x64xf32>
//       CHECK: glow.conv {{.*}}winograd
//       CHECK: -> tensor<16x16x16x64xf32>
//       CHECK: glow.conv {{.*}}winograd
//       CHECK: -> tensor<16x16x16x64xf32>
//       CHECK: glow.conv {{.*}}winograd
//       CHECK: -> tensor<32x16x16x64xf32>
//       CHECK: glow.reshape {{.*}} -> tensor<1x2x2x8x16x16x64xf32>
//       CHECK: glow.transpose {{.*}} -> tensor<1x8x16x2x16x2x64xf32>
//       CHECK: glow.reshape {{.*}} -> tensor<1x8x32x32x64xf32>
func.func @dilated(%x: tensor<1x8x32x32x64xf32>) -> tensor<1x8x32x32x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x3x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 4, 2, 2>, group = 1 : i64, kernel_shape = array<i64: 3, 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 4, 2, 2, 4, 2, 2>, strides = array<i64: 1, 1, 1>} : (tensor<1x8x32x32x64xf32>, tensor<3x3x3x64x64xf32>) -> tensor<1x8x32x32x64xf32>
  return %0 : tensor<1x8x32x32x64xf32>
}
