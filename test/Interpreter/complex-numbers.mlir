// RUN: glow-opt %s -glow-fold-constants | FileCheck %s

// CHECK-LABEL: func.func @moved
// CHECK-NEXT: dense<[(0.000000e+00,3.000000e+00), (1.000000e+00,2.000000e+00)]> : tensor<2xcomplex<f32>>
func.func @moved() -> tensor<2xcomplex<f32>> {
  %x = glow.constant dense<[(1.0, 2.0), (0.0, 3.0)]> : tensor<2xcomplex<f32>>
  %i = glow.constant dense<[1, 0]> : tensor<2xi64>
  %r = glow.gather %x, %i {axis = 0 : i64} : (tensor<2xcomplex<f32>>, tensor<2xi64>) -> tensor<2xcomplex<f32>>
  return %r : tensor<2xcomplex<f32>>
}

// CHECK-LABEL: func.func @parts
// CHECK-DAG: dense<{{\[\[}}1.000000e+00, 2.000000e+00], [0.000000e+00, 3.000000e+00]]> : tensor<2x2xf64>
// CHECK-DAG: dense<[(1.000000e+00,2.000000e+00), (0.000000e+00,3.000000e+00)]> : tensor<2xcomplex<f64>>
func.func @parts() -> (tensor<2x2xf64>, tensor<2xcomplex<f64>>) {
  %x = glow.constant dense<[(1.0, 2.0), (0.0, 3.0)]> : tensor<2xcomplex<f64>>
  %p = glow.call_host "complex_to_parts"(%x) {core_rank = 0 : i64, cells = [tensor<2xf64>], config = {}} : (tensor<2xcomplex<f64>>) -> tensor<2x2xf64>
  %y = glow.call_host "parts_to_complex"(%p) {core_rank = 1 : i64, cells = [tensor<complex<f64>>], config = {}} : (tensor<2x2xf64>) -> tensor<2xcomplex<f64>>
  return %p, %y : tensor<2x2xf64>, tensor<2xcomplex<f64>>
}
