// RUN: glow-opt %s -glow-decompose -verify-diagnostics -split-input-file

func.func @dynamic_sequence(%x: tensor<?x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) -> tensor<1x2x4xf32> {
  // expected-error @+1 {{needs a known sequence length of at least 1, not 'tensor<?x2x3xf32>'; fix the input's shape, for example with --shape}}
  %y, %h, %c = glow.recurrent rnn forward %x, %w, %r {activations = ["tanh"], hidden_size = 4 : i64, clip = 0.0 : f64} : (tensor<?x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<?x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %h : tensor<1x2x4xf32>
}

// -----

func.func @unknown_activation(%x: tensor<1x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) -> tensor<1x2x4xf32> {
  // expected-error @+1 {{activation 'step' is not supported; use one of sigmoid, tanh}}
  %y, %h, %c = glow.recurrent rnn forward %x, %w, %r {activations = ["step"], hidden_size = 4 : i64, clip = 0.0 : f64} : (tensor<1x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<1x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %h : tensor<1x2x4xf32>
}

// -----

func.func @quantised_in_blocks(%x: tensor<2x8xf32>, %s: tensor<2x2xf32>, %z: tensor<2x2xui8>) -> tensor<2x8xui8> {
  // expected-error @+1 {{split the axis of blocks}}
  %r = glow.quantize %x, %s, %z {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2x2xf32>, tensor<2x2xui8>) -> tensor<2x8xui8>
  return %r : tensor<2x8xui8>
}

// -----

func.func @scales_of_another_axis(%x: tensor<2x8xf32>, %s: tensor<2xf32>, %z: tensor<ui8>) -> tensor<2x8xui8> {
  // expected-error @+1 {{with parameters of type 'tensor<2xf32>' needs one number, one for each place along axis 1}}
  %r = glow.quantize %x, %s, %z {axis = 1 : i64} : (tensor<2x8xf32>, tensor<2xf32>, tensor<ui8>) -> tensor<2x8xui8>
  return %r : tensor<2x8xui8>
}

// -----

func.func @phases(%x: tensor<1x1x2x2xf32>, %w: tensor<1x1x1x1xf32>) -> tensor<1x1x4097x3xf32> {
  // expected-error @+1 {{with strides whose product is more than 4096 is not supported}}
  %r = glow.conv_transpose %x, %w {strides = array<i64: 4096, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>, output_padding = array<i64: 0, 0>, group = 1 : i64} : (tensor<1x1x2x2xf32>, tensor<1x1x1x1xf32>) -> tensor<1x1x4097x3xf32>
  return %r : tensor<1x1x4097x3xf32>
}

// -----

func.func @unknown_channels(%x: tensor<1x?x8xf32>, %s: tensor<?xf32>) -> tensor<1x?x8xf32> {
  // expected-error @+1 {{needs a known number of channels; fix the input's shape, for example with --shape}}
  %r = glow.group_norm %x, %s, %s {groups = 2 : i64, epsilon = 1.0e-5 : f64} : (tensor<1x?x8xf32>, tensor<?xf32>, tensor<?xf32>) -> tensor<1x?x8xf32>
  return %r : tensor<1x?x8xf32>
}
