// RUN: glow-opt %s -glow-winograd-convs=target=l2=1M | FileCheck %s

// Phases of 13 x 12 results are 7 x 6 places, for two rows and two columns of
// phases, and 8 x 6 with whole tiles of two. They read two more each. What the
// epilogue reads is put into the same order, but for the bias.
// CHECK-LABEL: func.func @dilated
//       CHECK: %[[R:.+]] = glow.pad constant %arg1, {{.*}} -> tensor<3x16x12x64xf32>
//       CHECK: glow.reshape %[[R]], {{.*}} -> tensor<3x8x2x6x2x64xf32>
//       CHECK: glow.transpose {{.*}} -> tensor<3x2x2x8x6x64xf32>
//       CHECK: %[[OTHER:.+]] = glow.reshape {{.*}} -> tensor<12x8x6x64xf32>
//       CHECK: glow.pad constant %arg0, {{.*}} -> tensor<3x20x16x64xf32>
//       CHECK: %[[IN:.+]] = glow.reshape {{.*}} -> tensor<12x10x8x64xf32>
//       CHECK: %[[OUT:.+]] = glow.conv %[[IN]], %{{.+}} epilogue(%arg2, %[[OTHER]])
//  CHECK-SAME: dilations = array<i64: 1, 1>
//  CHECK-SAME: pads = array<i64: 0, 0, 0, 0>
//  CHECK-SAME: winograd
//       CHECK: glow.reshape %[[OUT]], {{.*}} -> tensor<3x2x2x8x6x64xf32>
//       CHECK: glow.transpose {{.*}} -> tensor<3x8x2x6x2x64xf32>
//       CHECK: glow.reshape {{.*}} -> tensor<3x16x12x64xf32>
//       CHECK: glow.slice {{.*}} -> tensor<3x13x12x64xf32>
func.func @dilated(%x: tensor<3x13x12x64xf32>, %r: tensor<3x13x12x64xf32>, %b: tensor<64xf32>) -> tensor<3x13x12x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x64x64xf32>
  %0 = glow.conv %x, %w epilogue(%b, %r) {dilations = array<i64: 2, 2>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 2, 2, 2, 2>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32, %bias: f32, %other: f32):
    %1 = arith.addf %sum, %bias : f32
    %2 = arith.addf %1, %other : f32
    glow.yield %2 : f32
  } : (tensor<3x13x12x64xf32>, tensor<3x3x64x64xf32>, tensor<64xf32>, tensor<3x13x12x64xf32>) -> tensor<3x13x12x64xf32>
  return %0 : tensor<3x13x12x64xf32>
}

// Most of these windows lie in the zeros around the image, which phases would
// multiply.
// CHECK-LABEL: func.func @nearly_as_far_as_the_image
//   CHECK-NOT: winograd
func.func @nearly_as_far_as_the_image(%x: tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 18, 18>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 18, 18, 18, 18>, strides = array<i64: 1, 1>} : (tensor<1x32x32x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x32x32x64xf32>
  return %0 : tensor<1x32x32x64xf32>
}

// Scales of single images would be needed in each of their phases.
// CHECK-LABEL: func.func @scaled_images
//   CHECK-NOT: winograd
func.func @scaled_images(%x: tensor<2x24x24x64xf32>, %s: tensor<2x1x1x64xf32>) -> tensor<2x24x24x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x64x64xf32>
  %0 = glow.conv %x, %w epilogue(%s) {dilations = array<i64: 2, 2>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 2, 2, 2, 2>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32, %scale: f32):
    %1 = arith.mulf %sum, %scale : f32
    glow.yield %1 : f32
  } : (tensor<2x24x24x64xf32>, tensor<3x3x64x64xf32>, tensor<2x1x1x64xf32>) -> tensor<2x24x24x64xf32>
  return %0 : tensor<2x24x24x64xf32>
}
