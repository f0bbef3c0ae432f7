// RUN: glow-opt %s --split-input-file --glow-bound-shapes | FileCheck %s

// A count is a running sum; true elements go before the others.
// CHECK: #map = affine_map<()[s0] -> (2, s0)>
// CHECK-LABEL: func.func @non_zero
// CHECK-SAME: -> (tensor<2x12xi64> {glow.extents = #map}, tensor<1xi64> {glow.computed_symbols = [{lower = 0 : i64, name = "count0", upper = 12 : i64}]})
// CHECK: %[[HOLDS:.+]] = glow.reshape %{{.+}} -> tensor<12xi1>
// CHECK: %[[ONES:.+]] = glow.cast %[[HOLDS]]
// CHECK: %[[SUM:.+]] = glow.scan{{ +}}sum %[[ONES]]
// CHECK: %[[COUNT:.+]] = glow.reduce sum %[[ONES]]
// CHECK: %[[PLACES:.+]] = glow.where %[[HOLDS]]
// CHECK: glow.scatter_elements none %{{.+}}, %[[PLACES]],
// CHECK: %[[COUNTS:.+]] = glow.unsqueeze %[[COUNT]]
// CHECK: return %{{.+}}, %[[COUNTS]]
func.func @non_zero(%x: tensor<3x4xf32>) -> tensor<2x?xi64> {
  %r = glow.non_zero %x : (tensor<3x4xf32>) -> tensor<2x?xi64>
  return %r : tensor<2x?xi64>
}

// -----

// What was found is masked behind its number, where that is known.
// CHECK-LABEL: func.func @masked_sum
// CHECK: %[[COUNT:.+]] = glow.reduce sum
// CHECK: %[[VALID:.+]] = glow.less %{{.+}}, %[[COUNT]] : (tensor<6xi64>, tensor<i64>) -> tensor<6xi1>
// CHECK: %[[FOUND:.+]] = glow.gather %arg0
// CHECK: %[[MASKED:.+]] = glow.where %[[VALID]], %[[FOUND]]
// CHECK: glow.reduce sum %[[MASKED]]
func.func @masked_sum(%x: tensor<6xf32>, %c: tensor<6xi1>) -> tensor<f32> {
  %i = glow.non_zero %c : (tensor<6xi1>) -> tensor<1x?xi64>
  %p = glow.squeeze %i {axes = array<i64: 0>} : (tensor<1x?xi64>) -> tensor<?xi64>
  %g = glow.gather %x, %p {axis = 0 : i64} : (tensor<6xf32>, tensor<?xi64>) -> tensor<?xf32>
  %r = glow.reduce sum %g {axes = array<i64: 0>} : (tensor<?xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// -----

// Open inputs are left to a run with their bounds.
// CHECK-LABEL: func.func @open
// CHECK: glow.non_zero
func.func @open(%x: tensor<?xf32>) -> tensor<1x?xi64> {
  %r = glow.non_zero %x : (tensor<?xf32>) -> tensor<1x?xi64>
  return %r : tensor<1x?xi64>
}
