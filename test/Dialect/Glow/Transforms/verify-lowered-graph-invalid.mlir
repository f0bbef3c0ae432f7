// RUN: glow-opt %s -glow-verify-lowered-graph -verify-diagnostics -split-input-file

func.func @every_violation_is_reported(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // expected-error @+1 {{is an element-wise op outside a glow.map; run glow-fuse-elementwise}}
  %0 = glow.relu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // expected-error @+1 {{is a composite op that the target does not have; run glow-decompose}}
  %1 = glow.softmax %0 {axis = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// What follows from an input's shape is not reported again.
// expected-error @+1 {{input 'x' has type 'tensor<?x8xf32>', but every shape must be known here; fix it, for example with --shape}}
func.func @dynamic_input(%x: tensor<?x8xf32> {glow.name = "x"}) -> tensor<?xf32> {
  %0 = glow.reduce sum %x {axes = array<i64: 1>} : (tensor<?x8xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @dynamic_result(%x: tensor<3x4xf32>) -> tensor<2x?xi64> {
  // expected-error @+1 {{result has type 'tensor<2x?xi64>', which depends on values that are not known before run time}}
  %0 = glow.non_zero %x : (tensor<3x4xf32>) -> tensor<2x?xi64>
  return %0 : tensor<2x?xi64>
}
