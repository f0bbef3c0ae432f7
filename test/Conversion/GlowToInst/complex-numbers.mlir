// RUN: glow-opt %s -convert-glow-to-inst | FileCheck %s

// Complex numbers move as integers of their size do.
// CHECK-LABEL: func.func @transpose(
// CHECK: %[[V:.+]] = glow_inst.view %arg0 : memref<2x3xsi64> to memref<3x2xsi64, strided<[1, 3]>>
// CHECK: glow_inst.copy %[[V]] -> %arg1
func.func @transpose(%x: tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>> {
  %0 = glow.transpose %x {permutation = array<i64: 1, 0>} : (tensor<2x3xcomplex<f32>>) -> tensor<3x2xcomplex<f32>>
  return %0 : tensor<3x2xcomplex<f32>>
}

// CHECK-LABEL: func.func @constant(
// CHECK: %[[C:.+]] = glow_inst.constant dense<[(1.000000e+00,2.000000e+00), (0.000000e+00,-1.000000e+00)]> : tensor<2xcomplex<f64>> -> memref<2xsi128>
// CHECK: glow_inst.copy %[[C]] -> %arg0
func.func @constant() -> tensor<2xcomplex<f64>> {
  %0 = glow.constant dense<[(1.0, 2.0), (0.0, -1.0)]> : tensor<2xcomplex<f64>>
  return %0 : tensor<2xcomplex<f64>>
}

// CHECK-LABEL: func.func @pad(
// CHECK: glow_inst.fill
func.func @pad(%x: tensor<2xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  %p = glow.constant dense<[1, 0]> : tensor<2xi64>
  %0 = glow.pad constant %x, %p : (tensor<2xcomplex<f32>>, tensor<2xi64>) -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}
