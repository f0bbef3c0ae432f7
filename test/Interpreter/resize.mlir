// RUN: glow-opt %s -glow-fold-constants | FileCheck %s

// CHECK-LABEL: func.func @nearest
// CHECK-NEXT: dense<[1, 1, 2, 2]> : tensor<4xi32>
func.func @nearest() -> tensor<4xi32> {
  %x = glow.constant dense<[1, 2]> : tensor<2xi32>
  %scale = glow.constant dense<2.0> : tensor<1xf32>
  %size = glow.constant dense<4> : tensor<1xi64>
  %r = glow.resize %x, %scale, %size {mode = "nearest", coordinate_mode = "asymmetric", nearest_mode = "floor", cubic_coeff = -0.75 : f64} : (tensor<2xi32>, tensor<1xf32>, tensor<1xi64>) -> tensor<4xi32>
  return %r : tensor<4xi32>
}

// CHECK-LABEL: func.func @linear
// CHECK-NEXT: dense<[1.000000e+00, 1.250000e+00, 1.750000e+00, 2.000000e+00]> : tensor<4xf32>
func.func @linear() -> tensor<4xf32> {
  %x = glow.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %scale = glow.constant dense<2.0> : tensor<1xf32>
  %size = glow.constant dense<4> : tensor<1xi64>
  %r = glow.resize %x, %scale, %size {mode = "linear", coordinate_mode = "half_pixel", nearest_mode = "floor", cubic_coeff = -0.75 : f64} : (tensor<2xf32>, tensor<1xf32>, tensor<1xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// The weights of the four neighbours sum to one.
// CHECK-LABEL: func.func @cubic
// CHECK-NEXT: dense<1.000000e+00> : tensor<4xf32>
func.func @cubic() -> tensor<4xf32> {
  %x = glow.constant dense<1.0> : tensor<2xf32>
  %scale = glow.constant dense<2.0> : tensor<1xf32>
  %size = glow.constant dense<4> : tensor<1xi64>
  %r = glow.resize %x, %scale, %size {mode = "cubic", coordinate_mode = "half_pixel", nearest_mode = "floor", cubic_coeff = -0.75 : f64} : (tensor<2xf32>, tensor<1xf32>, tensor<1xi64>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}
