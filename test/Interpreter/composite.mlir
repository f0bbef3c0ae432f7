// RUN: glow-opt %s -glow-fold-constants | FileCheck %s

// Composite ops are decomposed on the side and evaluated.
// CHECK-LABEL: func.func @dequantize
// CHECK-NEXT: dense<{{\[\[}}-5.000000e-01, 0.000000e+00], [1.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
func.func @dequantize() -> tensor<2x2xf32> {
  %x = glow.constant dense<[[127, 128], [129, 132]]> : tensor<2x2xui8>
  %s = glow.constant dense<[0.5, 1.0]> : tensor<2xf32>
  %z = glow.constant dense<128> : tensor<2xui8>
  %r = glow.dequantize %x, %s, %z {axis = 0 : i64} : (tensor<2x2xui8>, tensor<2xf32>, tensor<2xui8>) -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}

// CHECK-LABEL: func.func @gemm
// CHECK-NEXT: dense<{{\[\[}}7.000000e+00, 9.000000e+00]]> : tensor<1x2xf32>
func.func @gemm() -> tensor<1x2xf32> {
  %a = glow.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %b = glow.constant dense<[[1.0, 1.0], [1.0, 2.0]]> : tensor<2x2xf32>
  %c = glow.constant dense<[1.0, -1.0]> : tensor<2xf32>
  %r = glow.gemm %a, %b, %c {alpha = 2.0 : f64, beta = 1.0 : f64, trans_b} : (tensor<1x2xf32>, tensor<2x2xf32>, tensor<2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}

// CHECK-LABEL: func.func @softmax
// CHECK-NEXT: dense<5.000000e-01> : tensor<1x2xf32>
func.func @softmax() -> tensor<1x2xf32> {
  %x = glow.constant dense<1000.0> : tensor<1x2xf32>
  %r = glow.softmax %x {axis = 1 : i64} : (tensor<1x2xf32>) -> tensor<1x2xf32>
  return %r : tensor<1x2xf32>
}
