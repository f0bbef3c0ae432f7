// RUN: glow-opt %s -glow-fold-constants | FileCheck %s

// CHECK-LABEL: func.func @transpose
// CHECK-NEXT: dense<{{\[\[}}1, 4], [2, 5], [3, 6]]> : tensor<3x2xi8>
func.func @transpose() -> tensor<3x2xi8> {
  %x = glow.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi8>
  %r = glow.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xi8>) -> tensor<3x2xi8>
  return %r : tensor<3x2xi8>
}

// CHECK-LABEL: func.func @reshape
// CHECK-NEXT: dense<{{\[\[\[}}1, 2], [3, 4], [5, 6]]]> : tensor<1x3x2xi32>
func.func @reshape() -> tensor<?x?x?xi32> {
  %x = glow.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %shape = glow.constant dense<[1, -1, 2]> : tensor<3xi64>
  %r = glow.reshape %x, %shape : (tensor<2x3xi32>, tensor<3xi64>) -> tensor<?x?x?xi32>
  return %r : tensor<?x?x?xi32>
}

// A negative step runs backwards, positions are clamped.
// CHECK-LABEL: func.func @slice
// CHECK-NEXT: dense<[5, 3, 1]> : tensor<3xi64>
func.func @slice() -> tensor<?xi64> {
  %x = glow.constant dense<[0, 1, 2, 3, 4, 5]> : tensor<6xi64>
  %start = glow.constant dense<-1> : tensor<1xi64>
  %end = glow.constant dense<-100> : tensor<1xi64>
  %step = glow.constant dense<-2> : tensor<1xi64>
  %r = glow.slice %x, %start, %end, %step {axes = array<i64: 0>} : (tensor<6xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi64>
  return %r : tensor<?xi64>
}

// CHECK-LABEL: func.func @concat_with_empty
// CHECK-NEXT: dense<{{\[\[}}1, 3], [2, 4]]> : tensor<2x2xi64>
func.func @concat_with_empty() -> tensor<2x2xi64> {
  %x = glow.constant dense<[[1], [2]]> : tensor<2x1xi64>
  %none = glow.constant dense<> : tensor<2x0xi64>
  %y = glow.constant dense<[[3], [4]]> : tensor<2x1xi64>
  %r = glow.concat %x, %none, %y {axis = 1 : i64} : (tensor<2x1xi64>, tensor<2x0xi64>, tensor<2x1xi64>) -> tensor<2x2xi64>
  return %r : tensor<2x2xi64>
}

// CHECK-LABEL: func.func @expand_and_tile
// CHECK-DAG: dense<{{\[\[}}1, 1], [2, 2]]> : tensor<2x2xi64>
// CHECK-DAG: dense<{{\[\[}}1, 2, 1, 2]]> : tensor<1x4xi64>
func.func @expand_and_tile() -> (tensor<2x2xi64>, tensor<1x4xi64>) {
  %x = glow.constant dense<[[1], [2]]> : tensor<2x1xi64>
  %shape = glow.constant dense<[1, 2]> : tensor<2xi64>
  %e = glow.expand %x, %shape : (tensor<2x1xi64>, tensor<2xi64>) -> tensor<2x2xi64>
  %y = glow.constant dense<[[1, 2]]> : tensor<1x2xi64>
  %t = glow.tile %y, %shape : (tensor<1x2xi64>, tensor<2xi64>) -> tensor<1x4xi64>
  return %e, %t : tensor<2x2xi64>, tensor<1x4xi64>
}

// CHECK-LABEL: func.func @range
// CHECK-DAG: dense<[10, 6, 2, -2]> : tensor<4xi64>
// CHECK-DAG: dense<[1.000000e+00, 1.250000e+00, 1.500000e+00]> : tensor<3xf32>
func.func @range() -> (tensor<?xi64>, tensor<?xf32>) {
  %a = glow.constant dense<10> : tensor<i64>
  %b = glow.constant dense<-3> : tensor<i64>
  %c = glow.constant dense<-4> : tensor<i64>
  %i = glow.range %a, %b, %c : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %d = glow.constant dense<1.0> : tensor<f32>
  %e = glow.constant dense<1.6> : tensor<f32>
  %f = glow.constant dense<0.25> : tensor<f32>
  %r = glow.range %d, %e, %f : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<?xf32>
  return %i, %r : tensor<?xi64>, tensor<?xf32>
}

// CHECK-LABEL: func.func @trilu
// CHECK-DAG: dense<{{\[\[}}1, 2], [0, 4]]> : tensor<2x2xi64>
// CHECK-DAG: dense<{{\[\[}}0, 0], [3, 0]]> : tensor<2x2xi64>
func.func @trilu() -> (tensor<2x2xi64>, tensor<2x2xi64>) {
  %x = glow.constant dense<[[1, 2], [3, 4]]> : tensor<2x2xi64>
  %k = glow.constant dense<-1> : tensor<i64>
  %u = glow.trilu %x {upper} : (tensor<2x2xi64>) -> tensor<2x2xi64>
  %l = glow.trilu %x, %k : (tensor<2x2xi64>, tensor<i64>) -> tensor<2x2xi64>
  return %u, %l : tensor<2x2xi64>, tensor<2x2xi64>
}

// CHECK-LABEL: func.func @ranks
// CHECK-DAG: dense<{{\[\[}}1, 2], [3, 4]]> : tensor<2x2xi64>
// CHECK-DAG: dense<{{\[\[}}1, 2, 3, 4]]> : tensor<1x4xi64>
// CHECK-DAG: dense<{{\[\[\[\[}}1, 2]], {{\[\[}}3, 4]]]]> : tensor<1x2x1x2xi64>
func.func @ranks() -> (tensor<2x2xi64>, tensor<1x4xi64>, tensor<1x2x1x2xi64>) {
  %x = glow.constant dense<[[[1, 2], [3, 4]]]> : tensor<1x2x2xi64>
  %s = glow.squeeze %x {axes = array<i64: 0>} : (tensor<1x2x2xi64>) -> tensor<2x2xi64>
  %f = glow.flatten %x {axis = 1 : i64} : (tensor<1x2x2xi64>) -> tensor<1x4xi64>
  %u = glow.unsqueeze %x {axes = array<i64: 2>} : (tensor<1x2x2xi64>) -> tensor<1x2x1x2xi64>
  return %s, %f, %u : tensor<2x2xi64>, tensor<1x4xi64>, tensor<1x2x1x2xi64>
}
