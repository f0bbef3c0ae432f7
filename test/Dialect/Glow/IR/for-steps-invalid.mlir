// RUN: glow-opt %s -split-input-file -verify-diagnostics

func.func @no_body(%x: tensor<1x8x4xf32>, %h: tensor<1x4xf32>) -> tensor<1x9x4xf32> {
  // expected-error @+1 {{body @body is no private function with 'glow.steps' of 0, 1, 1}}
  %y = glow.for_steps @body histories(%h : tensor<1x4xf32>) rows(%x : tensor<1x8x4xf32>) -> tensor<1x9x4xf32>
  return %y : tensor<1x9x4xf32>
}

// -----

func.func @other_count(%x: tensor<1x8x4xf32>, %h: tensor<1x4xf32>) -> tensor<1x9x4xf32> {
  // expected-error @+1 {{body @body is no private function with 'glow.steps' of 0, 1, 1}}
  %y = glow.for_steps @body histories(%h : tensor<1x4xf32>) rows(%x : tensor<1x8x4xf32>) -> tensor<1x9x4xf32>
  return %y : tensor<1x9x4xf32>
}
func.func private @body(%h: tensor<1x4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 1, 0, 1, 8, 9>} {
  return %h : tensor<1x4xf32>
}

// -----

func.func @rows(%x: tensor<1x7x4xf32>, %h: tensor<1x4xf32>) -> tensor<1x9x4xf32> {
  // expected-error @+1 {{needs rows of 8 steps, not 'tensor<1x7x4xf32>'}}
  %y = glow.for_steps @body histories(%h : tensor<1x4xf32>) rows(%x : tensor<1x7x4xf32>) -> tensor<1x9x4xf32>
  return %y : tensor<1x9x4xf32>
}
func.func private @body(%h: tensor<1x4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>} {
  return %h : tensor<1x4xf32>
}

// -----

func.func @histories(%x: tensor<1x8x4xf32>, %h: tensor<1x4xf32>) -> tensor<1x8x4xf32> {
  // expected-error @+1 {{needs histories of 9 rows of 'tensor<1x4xf32>', not 'tensor<1x8x4xf32>'}}
  %y = glow.for_steps @body histories(%h : tensor<1x4xf32>) rows(%x : tensor<1x8x4xf32>) -> tensor<1x8x4xf32>
  return %y : tensor<1x8x4xf32>
}
func.func private @body(%h: tensor<1x4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>} {
  return %h : tensor<1x4xf32>
}

// -----

func.func @results(%x: tensor<1x8x4xf32>, %h: tensor<1x4xf32>) {
  // expected-error @+1 {{needs a result of the same type for each state, and one for each history}}
  glow.for_steps @body histories(%h : tensor<1x4xf32>) rows(%x : tensor<1x8x4xf32>)
  return
}
func.func private @body(%h: tensor<1x4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>} {
  return %h : tensor<1x4xf32>
}

// -----

func.func @other_body(%x: tensor<1x8x4xf32>, %h: tensor<1x4xf32>) -> tensor<1x9x4xf32> {
  // expected-error @+1 {{needs a body of type '(tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>'}}
  %y = glow.for_steps @body histories(%h : tensor<1x4xf32>) rows(%x : tensor<1x8x4xf32>) -> tensor<1x9x4xf32>
  return %y : tensor<1x9x4xf32>
}
// expected-note @+1 {{it is '(tensor<1x4xf32>, tensor<1x5xf32>) -> tensor<1x4xf32>'}}
func.func private @body(%h: tensor<1x4xf32>, %x: tensor<1x5xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>} {
  return %h : tensor<1x4xf32>
}

// -----

func.func @extents(%x: tensor<1x8x4xf32>, %h: tensor<1x4xf32>) -> tensor<1x9x4xf32> {
  // expected-error @+1 {{needs two functions of symbols as extents, which divide by positive numbers alone, not affine_map<(d0)[s0] -> (d0, s0)>}}
  %y = glow.for_steps @body histories(%h : tensor<1x4xf32>) rows(%x : tensor<1x8x4xf32>) {extents = affine_map<(d0)[s0] -> (d0, s0)>} -> tensor<1x9x4xf32>
  return %y : tensor<1x9x4xf32>
}
func.func private @body(%h: tensor<1x4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>} {
  return %h : tensor<1x4xf32>
}

// -----

// expected-error @+1 {{'glow.steps' is for private functions, and has five numbers}}
func.func @public(%h: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, 1, 0, 8, 9>} {
  return %h : tensor<1x4xf32>
}

// -----

// expected-error @+1 {{'glow.steps' states 0, 1, 1, 8, 12, which are not its arguments and results}}
func.func private @rows_of_histories(%h: tensor<1x4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, 1, 1, 8, 12>} {
  return %h : tensor<1x4xf32>
}

// -----

// expected-error @+1 {{'glow.steps' states 0, -1, 1, 8, 9, which are not its arguments and results}}
func.func private @negative(%h: tensor<1x4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, -1, 1, 8, 9>} {
  return %h : tensor<1x4xf32>
}
