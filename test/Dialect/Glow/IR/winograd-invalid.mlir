// RUN: glow-opt %s -split-input-file -verify-diagnostics

func.func @matrices_of_other_channels(%x: tensor<1x8x8x32xf32>, %w: tensor<16x31x8xf32>) -> tensor<1x6x6x8xf32> {
  // expected-error @+1 {{does not hold 16 matrices with a row per input channel}}
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, output_channels = 8 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 1>} : (tensor<1x8x8x32xf32>, tensor<16x31x8xf32>) -> tensor<1x6x6x8xf32>
  return %0 : tensor<1x6x6x8xf32>
}

// -----

func.func @panels_of_another_width(%x: tensor<1x8x8x32xf32>, %w: tensor<16x2x32x65xf32>) -> tensor<1x6x6x64xf32> {
  // expected-error @+1 {{has no panels of 32 columns}}
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, output_channels = 64 : i64, packed = 32 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 1>} : (tensor<1x8x8x32xf32>, tensor<16x2x32x65xf32>) -> tensor<1x6x6x64xf32>
  return %0 : tensor<1x6x6x64xf32>
}

// -----

func.func @sums_of_bf16(%x: tensor<1x8x8x32xbf16>, %w: tensor<16x32x8xbf16>) -> tensor<1x6x6x8xbf16> {
  // expected-error @+1 {{'winograd' needs sums of f32, which an epilogue takes}}
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, output_channels = 8 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 1>} : (tensor<1x8x8x32xbf16>, tensor<16x32x8xbf16>) -> tensor<1x6x6x8xbf16>
  return %0 : tensor<1x6x6x8xbf16>
}

// -----

func.func @parts_of_a_window(%x: tensor<1x8x1x32xf32>, %w: tensor<6x32x8xf32>) -> tensor<1x2x1x8xf32> {
  // expected-error @+1 {{does not hold 6 matrices with a row per input channel and part of the window}}
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 7, 1>, layout = #glow.layout<channels_last>, output_channels = 8 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 3, rows = 1, taps = 4>} : (tensor<1x8x1x32xf32>, tensor<6x32x8xf32>) -> tensor<1x2x1x8xf32>
  return %0 : tensor<1x2x1x8xf32>
}

// -----

func.func @no_such_transform(%x: tensor<1x8x1x32xf32>, %w: tensor<6x64x8xf32>) -> tensor<1x2x1x8xf32> {
  // expected-error @+1 {{'winograd' needs at least 1 row, and outputs and taps of a transform, such as 2 of 3}}
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 7, 1>, layout = #glow.layout<channels_last>, output_channels = 8 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 1, taps = 4>} : (tensor<1x8x1x32xf32>, tensor<6x64x8xf32>) -> tensor<1x2x1x8xf32>
  return %0 : tensor<1x2x1x8xf32>
}

// -----

func.func @one_place(%x: tensor<1x8x1x32xf32>, %w: tensor<1x32x8xf32>) -> tensor<1x8x1x8xf32> {
  // expected-error @+1 {{a dense window of images}}
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, output_channels = 8 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 1>} : (tensor<1x8x1x32xf32>, tensor<1x32x8xf32>) -> tensor<1x8x1x8xf32>
  return %0 : tensor<1x8x1x8xf32>
}
