// RUN: glow-opt %s -glow-fold-constants -split-input-file -verify-diagnostics

func.func @index_out_of_range() -> tensor<1x1xi64> {
  %x = glow.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %i = glow.constant dense<2> : tensor<1x1xi64>
  // expected-error @+1 {{index 2 is out of range for axis 1 of extent 2}}
  %r = glow.gather_elements %x, %i {axis = 1 : i64} : (tensor<1x2xi64>, tensor<1x1xi64>) -> tensor<1x1xi64>
  return %r : tensor<1x1xi64>
}

// -----

func.func @tuple_out_of_range() -> tensor<1xi64> {
  %x = glow.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %i = glow.constant dense<[[0, -3]]> : tensor<1x2xi64>
  // expected-error @+1 {{index -3 is out of range for axis 1 of extent 2}}
  %r = glow.gather_nd %x, %i {batch_dims = 0 : i64} : (tensor<1x2xi64>, tensor<1x2xi64>) -> tensor<1xi64>
  return %r : tensor<1xi64>
}

// -----

func.func @scatter_out_of_range() -> tensor<2xi64> {
  %x = glow.constant dense<[1, 2]> : tensor<2xi64>
  %i = glow.constant dense<5> : tensor<1xi64>
  // expected-error @+1 {{index 5 is out of range for axis 0 of extent 2}}
  %r = glow.scatter_elements none %x, %i, %i {axis = 0 : i64} : (tensor<2xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}

// -----

func.func @unknown_resize() -> tensor<4xf32> {
  %x = glow.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %scale = glow.constant dense<2.0> : tensor<1xf32>
  %size = glow.constant dense<4> : tensor<1xi64>
  // expected-error @+1 {{does not know mode 'lanczos'}}
  %r = glow.resize %x, %scale, %size {mode = "lanczos", coordinate_mode = "half_pixel", nearest_mode = "floor", cubic_coeff = -0.75 : f64} : (tensor<2xf32>, tensor<1xf32>, tensor<1xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// What is wrong shows only when the shape is known.
func.func @impossible_expand() -> tensor<?xi64> {
  %x = glow.constant dense<[1, 2]> : tensor<2xi64>
  %extents = glow.constant dense<[[4, 2]]> : tensor<1x2xi64>
  %four = glow.reduce max %extents {axes = array<i64: 1>} : (tensor<1x2xi64>) -> tensor<1xi64>
  // expected-error @+1 {{shapes do not broadcast}}
  %r = glow.expand %x, %four : (tensor<2xi64>, tensor<1xi64>) -> tensor<?xi64>
  return %r : tensor<?xi64>
}

// -----

func.func @contradiction(%x: tensor<1xi64>) -> tensor<3xi64> {
  %extents = glow.constant dense<[[4, 2]]> : tensor<1x2xi64>
  %four = glow.reduce max %extents {axes = array<i64: 1>} : (tensor<1x2xi64>) -> tensor<1xi64>
  // expected-error @+1 {{result type 'tensor<3xi64>' contradicts the inferred 'tensor<4xi64>'}}
  %r = glow.expand %x, %four : (tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// -----

func.func @requirement() -> tensor<2xi64> {
  %x = glow.constant dense<[1, 2]> : tensor<2xi64>
  %three = glow.constant dense<3> : tensor<i64>
  %least = glow.reduce min %x {axes = array<i64: 0>} : (tensor<2xi64>) -> tensor<i64>
  %v = glow.greater %three, %least : (tensor<i64>, tensor<i64>) -> tensor<i1>
  // expected-error @+1 {{not as large}}
  %r = glow.require %x, %v {message = "not as large"} : (tensor<2xi64>, tensor<i1>) -> tensor<2xi64>
  return %r : tensor<2xi64>
}
