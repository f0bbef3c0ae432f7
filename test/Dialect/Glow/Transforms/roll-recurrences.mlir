// RUN: glow-opt %s -glow-roll-recurrences=least-steps=4 -canonicalize -cse -split-input-file -verify-diagnostics | FileCheck %s

// A first step without a hidden state is made before the loop, whose step has
// the constant weights.
// CHECK-LABEL: func.func @lstm(
// CHECK: %[[ROWS:.+]] = glow.add %{{.+}} -> tensor<2x20x16xf32>
// CHECK-NOT: glow.matmul
// CHECK: %[[C0:.+]] = glow.mul
// CHECK: %[[H0:.+]] = glow.mul
// CHECK: %[[R:.+]]:2 = glow.for_steps @lstm_step states(%[[C0]] : tensor<2x4xf32>) histories(%[[H0]] : tensor<2x4xf32>) rows(%[[ROWS]] : tensor<2x20x16xf32>) -> tensor<2x4xf32>, tensor<2x20x4xf32>
// CHECK: glow.slice %[[R]]#1
// CHECK: func.func private @lstm_step(%[[C:.+]]: tensor<2x4xf32>, %[[H:.+]]: tensor<2x4xf32>, %[[X:.+]]: tensor<2x16xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) attributes {glow.steps = array<i64: 1, 1, 1, 20, 20>} {
// CHECK: glow.constant dense<2.000000e+00> : tensor<1x16x4xf32>
// CHECK: %[[P:.+]] = glow.matmul %[[H]]
// CHECK: glow.add %[[X]], %[[P]]
// CHECK: glow.mul %{{.+}}, %[[C]]
func.func @lstm(%x: tensor<20x2x3xf32>, %w: tensor<1x16x3xf32>, %b: tensor<1x32xf32>) -> (tensor<20x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>) {
  %r = glow.constant dense<2.0> : tensor<1x16x4xf32>
  %y, %h, %c = glow.recurrent lstm forward %x, %w, %r bias(%b) {activations = ["sigmoid", "tanh", "tanh"], hidden_size = 4 : i64, clip = 0.0 : f64} : (tensor<20x2x3xf32>, tensor<1x16x3xf32>, tensor<1x16x4xf32>, tensor<1x32xf32>) -> (tensor<20x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %y, %h, %c : tensor<20x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>
}

// -----

// With a hidden state, histories have a row before that of the first step. A
// step of a bounded function knows what of the batch is valid.
// CHECK-LABEL: func.func @open(
// CHECK-SAME: %[[N:[a-z0-9]+]]: tensor<i64>, %[[S:.+]]: tensor<2xi64>
// CHECK: glow.for_steps @open_step reversed steps %[[N]] : tensor<i64> histories(%{{.+}} : tensor<2x4xf32>) rows(%{{.+}} : tensor<2x8x4xf32>) reads(%{{.+}}, %[[S]] : tensor<4x4xf32>, tensor<2xi64>) {extents = #{{.+}}} -> tensor<2x9x4xf32>
// CHECK: func.func private @open_step(%{{.+}}: tensor<2x4xf32> {glow.extents = affine_map<()[s0, s1] -> (s1, 4)>}, %{{.+}}: tensor<2x4xf32> {glow.extents = affine_map<()[s0, s1] -> (s1, 4)>}, %{{.+}}: tensor<4x4xf32>, %{{.+}}: tensor<2xi64> {glow.symbols = {{.*}}}) -> tensor<2x4xf32> attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>}
func.func @open(%x: tensor<8x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>, %h0: tensor<1x2x4xf32>, %n: tensor<i64>, %s: tensor<2xi64> {glow.symbols = [{name = "steps", lower = 1 : i64, upper = 8 : i64}, {name = "batch", lower = 1 : i64, upper = 2 : i64}]}) -> tensor<1x2x4xf32> {
  %y, %h, %c = glow.recurrent rnn reverse %x, %w, %r steps(%n) initial_h(%h0) {activations = ["tanh"], hidden_size = 4 : i64, clip = 0.0 : f64, extents = affine_map<()[s0, s1] -> (s0, s1)>} : (tensor<8x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<i64>, tensor<1x2x4xf32>) -> (tensor<8x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %h : tensor<1x2x4xf32>
}

// -----

// Sequences of which some end before.
// CHECK-LABEL: func.func @lengths(
// CHECK: %[[GOES_ON:.+]] = glow.less %{{.+}} -> tensor<2x5xi1>
// CHECK: %[[ALL:.+]] = glow.for_steps @lengths_step {{.*}} rows(%{{.+}}, %[[GOES_ON]] : tensor<2x5x4xf32>, tensor<2x5xi1>)
// CHECK: glow.where %{{.+}}, %[[ALL]], %{{.+}} -> tensor<2x5x4xf32>
// CHECK: func.func private @lengths_step(%[[H:.+]]: tensor<2x4xf32>, %{{.+}}: tensor<2x4xf32>, %{{.+}}: tensor<2xi1>
// CHECK: glow.where %{{.+}}, %{{.+}}, %[[H]]
func.func @lengths(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>, %l: tensor<2xi32>) -> tensor<5x1x2x4xf32> {
  %y, %h, %c = glow.recurrent rnn forward %x, %w, %r lengths(%l) {activations = ["tanh"], hidden_size = 4 : i64, clip = 0.0 : f64} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<2xi32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %y : tensor<5x1x2x4xf32>
}

// -----

// Three steps of a known number, and a batch of an unknown one, are left alone.
// CHECK-LABEL: func.func @few(
// CHECK-COUNT-2: glow.recurrent
func.func @few(%x: tensor<3x2x3xf32>, %z: tensor<8x?x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) -> (tensor<3x1x2x4xf32>, tensor<8x1x?x4xf32>) {
  %y, %h, %c = glow.recurrent rnn forward %x, %w, %r {activations = ["tanh"], hidden_size = 4 : i64, clip = 0.0 : f64} : (tensor<3x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<3x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  %v, %i, %d = glow.recurrent rnn forward %z, %w, %r {activations = ["tanh"], hidden_size = 4 : i64, clip = 0.0 : f64} : (tensor<8x?x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<8x1x?x4xf32>, tensor<1x?x4xf32>, tensor<1x?x4xf32>)
  return %y, %v : tensor<3x1x2x4xf32>, tensor<8x1x?x4xf32>
}

// -----

func.func @unknown(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) -> tensor<5x1x2x4xf32> {
  // expected-error @+1 {{activation 'swish' is not supported}}
  %y, %h, %c = glow.recurrent rnn forward %x, %w, %r {activations = ["swish"], hidden_size = 4 : i64, clip = 0.0 : f64} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %y : tensor<5x1x2x4xf32>
}

// -----

// Zeros that are stated are what a layer begins with anyway.
// CHECK-LABEL: func.func @zeros(
// CHECK: glow.for_steps {{.*}} -> tensor<2x5x4xf32>
func.func @zeros(%x: tensor<5x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>) -> tensor<5x1x2x4xf32> {
  %zero = glow.constant dense<0.0> : tensor<f32>
  %shape = glow.constant dense<[1, 2, 4]> : tensor<3xi64>
  %h0 = glow.expand %zero, %shape : (tensor<f32>, tensor<3xi64>) -> tensor<1x2x4xf32>
  %y, %h, %c = glow.recurrent rnn forward %x, %w, %r initial_h(%h0) {activations = ["tanh"], hidden_size = 4 : i64, clip = 0.0 : f64} : (tensor<5x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<1x2x4xf32>) -> (tensor<5x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %y : tensor<5x1x2x4xf32>
}

// -----

// If there may be no step, none is made before the loop.
// CHECK-LABEL: func.func @none(
// CHECK: glow.for_steps {{.*}} steps %{{.+}} -> tensor<2x9x4xf32>
func.func @none(%x: tensor<8x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>, %n: tensor<i64>, %s: tensor<1xi64> {glow.symbols = [{name = "steps", lower = 0 : i64, upper = 8 : i64}]}) -> tensor<1x2x4xf32> {
  %y, %h, %c = glow.recurrent rnn forward %x, %w, %r steps(%n) {activations = ["tanh"], hidden_size = 4 : i64, clip = 0.0 : f64, extents = affine_map<()[s0] -> (s0, 2)>} : (tensor<8x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<i64>) -> (tensor<8x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %h : tensor<1x2x4xf32>
}
