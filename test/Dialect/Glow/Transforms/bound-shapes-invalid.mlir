// RUN: glow-opt %s --split-input-file --verify-diagnostics --glow-bound-shapes="bounds=n=1..8"

// All ops that cannot be bounded are reported, but not those that read them.
func.func @all(%x: tensor<?x4xf32> {glow.dim_names = ["n", ""]}, %i: tensor<4xi64>) -> (tensor<?xf32>, tensor<4x3xf32>) {
  // expected-error @+1 {{cannot be compiled for a range of shapes: it has no form for extents that are known at run time only; fix 'n', for example with --shape}}
  %z = glow.bf16_pieces %x {axis = 1 : i64, multiple = 4 : i64, pieces = 2 : i64} : (tensor<?x4xf32>) -> tensor<?x8xbf16>
  %f = glow.cast %z {to = f32} : (tensor<?x8xbf16>) -> tensor<?x8xf32>
  %s = glow.reduce sum %f {axes = array<i64: 1>} : (tensor<?x8xf32>) -> tensor<?xf32>
  %c = glow.constant dense<[4, 3]> : tensor<2xi64>
  // expected-error @+1 {{n * 4 elements do not make 12 for all extents; fix 'n'}}
  %p = glow.reshape %x, %c : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return %s, %p : tensor<?xf32>, tensor<4x3xf32>
}

// -----

func.func @split(%x: tensor<?x4xf32> {glow.dim_names = ["n", ""]}) -> tensor<4x3xf32> {
  %c = glow.constant dense<[4, 3]> : tensor<2xi64>
  // expected-error @+1 {{n * 4 elements do not make 12 for all extents; fix 'n'}}
  %r = glow.reshape %x, %c : (tensor<?x4xf32>, tensor<2xi64>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// -----

// expected-error @+1 {{dimension 'x.0' has no bound; give one, as 1..128, for axis 0 of 'x'}}
func.func @missing(%x: tensor<?xf32> {glow.name = "x"}, %y: tensor<?xf32> {glow.dim_names = ["n"]}) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error @+1 {{has no open dimension 'n'; they are: m}}
func.func @unknown(%x: tensor<?xf32> {glow.dim_names = ["m"]}) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}

// -----

// expected-error @+1 {{dimension 'n' has to be 9 in an op, which is not within its bounds}}
func.func @outside(%x: tensor<?xf32> {glow.dim_names = ["n"]}, %y: tensor<9xf32>) -> tensor<9xf32> {
  %r = glow.add %x, %y : (tensor<?xf32>, tensor<9xf32>) -> tensor<9xf32>
  return %r : tensor<9xf32>
}
