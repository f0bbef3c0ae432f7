// RUN: glow-opt %s -glow-decompose -canonicalize -cse -split-input-file | FileCheck %s

// One product serves both directions and all steps, the batch before these; two
// recurrent products follow, as the first step of each direction starts from zero.
// CHECK-LABEL: func.func @bidirectional_lstm
// CHECK: %[[BATCH_FIRST:.+]] = glow.transpose %arg0 {permutation = array<i64: 1, 0, 2>}
// CHECK: glow.matmul %[[BATCH_FIRST]], {{.*}} -> tensor<?x2x32xf32>
// CHECK-COUNT-2: glow.matmul {{.*}} -> tensor<?x16xf32>
// CHECK-NOT: glow.matmul
// CHECK: return {{.*}} : tensor<2x2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x4xf32>
func.func @bidirectional_lstm(%x: tensor<2x?x3xf32>, %w: tensor<2x16x3xf32>, %r: tensor<2x16x4xf32>, %b: tensor<2x32xf32>) -> (tensor<2x2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x4xf32>) {
  %y, %h, %c = glow.recurrent lstm bidirectional %x, %w, %r bias(%b) {activations = ["sigmoid", "tanh", "tanh", "sigmoid", "tanh", "tanh"], hidden_size = 4 : i64, clip = 0.0 : f64} : (tensor<2x?x3xf32>, tensor<2x16x3xf32>, tensor<2x16x4xf32>, tensor<2x32xf32>) -> (tensor<2x2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x4xf32>)
  return %y, %h, %c : tensor<2x2x?x4xf32>, tensor<2x?x4xf32>, tensor<2x?x4xf32>
}

// -----

// Past its end a sequence keeps its state and outputs zeros.
// CHECK-LABEL: func.func @rnn_with_lengths
// CHECK-DAG: glow.less {{.*}}, %arg3
// CHECK-DAG: %[[H:.+]] = glow.tanh
// CHECK: glow.where {{.*}}, %[[H]]
func.func @rnn_with_lengths(%x: tensor<1x2x3xf32>, %w: tensor<1x4x3xf32>, %r: tensor<1x4x4xf32>, %l: tensor<2xi32>) -> tensor<1x1x2x4xf32> {
  %y, %h, %c = glow.recurrent rnn reverse %x, %w, %r lengths(%l) {activations = ["tanh"], hidden_size = 4 : i64, clip = 0.0 : f64} : (tensor<1x2x3xf32>, tensor<1x4x3xf32>, tensor<1x4x4xf32>, tensor<2xi32>) -> (tensor<1x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %y : tensor<1x1x2x4xf32>
}

// -----

// With linear_before_reset all gates share one recurrent product.
// CHECK-LABEL: func.func @gru_linear_before_reset
// CHECK: glow.matmul {{.*}} -> tensor<2x1x12xf32>
// CHECK: glow.matmul {{.*}} -> tensor<2x12xf32>
// CHECK-NOT: glow.matmul
func.func @gru_linear_before_reset(%x: tensor<1x2x3xf32>, %w: tensor<1x12x3xf32>, %r: tensor<1x12x4xf32>, %b: tensor<1x24xf32>, %h0: tensor<1x2x4xf32>) -> tensor<1x2x4xf32> {
  %y, %h, %c = glow.recurrent gru forward %x, %w, %r bias(%b) initial_h(%h0) {activations = ["sigmoid", "tanh"], hidden_size = 4 : i64, clip = 0.0 : f64, linear_before_reset} : (tensor<1x2x3xf32>, tensor<1x12x3xf32>, tensor<1x12x4xf32>, tensor<1x24xf32>, tensor<1x2x4xf32>) -> (tensor<1x1x2x4xf32>, tensor<1x2x4xf32>, tensor<1x2x4xf32>)
  return %h : tensor<1x2x4xf32>
}
