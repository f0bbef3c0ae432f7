// RUN: glow-opt %s --split-input-file --verify-diagnostics

// An op's own verifier relies on ranks and axes that the inference of its types
// has looked at.

func.func @arg_reduce_of_scalar(%x: tensor<f32>) -> tensor<i64> {
  // expected-error @+2 {{axis 0 is out of range}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = glow.arg_reduce max %x {axis = 0 : i64} : (tensor<f32>) -> tensor<i64>
  return %0 : tensor<i64>
}

// -----

func.func @gather_beyond_the_axes(%x: tensor<3xf32>) -> tensor<2xf32> {
  %0 = glow.constant dense<[0, 1]> : tensor<2xi64>
  // expected-error @+2 {{axis 1099511627776 is out of range}}
  // expected-error @+1 {{failed to infer returned types}}
  %1 = glow.gather %x, %0 {axis = 1099511627776 : i64} : (tensor<3xf32>, tensor<2xi64>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

// -----

func.func @conv_of_scalar(%x: tensor<f32>, %w: tensor<1x1x1xf32>) -> tensor<1x1x1xf32> {
  // expected-error @+2 {{input needs at least 3 axes}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = glow.conv %x, %w {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 1>, pads = array<i64: 0, 0>, strides = array<i64: 1>} : (tensor<f32>, tensor<1x1x1xf32>) -> tensor<1x1x1xf32>
  return %0 : tensor<1x1x1xf32>
}

// -----

func.func @matmul_of_scalar(%x: tensor<bf16>, %w: tensor<3xbf16>) -> tensor<bf16> {
  // expected-error @+2 {{operands must not be scalars}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = glow.matmul %x, %w {pieces = 2 : i64} : (tensor<bf16>, tensor<3xbf16>) -> tensor<bf16>
  return %0 : tensor<bf16>
}

// -----

func.func @walk_trees_of_scalar(%x: tensor<f32>, %t: tensor<3xf32>, %l: tensor<3x3xi32>, %r: tensor<1x2xi32>) -> tensor<1x1xi32> {
  // expected-error @+2 {{needs rows of features}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = glow.walk_trees %x, %t, %l, %r : (tensor<f32>, tensor<3xf32>, tensor<3x3xi32>, tensor<1x2xi32>) -> tensor<1x1xi32>
  return %0 : tensor<1x1xi32>
}

// -----

func.func @packed_without_columns(%x: tensor<3x8xf32>, %w: tensor<1x8x0xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{panels of 4 columns have no rows of 0}}
  %0 = glow.matmul %x, %w {packed = 4 : i64, output_channels = 4 : i64} : (tensor<3x8xf32>, tensor<1x8x0xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @panels_of_no_width(%x: tensor<3x8xf32>, %w: tensor<1x8x4xf32>) -> tensor<3x4xf32> {
  // expected-error @+1 {{'packed' must be positive}}
  %0 = glow.matmul %x, %w {packed = 0 : i64, output_channels = 4 : i64} : (tensor<3x8xf32>, tensor<1x8x4xf32>) -> tensor<3x4xf32>
  return %0 : tensor<3x4xf32>
}

// -----

func.func @accumulator(%x: tensor<3x8xi8>, %w: tensor<8x4xui8>) -> tensor<3x4xcomplex<f32>> {
  // expected-error @+1 {{cannot add up elements of type 'complex<f32>'}}
  %0 = glow.matmul %x, %w {accumulator = complex<f32>} : (tensor<3x8xi8>, tensor<8x4xui8>) -> tensor<3x4xcomplex<f32>>
  return %0 : tensor<3x4xcomplex<f32>>
}

// -----

func.func @strings(%x: tensor<2x2x!glow.string>) -> tensor<2x2x!glow.string> {
  // expected-error @+1 {{operand #0 must be tensor of numbers only}}
  %0 = glow.matmul %x, %x : (tensor<2x2x!glow.string>, tensor<2x2x!glow.string>) -> tensor<2x2x!glow.string>
  return %0 : tensor<2x2x!glow.string>
}

// -----

func.func @stride_of_nothing(%x: tensor<1x1x4xf32>, %w: tensor<1x1x3xf32>) -> tensor<1x1x3xf32> {
  // expected-error @+2 {{strides, dilations and the window's extents are at least 1}}
  // expected-error @+1 {{failed to infer returned types}}
  %0 = glow.conv_transpose %x, %w {strides = array<i64: 0>, pads = array<i64: 0, 0>, dilations = array<i64: 1>, output_padding = array<i64: 0>, group = 1 : i64} : (tensor<1x1x4xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
  return %0 : tensor<1x1x3xf32>
}

// -----

func.func @bias(%x: tensor<1x3x4x4xf32>, %w: tensor<4x3x1x1xf32>, %b: tensor<5xf32>) -> tensor<1x4x4x4xf32> {
  // expected-error @+1 {{must have one axis of 4 channels}}
  %0 = glow.conv %x, %w bias(%b) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<4x3x1x1xf32>, tensor<5xf32>) -> tensor<1x4x4x4xf32>
  return %0 : tensor<1x4x4x4xf32>
}

// -----

// expected-error @+1 {{argument 0: 'glow.name' is no string}}
func.func @name(%x: tensor<2xf32> {glow.name = 5 : i64}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// -----

// expected-error @+1 {{argument 1: another one is called "x"}}
func.func @one_name(%x: tensor<2xf32> {glow.name = "x"}, %y: tensor<2xf32> {glow.name = "x"}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// -----

// expected-error @+1 {{argument 0: 'glow.dim_names' are no strings, one for each axis}}
func.func @dim_names(%x: tensor<2x3xf32> {glow.dim_names = ["a"]}) -> tensor<2x3xf32> {
  return %x : tensor<2x3xf32>
}

// -----

// expected-error @+1 {{argument 0: 'glow.extents' divides by what is no positive number}}
func.func @division(%x: tensor<2xf32> {glow.extents = affine_map<()[s0] -> (s0 floordiv 0)>}, %s: tensor<1xi64> {glow.symbols = [{name = "n", lower = 1 : i64, upper = 2 : i64}]}) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}
