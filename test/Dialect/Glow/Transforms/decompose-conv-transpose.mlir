// RUN: glow-opt %s -glow-decompose -glow-fold-constants -canonicalize | FileCheck %s

// Each of the two rows of phases is one convolution: both of its columns meet
// one tap, so they become channels.
// CHECK-LABEL: func.func @upsample
// CHECK-COUNT-2: glow.conv %arg0, {{.*}}kernel_shape = array<i64: 1, 1>{{.*}} -> tensor<1x4x5x6xf32>
// CHECK-NOT: glow.conv
// CHECK: glow.concat
func.func @upsample(%x: tensor<1x3x5x6xf32>, %w: tensor<3x2x2x2xf32>) -> tensor<1x2x10x12xf32> {
  %r = glow.conv_transpose %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, output_padding = array<i64: 0, 0>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x3x5x6xf32>, tensor<3x2x2x2xf32>) -> tensor<1x2x10x12xf32>
  return %r : tensor<1x2x10x12xf32>
}

// Even elements meet taps 3 and 1, odd ones 2 and 0, of other neighbours.
// CHECK-LABEL: func.func @four_taps
// CHECK-DAG: %[[W:.+]] = glow.constant dense<{{\[\[\[}}3.000000e+00, 1.000000e+00]]]>
// CHECK-DAG: %[[V:.+]] = glow.constant dense<{{\[\[\[}}2.000000e+00, 0.000000e+00]]]>
// CHECK: glow.conv %arg0, %[[W]] {{.*}}pads = array<i64: 1, 0>{{.*}} -> tensor<1x1x7xf32>
// CHECK: glow.conv %arg0, %[[V]] {{.*}}pads = array<i64: 0, 1>{{.*}} -> tensor<1x1x7xf32>
func.func @four_taps(%x: tensor<1x1x7xf32>) -> tensor<1x1x14xf32> {
  %w = glow.constant dense<[[[0.0, 1.0, 2.0, 3.0]]]> : tensor<1x1x4xf32>
  %r = glow.conv_transpose %x, %w {dilations = array<i64: 1>, group = 1 : i64, output_padding = array<i64: 0>, pads = array<i64: 1, 1>, strides = array<i64: 2>} : (tensor<1x1x7xf32>, tensor<1x1x4xf32>) -> tensor<1x1x14xf32>
  return %r : tensor<1x1x14xf32>
}

// Every second element meets no tap: zeros, not products with zeros, which
// would be NaN for an infinity.
// CHECK-LABEL: func.func @gaps
// CHECK-DAG: glow.constant dense<0.000000e+00> : tensor<1x1x4x1xf32>
// CHECK-COUNT-1: glow.conv
// CHECK-NOT: glow.conv
// CHECK: return
func.func @gaps(%x: tensor<1x1x4xf32>, %w: tensor<1x1x1xf32>) -> tensor<1x1x7xf32> {
  %r = glow.conv_transpose %x, %w {dilations = array<i64: 1>, group = 1 : i64, output_padding = array<i64: 0>, pads = array<i64: 0, 0>, strides = array<i64: 2>} : (tensor<1x1x4xf32>, tensor<1x1x1xf32>) -> tensor<1x1x7xf32>
  return %r : tensor<1x1x7xf32>
}
