// RUN: glow-opt %s -split-input-file -verify-diagnostics

// Weights or inputs may be stored in fewer bits than the sums have, but sums are
// no wider than the input or f32.
func.func @wider_filter(%x: tensor<1x8x4x4xf32>, %w: tensor<2x8x1x1xf64>) -> tensor<1x2x4x4xf32> {
  // expected-error @+1 {{input 'tensor<1x8x4x4xf32>' and filter 'tensor<2x8x1x1xf64>' differ in element type}}
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x4x4xf32>, tensor<2x8x1x1xf64>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// -----

func.func @integers_by_floats(%x: tensor<1x8x4x4xi32>, %w: tensor<2x8x1x1xf32>) -> tensor<1x2x4x4xi32> {
  // expected-error @+1 {{differ in element type}}
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x4x4xi32>, tensor<2x8x1x1xf32>) -> tensor<1x2x4x4xi32>
  return %0 : tensor<1x2x4x4xi32>
}

// -----

func.func @other_channels(%x: tensor<1x8x4x4xf32>, %w: tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32> {
  // expected-error @+1 {{input has 8 channels, but the filter takes 3 in each of 2 groups}}
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 2 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}
