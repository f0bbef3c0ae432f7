// RUN: glow-opt %s -glow-merge-convs -glow-fold-constants | FileCheck %s

// 2 everywhere, and 3 more in the middle. Biases are added.
// CHECK-LABEL: func.func @smaller_window(
//   CHECK-DAG: %[[W:.+]] = glow.constant dense<{{\[\[\[\[}}2.000000e+00, 2.000000e+00, 2.000000e+00], [2.000000e+00, 5.000000e+00, 2.000000e+00], [2.000000e+00, 2.000000e+00, 2.000000e+00]]]]>
//   CHECK-DAG: %[[B:.+]] = glow.constant dense<7.000000e+00> : tensor<1xf32>
//       CHECK: glow.conv %arg0, %[[W]] bias(%[[B]]) {{{.*}}pads = array<i64: 1, 1, 1, 1>
//   CHECK-NOT: glow.conv
//   CHECK-NOT: glow.add
func.func @smaller_window(%x: tensor<1x1x8x8xf32>) -> tensor<1x1x4x4xf32> {
  %u = glow.constant dense<3.0> : tensor<1x1x1x1xf32>
  %w = glow.constant dense<2.0> : tensor<1x1x3x3xf32>
  %b = glow.constant dense<3.0> : tensor<1xf32>
  %c = glow.constant dense<4.0> : tensor<1xf32>
  %0 = glow.conv %x, %u bias(%b) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x1x8x8xf32>, tensor<1x1x1x1xf32>, tensor<1xf32>) -> tensor<1x1x4x4xf32>
  %1 = glow.conv %x, %w bias(%c) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 2, 2>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x3xf32>, tensor<1xf32>) -> tensor<1x1x4x4xf32>
  %2 = glow.add %0, %1 : (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x1x4x4xf32>
  return %2 : tensor<1x1x4x4xf32>
}

// A normalisation with factor 2 and offset 1 passes each channel on, twice.
// CHECK-LABEL: func.func @normalisation(
//   CHECK-DAG: %[[W:.+]] = glow.constant dense<{{\[\[\[}}5.000000e+00], [3.000000e+00]], {{\[\[}}3.000000e+00], [5.000000e+00]]]>
//   CHECK-DAG: %[[B:.+]] = glow.constant dense<1.000000e+00> : tensor<2xf32>
//       CHECK: glow.conv %arg0, %[[W]] bias(%[[B]])
//   CHECK-NOT: glow.batch_norm
func.func @normalisation(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %w = glow.constant dense<3.0> : tensor<2x2x1xf32>
  %s = glow.constant dense<2.0> : tensor<2xf32>
  %o = glow.constant dense<1.0> : tensor<2xf32>
  %m = glow.constant dense<0.0> : tensor<2xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 1>, pads = array<i64: 0, 0>, strides = array<i64: 1>} : (tensor<1x2x8xf32>, tensor<2x2x1xf32>) -> tensor<1x2x8xf32>
  %1 = glow.batch_norm %x, %s, %o, %m, %o {epsilon = 0.0 : f64} : (tensor<1x2x8xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x8xf32>
  %2 = glow.add %1, %0 : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  return %2 : tensor<1x2x8xf32>
}

// With a channel a group, the input itself is a branch. Taps two places apart:
// that of the input is the second.
// CHECK-LABEL: func.func @input(
//       CHECK: %[[W:.+]] = glow.constant dense<{{\[\[\[}}3.000000e+00, 4.000000e+00, 3.000000e+00]], {{\[\[}}3.000000e+00, 4.000000e+00, 3.000000e+00]]]>
//       CHECK: glow.conv %arg0, %[[W]]
//   CHECK-NOT: glow.add
func.func @input(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %w = glow.constant dense<3.0> : tensor<2x1x3xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 2>, group = 2 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 2, 2>, strides = array<i64: 1>} : (tensor<1x2x8xf32>, tensor<2x1x3xf32>) -> tensor<1x2x8xf32>
  %1 = glow.add %0, %x : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  return %1 : tensor<1x2x8xf32>
}

// Also if it is the result of another convolution.
// CHECK-LABEL: func.func @result(
// CHECK-COUNT-2: glow.conv
//   CHECK-NOT: glow.add
func.func @result(%x: tensor<1x3x8xf32>) -> tensor<1x2x8xf32> {
  %v = glow.constant dense<2.0> : tensor<2x3x1xf32>
  %w = glow.constant dense<3.0> : tensor<2x1x3xf32>
  %0 = glow.conv %x, %v {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 1>, pads = array<i64: 0, 0>, strides = array<i64: 1>} : (tensor<1x3x8xf32>, tensor<2x3x1xf32>) -> tensor<1x2x8xf32>
  %1 = glow.conv %0, %w {dilations = array<i64: 1>, group = 2 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<1x2x8xf32>, tensor<2x1x3xf32>) -> tensor<1x2x8xf32>
  %2 = glow.add %1, %0 : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  return %2 : tensor<1x2x8xf32>
}

// Otherwise an addition is cheaper.
// CHECK-LABEL: func.func @input_of_full(
//       CHECK: glow.add
func.func @input_of_full(%x: tensor<1x2x8xf32>) -> tensor<1x2x8xf32> {
  %w = glow.constant dense<3.0> : tensor<2x2x1xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 1>, pads = array<i64: 0, 0>, strides = array<i64: 1>} : (tensor<1x2x8xf32>, tensor<2x2x1xf32>) -> tensor<1x2x8xf32>
  %1 = glow.add %0, %x : (tensor<1x2x8xf32>, tensor<1x2x8xf32>) -> tensor<1x2x8xf32>
  return %1 : tensor<1x2x8xf32>
}

// Neither window has all taps of the other; the same size at another place; taps
// between those of the larger one; one result is read by itself.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-8: glow.conv
func.func @apart(%x: tensor<1x1x8x8xf32>, %v: tensor<1x1x8xf32>) -> (tensor<1x1x8x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>) {
  %h = glow.constant dense<1.0> : tensor<1x1x1x3xf32>
  %w = glow.constant dense<2.0> : tensor<1x1x3x1xf32>
  %a = glow.constant dense<3.0> : tensor<1x1x2xf32>
  %c = glow.constant dense<3.0> : tensor<1x1x3xf32>
  %0 = glow.conv %x, %h {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 3>, pads = array<i64: 0, 1, 0, 1>, strides = array<i64: 1, 1>} : (tensor<1x1x8x8xf32>, tensor<1x1x1x3xf32>) -> tensor<1x1x8x8xf32>
  %1 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 1>, pads = array<i64: 1, 0, 1, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x8x8xf32>, tensor<1x1x3x1xf32>) -> tensor<1x1x8x8xf32>
  %2 = glow.add %0, %1 : (tensor<1x1x8x8xf32>, tensor<1x1x8x8xf32>) -> tensor<1x1x8x8xf32>
  %3 = glow.conv %v, %a {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 2>, pads = array<i64: 1, 0>, strides = array<i64: 1>} : (tensor<1x1x8xf32>, tensor<1x1x2xf32>) -> tensor<1x1x8xf32>
  %4 = glow.conv %v, %a {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 2>, pads = array<i64: 0, 1>, strides = array<i64: 1>} : (tensor<1x1x8xf32>, tensor<1x1x2xf32>) -> tensor<1x1x8xf32>
  %5 = glow.add %3, %4 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  %6 = glow.conv %v, %c {dilations = array<i64: 2>, group = 1 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 2, 2>, strides = array<i64: 1>} : (tensor<1x1x8xf32>, tensor<1x1x3xf32>) -> tensor<1x1x8xf32>
  %7 = glow.conv %v, %c {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<1x1x8xf32>, tensor<1x1x3xf32>) -> tensor<1x1x8xf32>
  %8 = glow.add %6, %7 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  %9 = glow.conv %v, %c {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<1x1x8xf32>, tensor<1x1x3xf32>) -> tensor<1x1x8xf32>
  %10 = glow.conv %v, %a {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 2>, pads = array<i64: 0, 1>, strides = array<i64: 1>} : (tensor<1x1x8xf32>, tensor<1x1x2xf32>) -> tensor<1x1x8xf32>
  %11 = glow.add %9, %10 : (tensor<1x1x8xf32>, tensor<1x1x8xf32>) -> tensor<1x1x8xf32>
  return %2, %5, %8, %9, %11 : tensor<1x1x8x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>, tensor<1x1x8xf32>
}
