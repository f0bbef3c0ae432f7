// RUN: glow-opt %s -split-input-file -verify-diagnostics

func.func @no_body(%x: tensor<f32>, %c: tensor<i1>) -> tensor<f32> {
  // expected-error @+1 {{body @body is no private function with 'glow.loop'}}
  %r = glow.loop @body while %c : tensor<i1> states(%x : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

func.func @public_body(%x: tensor<f32>, %c: tensor<i1>) -> tensor<f32> {
  %r = glow.loop @body while %c : tensor<i1> states(%x : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
// expected-error @+1 {{'glow.loop' is for private functions of the number of an iteration, an i64 without axes}}
func.func @body(%i: tensor<i64>, %x: tensor<f32>) -> (tensor<i1>, tensor<f32>) attributes {glow.loop = array<i64: 1, 0>} {
  %c = glow.constant dense<false> : tensor<i1>
  return %c, %x : tensor<i1>, tensor<f32>
}

// -----

func.func @more_states(%x: tensor<f32>, %c: tensor<i1>) -> tensor<f32> {
  // expected-error @+1 {{needs a result of the same type for each state, of which the body has 1}}
  %r = glow.loop @body while %c : tensor<i1> states(%x, %x : tensor<f32>, tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @body(%i: tensor<i64>, %x: tensor<f32>) -> (tensor<i1>, tensor<f32>) attributes {glow.loop = array<i64: 1, 0>} {
  %c = glow.constant dense<false> : tensor<i1>
  return %c, %x : tensor<i1>, tensor<f32>
}

// -----

func.func @other_rows(%x: tensor<f32>, %c: tensor<i1>) -> tensor<5xf32> {
  // expected-error @+1 {{needs a body of type '(tensor<i64>, tensor<f32>) -> (tensor<i1>, tensor<f32>, tensor<5xf32>)'}}
  %r:2 = glow.loop @body while %c : tensor<i1> states(%x : tensor<f32>) -> tensor<f32>, tensor<5xf32>
  return %r#1 : tensor<5xf32>
}
// expected-note @+1 {{it is '(tensor<i64>, tensor<f32>) -> (tensor<i1>, tensor<f32>, tensor<f32>)'}}
func.func private @body(%i: tensor<i64>, %x: tensor<f32>) -> (tensor<i1>, tensor<f32>, tensor<f32>) attributes {glow.loop = array<i64: 1, 4>} {
  %c = glow.constant dense<false> : tensor<i1>
  return %c, %x, %x : tensor<i1>, tensor<f32>, tensor<f32>
}

// -----

// expected-error @+1 {{'glow.loop' is for functions, and has two numbers}}
module attributes {glow.loop = array<i64: 1, 0>} {
}

// -----

// expected-error @+1 {{'glow.loop' states 3 states, which are not arguments and results behind the first}}
func.func private @few(%i: tensor<i64>, %x: tensor<f32>) -> (tensor<i1>, tensor<f32>) attributes {glow.loop = array<i64: 3, 0>} {
  %c = glow.constant dense<false> : tensor<i1>
  return %c, %x : tensor<i1>, tensor<f32>
}

// -----

// expected-error @+1 {{'glow.loop' is for private functions of the number of an iteration, an i64 without axes}}
func.func private @number(%i: tensor<4xf32>) -> tensor<i1> attributes {glow.loop = array<i64: 0, 0>} {
  %c = glow.constant dense<false> : tensor<i1>
  return %c : tensor<i1>
}

// -----

// expected-error @+1 {{returns other types of states than it takes}}
func.func private @other(%i: tensor<i64>, %x: tensor<f32>) -> (tensor<i1>, tensor<i1>) attributes {glow.loop = array<i64: 1, 0>} {
  %c = glow.constant dense<false> : tensor<i1>
  return %c, %c : tensor<i1>, tensor<i1>
}
