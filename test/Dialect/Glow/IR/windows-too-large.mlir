// RUN: glow-opt %s --split-input-file --verify-diagnostics

// ONNX's formula, rounded down: no window fits.
func.func @one_too_large(%x: tensor<1x1x2xf32>) -> (tensor<1x1x0xf32>, tensor<1x1x0xf32>) {
  %0 = glow.pool max %x {dilations = array<i64: 1>, kernel_shape = array<i64: 3>, pads = array<i64: 0, 0>, strides = array<i64: 1>} : (tensor<1x1x2xf32>) -> tensor<1x1x0xf32>
  %1 = glow.pool max %x {dilations = array<i64: 1>, kernel_shape = array<i64: 3>, pads = array<i64: 0, 0>, strides = array<i64: 2>} : (tensor<1x1x2xf32>) -> tensor<1x1x0xf32>
  return %0, %1 : tensor<1x1x0xf32>, tensor<1x1x0xf32>
}

// -----

// Rounded up there is one, which reaches beyond the input.
func.func @ceil(%x: tensor<1x1x2xf32>) -> tensor<1x1x1xf32> {
  %0 = glow.pool max %x {ceil_mode, dilations = array<i64: 1>, kernel_shape = array<i64: 3>, pads = array<i64: 0, 0>, strides = array<i64: 2>} : (tensor<1x1x2xf32>) -> tensor<1x1x1xf32>
  return %0 : tensor<1x1x1xf32>
}

// -----

func.func @less_than_none(%x: tensor<1x1x2xf32>) -> tensor<1x1x0xf32> {
  // expected-error @+2 {{failed to infer returned types}}
  // expected-error @+1 {{window of 4 does not fit the padded extent 2}}
  %0 = glow.pool max %x {dilations = array<i64: 1>, kernel_shape = array<i64: 4>, pads = array<i64: 0, 0>, strides = array<i64: 1>} : (tensor<1x1x2xf32>) -> tensor<1x1x0xf32>
  return %0 : tensor<1x1x0xf32>
}
