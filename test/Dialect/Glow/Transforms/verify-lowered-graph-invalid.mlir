// RUN: glow-opt %s -glow-verify-lowered-graph -verify-diagnostics -split-input-file

func.func @every_violation_is_reported(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  // expected-error @+1 {{is an element-wise op outside a glow.map; run glow-fuse-elementwise}}
  %0 = glow.relu %x : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // expected-error @+1 {{is a composite op that the target does not have; run glow-decompose}}
  %1 = glow.softmax %0 {axis = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %1 : tensor<2x8xf32>
}

// -----

// expected-error @+1 {{argument has type 'tensor<?x8xf32>', but every shape must be known here}}
func.func @dynamic_shapes(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  // expected-error @+1 {{result has type 'tensor<?xf32>', but every shape must be known here}}
  %0 = glow.reduce sum %x {axes = array<i64: 1>} : (tensor<?x8xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
