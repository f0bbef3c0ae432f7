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

// -----

// The first of so many are the less of both; there is one symbol for two tensors.
// CHECK-LABEL: func.func @first
// CHECK: %[[COUNT:.+]] = glow.reduce sum
// CHECK: %[[FIRST:.+]] = glow.clamp %{{.+}}, %{{.+}}, %[[COUNT]]
// CHECK: glow.slice %{{.+}} -> tensor<3xf32>
// CHECK: glow.slice %{{.+}} -> tensor<3xf32>
// CHECK-NOT: clamp
// CHECK: glow.add
func.func @first(%x: tensor<6xf32>, %c: tensor<6xi1>) -> tensor<?xf32> {
  %i = glow.non_zero %c : (tensor<6xi1>) -> tensor<1x?xi64>
  %p = glow.squeeze %i {axes = array<i64: 0>} : (tensor<1x?xi64>) -> tensor<?xi64>
  %g = glow.gather %x, %p {axis = 0 : i64} : (tensor<6xf32>, tensor<?xi64>) -> tensor<?xf32>
  %e = glow.exp %g : (tensor<?xf32>) -> tensor<?xf32>
  %0 = glow.constant dense<0> : tensor<1xi64>
  %1 = glow.constant dense<1> : tensor<1xi64>
  %3 = glow.constant dense<3> : tensor<1xi64>
  %a = glow.slice %g, %0, %3, %1 {axes = array<i64: 0>} : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %b = glow.slice %e, %0, %3, %1 {axes = array<i64: 0>} : (tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  %r = glow.add %a, %b : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

// -----

// As many results as the least of a list of numbers.
// CHECK-LABEL: func.func @top_of_found
// CHECK: glow.top_k {{.+}} -> (tensor<2xf32>, tensor<2xi64>)
func.func @top_of_found(%x: tensor<6xf32>, %c: tensor<6xi1>) -> tensor<?xf32> {
  %i = glow.non_zero %c : (tensor<6xi1>) -> tensor<1x?xi64>
  %p = glow.squeeze %i {axes = array<i64: 0>} : (tensor<1x?xi64>) -> tensor<?xi64>
  %g = glow.gather %x, %p {axis = 0 : i64} : (tensor<6xf32>, tensor<?xi64>) -> tensor<?xf32>
  %n = glow.shape_of %g {start = 0 : i64, end = 1 : i64} : (tensor<?xf32>) -> tensor<1xi64>
  %2 = glow.constant dense<2> : tensor<1xi64>
  %l = glow.concat %n, %2 {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %m = glow.reduce min %l {axes = array<i64: 0>, keep_dims} : (tensor<2xi64>) -> tensor<1xi64>
  %v, %o = glow.top_k %g, %m {axis = 0 : i64, largest} : (tensor<?xf32>, tensor<1xi64>) -> (tensor<?xf32>, tensor<?xi64>)
  return %v : tensor<?xf32>
}

// -----

// Boxes that are not there have no score.
// CHECK-LABEL: func.func @boxes
// CHECK: %[[SCORES:.+]] = glow.where %{{.+}} : (tensor<6xi1>, tensor<1x1x6xf32>,
// CHECK: glow.non_max_suppression %{{.+}}, %[[SCORES]],
// CHECK-SAME: {limit = 2 : i64} : (tensor<1x4x6xf32>, tensor<1x1x6xf32>, tensor<i64>, tensor<f32>) -> (tensor<1x1x2xi64>, tensor<1x1xi64>)
func.func @boxes(%x: tensor<1x4x6xf32>, %s: tensor<1x1x6xf32>, %c: tensor<6xi1>, %m: tensor<i64>, %t: tensor<f32>) -> tensor<1x1x2xi64> {
  %i = glow.non_zero %c : (tensor<6xi1>) -> tensor<1x?xi64>
  %p = glow.squeeze %i {axes = array<i64: 0>} : (tensor<1x?xi64>) -> tensor<?xi64>
  %b = glow.gather %x, %p {axis = 2 : i64} : (tensor<1x4x6xf32>, tensor<?xi64>) -> tensor<1x4x?xf32>
  %g = glow.gather %s, %p {axis = 2 : i64} : (tensor<1x1x6xf32>, tensor<?xi64>) -> tensor<1x1x?xf32>
  %o, %n = glow.non_max_suppression %b, %g, %m, %t {limit = 2 : i64} : (tensor<1x4x?xf32>, tensor<1x1x?xf32>, tensor<i64>, tensor<f32>) -> (tensor<1x1x2xi64>, tensor<1x1xi64>)
  return %o : tensor<1x1x2xi64>
}
