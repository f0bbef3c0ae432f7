// RUN: glow-opt %s -glow-fold-constants | FileCheck %s

// CHECK-LABEL: func.func @broadcasting
// CHECK-NEXT: dense<{{\[\[}}3.000000e+00, 5.000000e+00, 6.500000e+00], [5.000000e+00, 7.000000e+00, 8.500000e+00]]> : tensor<2x3xf32>
func.func @broadcasting() -> tensor<2x3xf32> {
  %row = glow.constant dense<[1.0, 3.0, 4.5]> : tensor<3xf32>
  %column = glow.constant dense<[[2.0], [4.0]]> : tensor<2x1xf32>
  %r = glow.add %row, %column : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @empty
// CHECK-NEXT: dense<> : tensor<2x0x3xf32>
func.func @empty() -> tensor<2x0x3xf32> {
  %x = glow.constant dense<> : tensor<2x0x3xf32>
  %y = glow.constant dense<1.0> : tensor<1x3xf32>
  %r = glow.mul %x, %y : (tensor<2x0x3xf32>, tensor<1x3xf32>) -> tensor<2x0x3xf32>
  return %r : tensor<2x0x3xf32>
}

// 0x7FC00000 is NaN.
// CHECK-LABEL: func.func @nan_is_maximum
// CHECK-NEXT: dense<[0x7FC00000, 0x7FC00000, 2.000000e+00]> : tensor<3xf32>
func.func @nan_is_maximum() -> tensor<3xf32> {
  %x = glow.constant dense<[0x7FC00000, 1.0, 1.0]> : tensor<3xf32>
  %y = glow.constant dense<[1.0, 0x7FC00000, 2.0]> : tensor<3xf32>
  %r = glow.maximum %x, %y : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// CHECK-LABEL: func.func @compare_nan
// CHECK-DAG: dense<[false, true]> : tensor<2xi1>
// CHECK-DAG: dense<true> : tensor<2xi1>
func.func @compare_nan() -> (tensor<2xi1>, tensor<2xi1>) {
  %x = glow.constant dense<[0x7FC00000, 1.0]> : tensor<2xf32>
  %y = glow.constant dense<[0x7FC00000, 2.0]> : tensor<2xf32>
  %less = glow.less %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %differs = glow.not_equal %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %less, %differs : tensor<2xi1>, tensor<2xi1>
}

// Each op rounds to its own type: 2049 is not an f16.
// CHECK-LABEL: func.func @rounds_to_f16
// CHECK-NEXT: dense<[2.048000e+03, 2.052000e+03, 0x7C00]> : tensor<3xf16>
func.func @rounds_to_f16() -> tensor<3xf16> {
  %x = glow.constant dense<[2048.0, 2048.0, 65504.0]> : tensor<3xf16>
  %y = glow.constant dense<[1.0, 3.0, 65504.0]> : tensor<3xf16>
  %r = glow.add %x, %y : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
  return %r : tensor<3xf16>
}

// CHECK-LABEL: func.func @where
// CHECK-NEXT: dense<[1, 20, 3]> : tensor<3xi64>
func.func @where() -> tensor<3xi64> {
  %c = glow.constant dense<[true, false, true]> : tensor<3xi1>
  %x = glow.constant dense<[1, 2, 3]> : tensor<3xi64>
  %y = glow.constant dense<20> : tensor<i64>
  %r = glow.where %c, %x, %y : (tensor<3xi1>, tensor<3xi64>, tensor<i64>) -> tensor<3xi64>
  return %r : tensor<3xi64>
}

// CHECK-LABEL: func.func @functions
// CHECK-DAG: dense<[-5.000000e-01, 0.000000e+00, 2.000000e+00]> : tensor<3xf32>
// CHECK-DAG: dense<[-2.000000e+00, 0.000000e+00, 2.000000e+00]> : tensor<3xf32>
func.func @functions() -> (tensor<3xf32>, tensor<3xf32>) {
  %x = glow.constant dense<[-2.5, 0.25, 2.0]> : tensor<3xf32>
  %zero = glow.constant dense<[-2.0, 0.0, 2.0]> : tensor<3xf32>
  %leaky = glow.leaky_relu %zero {alpha = 0.25 : f64} : (tensor<3xf32>) -> tensor<3xf32>
  %round = glow.round %x : (tensor<3xf32>) -> tensor<3xf32>
  return %leaky, %round : tensor<3xf32>, tensor<3xf32>
}

// The region computes in chunks; this result has more than one.
// CHECK-LABEL: func.func @map
// CHECK-NEXT: dense<3.000000e+00> : tensor<3x700xf32>
func.func @map() -> tensor<3x700xf32> {
  %x = glow.constant dense<1.0> : tensor<700xf32>
  %y = glow.constant dense<2.0> : tensor<3x1xf32>
  %r = glow.map %x, %y {element_type = f32} do {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    glow.yield %s : f32
  } : (tensor<700xf32>, tensor<3x1xf32>) -> tensor<3x700xf32>
  return %r : tensor<3x700xf32>
}

// A remainder of 0 has the divisor's sign, one next to infinity becomes it.
// CHECK-LABEL: func.func @mod_of_floats
// CHECK-NEXT: dense<[2.000000e+00, -3.000000e+00, -0.000000e+00, 0.000000e+00, 0x7F800000, 3.000000e+00]> : tensor<6xf32>
func.func @mod_of_floats() -> tensor<6xf32> {
  %x = glow.constant dense<[-4.0, 6.0, 4.0, -4.0, -3.0, 3.0]> : tensor<6xf32>
  %y = glow.constant dense<[3.0, -9.0, -2.0, 2.0, 0x7F800000, 0x7F800000]> : tensor<6xf32>
  %r = glow.mod %x, %y : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
