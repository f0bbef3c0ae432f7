// RUN: glow-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @slice_of_concat
// CHECK-DAG: %[[START:.+]] = glow.constant dense<1> : tensor<1xi64>
// CHECK-DAG: %[[END:.+]] = glow.constant dense<3> : tensor<1xi64>
// CHECK: glow.slice %arg1, %[[START]], %[[END]]
func.func @slice_of_concat(%x: tensor<4x2xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %start = glow.constant dense<5> : tensor<1xi64>
  %end = glow.constant dense<7> : tensor<1xi64>
  %step = glow.constant dense<1> : tensor<1xi64>
  %0 = glow.concat %x, %y {axis = 0 : i64} : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<7x2xf32>
  %1 = glow.slice %0, %start, %end, %step {axes = array<i64: 0>} : (tensor<7x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @slice_across_concat
// CHECK: glow.concat
func.func @slice_across_concat(%x: tensor<4x2xf32>, %y: tensor<3x2xf32>) -> tensor<2x2xf32> {
  %start = glow.constant dense<3> : tensor<1xi64>
  %end = glow.constant dense<5> : tensor<1xi64>
  %step = glow.constant dense<1> : tensor<1xi64>
  %0 = glow.concat %x, %y {axis = 0 : i64} : (tensor<4x2xf32>, tensor<3x2xf32>) -> tensor<7x2xf32>
  %1 = glow.slice %0, %start, %end, %step {axes = array<i64: 0>} : (tensor<7x2xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<2x2xf32>
  return %1 : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @gather_of_last_element
// CHECK: %[[PART:.+]] = glow.slice %arg0
// CHECK: glow.reshape %[[PART]], {{.*}} -> tensor<2x3xf32>
func.func @gather_of_last_element(%x: tensor<2x5x3xf32>) -> tensor<2x3xf32> {
  %index = glow.constant dense<-1> : tensor<i64>
  %0 = glow.gather %x, %index {axis = 1 : i64} : (tensor<2x5x3xf32>, tensor<i64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @transpose_of_unit_axes
// CHECK: glow.reshape %arg0
func.func @transpose_of_unit_axes(%x: tensor<2x1x1x3xf32>) -> tensor<2x3x1x1xf32> {
  %0 = glow.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<2x1x1x3xf32>) -> tensor<2x3x1x1xf32>
  return %0 : tensor<2x3x1x1xf32>
}

// CHECK-LABEL: func.func @identity_map
// CHECK: return %arg0
func.func @identity_map(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %0 = glow.map %x {element_type = f32} do {
  ^bb0(%a: f32):
    %one = arith.constant 1.0 : f32
    %s = arith.mulf %a, %one : f32
    glow.yield %s : f32
  } : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @requirement
// CHECK: return %arg0
func.func @requirement(%x: tensor<2xi64>) -> tensor<2xi64> {
  %v = glow.constant dense<false> : tensor<i1>
  %0 = glow.require %x, %v {message = "never"} : (tensor<2xi64>, tensor<i1>) -> tensor<2xi64>
  return %0 : tensor<2xi64>
}
