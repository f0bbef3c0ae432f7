// RUN: glow-opt %s -glow-fold-constants | FileCheck %s

// CHECK-LABEL: func.func @gather
// CHECK-NEXT: dense<{{\[\[}}3, 1], [6, 4]]> : tensor<2x2xi64>
func.func @gather() -> tensor<2x2xi64> {
  %x = glow.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %i = glow.constant dense<[-1, 0]> : tensor<2xi64>
  %r = glow.gather %x, %i {axis = 1 : i64} : (tensor<2x3xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// CHECK-LABEL: func.func @gather_elements
// CHECK-NEXT: dense<{{\[\[}}2, 1], [4, 6]]> : tensor<2x2xi64>
func.func @gather_elements() -> tensor<2x2xi64> {
  %x = glow.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi64>
  %i = glow.constant dense<[[1, 0], [0, -1]]> : tensor<2x2xi32>
  %r = glow.gather_elements %x, %i {axis = 1 : i64} : (tensor<2x3xi64>, tensor<2x2xi32>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// CHECK-LABEL: func.func @gather_nd
// CHECK-DAG: dense<[4, 3]> : tensor<2xi64>
// CHECK-DAG: dense<[2, 3]> : tensor<2xi64>
func.func @gather_nd() -> (tensor<2xi64>, tensor<2xi64>) {
  %x = glow.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %i = glow.constant dense<[[1, 1], [-1, 0]]> : tensor<2x2xi64>
  %r = glow.gather_nd %x, %i {batch_dims = 0 : i64} : (tensor<2x2xi64>, tensor<2x2xi64>) -> tensor<2xi64>
  %j = glow.constant dense<[[1], [0]]> : tensor<2x1xi64>
  %b = glow.gather_nd %x, %j {batch_dims = 1 : i64} : (tensor<2x2xi64>, tensor<2x1xi64>) -> tensor<2xi64>
  return %r, %b : tensor<2xi64>, tensor<2xi64>
}

// CHECK-LABEL: func.func @reverse_sequence
// CHECK-NEXT: dense<{{\[\[}}2, 1, 3], [4, 5, 6], [9, 8, 7]]> : tensor<3x3xi64>
func.func @reverse_sequence() -> tensor<3x3xi64> {
  %x = glow.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9]]> : tensor<3x3xi64>
  %n = glow.constant dense<[2, 0, 3]> : tensor<3xi64>
  %r = glow.reverse_sequence %x, %n {time_axis = 1 : i64, batch_axis = 0 : i64} : (tensor<3x3xi64>, tensor<3xi64>) -> tensor<3x3xi64>
  return %r : tensor<3x3xi64>
}

// CHECK-LABEL: func.func @scatter
// CHECK-DAG: dense<[1, 9, 3]> : tensor<3xi64>
// CHECK-DAG: dense<[1, 18, 3]> : tensor<3xi64>
// CHECK-DAG: dense<{{\[\[}}0, 0], [7, 8]]> : tensor<2x2xi64>
func.func @scatter() -> (tensor<3xi64>, tensor<3xi64>, tensor<2x2xi64>) {
  %x = glow.constant dense<[1, 2, 3]> : tensor<3xi64>
  %i = glow.constant dense<-2> : tensor<1xi64>
  %u = glow.constant dense<9> : tensor<1xi64>
  %set = glow.scatter_elements none %x, %i, %u {axis = 0 : i64} : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %mul = glow.scatter_elements mul %x, %i, %u {axis = 0 : i64} : (tensor<3xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xi64>
  %zero = glow.constant dense<0> : tensor<2x2xi64>
  %one = glow.constant dense<1> : tensor<1x1xi64>
  %row = glow.constant dense<[[7, 8]]> : tensor<1x2xi64>
  %nd = glow.scatter_nd add %zero, %one, %row : (tensor<2x2xi64>, tensor<1x1xi64>, tensor<1x2xi64>) -> tensor<2x2xi64>
  return %set, %mul, %nd : tensor<3xi64>, tensor<3xi64>, tensor<2x2xi64>
}

// An index out of range makes a row of `off`.
// CHECK-LABEL: func.func @one_hot
// CHECK-NEXT: dense<{{\[\[}}2.000000e+00, 5.000000e+00], [2.000000e+00, 2.000000e+00]]> : tensor<2x2xf32>
func.func @one_hot() -> tensor<2x2xf32> {
  %i = glow.constant dense<[-1, 7]> : tensor<2xi64>
  %depth = glow.constant dense<2> : tensor<1xi64>
  %v = glow.constant dense<[2.0, 5.0]> : tensor<2xf32>
  %r = glow.one_hot %i, %depth, %v {axis = 1 : i64} : (tensor<2xi64>, tensor<1xi64>, tensor<2xf32>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @non_zero
// CHECK-SAME: tensor<2x2xi64>
// CHECK-NEXT: dense<{{\[\[}}0, 1], [1, 0]]> : tensor<2x2xi64>
func.func @non_zero() -> tensor<2x?xi64> {
  %x = glow.constant dense<[[0.0, 1.0], [2.0, -0.0]]> : tensor<2x2xf32>
  %r = glow.non_zero %x : (tensor<2x2xf32>) -> tensor<2x?xi64>
  return %r : tensor<2x?xi64>
}
