// RUN: glow-opt %s -glow-fuse-batch-norm | FileCheck %s
// RUN: glow-opt %s -glow-fuse-batch-norm -glow-fold-constants | FileCheck %s --check-prefix=FOLDED

// scale 2, bias 1, mean 3, variance 4, epsilon 0: factor 1, offset -2.
// FOLDED-LABEL: func.func @conv
// FOLDED-DAG: %[[W:.+]] = glow.constant dense<5.000000e+00> : tensor<2x3x1x1xf32>
// FOLDED-DAG: %[[B:.+]] = glow.constant dense<-2.000000e+00> : tensor<2xf32>
// FOLDED: glow.conv %arg0, %[[W]] bias(%[[B]])
// CHECK-LABEL: func.func @conv
// CHECK-NOT: glow.batch_norm
func.func @conv(%x: tensor<1x3x4x4xf32>) -> tensor<1x2x4x4xf32> {
  %w = glow.constant dense<5.0> : tensor<2x3x1x1xf32>
  %s = glow.constant dense<2.0> : tensor<2xf32>
  %b = glow.constant dense<1.0> : tensor<2xf32>
  %m = glow.constant dense<3.0> : tensor<2xf32>
  %v = glow.constant dense<4.0> : tensor<2xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  %1 = glow.batch_norm %0, %s, %b, %m, %v {epsilon = 0.0 : f64} : (tensor<1x2x4x4xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// CHECK-LABEL: func.func @gemm_with_bias
// CHECK-NOT: glow.batch_norm
// CHECK: glow.gemm %arg0, {{.*}} {alpha = 2.000000e+00 : f64, beta = 1.000000e+00 : f64, trans_b}
func.func @gemm_with_bias(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
  %w = glow.constant dense<5.0> : tensor<2x3xf32>
  %p = glow.constant dense<2.0> : tensor<2xf32>
  %0 = glow.gemm %x, %w, %p {alpha = 2.0 : f64, beta = 0.5 : f64, trans_b} : (tensor<4x3xf32>, tensor<2x3xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  %1 = glow.batch_norm %0, %p, %p, %p, %p {epsilon = 0.0 : f64} : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @raw_result_is_read_too
// CHECK: glow.batch_norm
func.func @raw_result_is_read_too(%x: tensor<4x3xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %w = glow.constant dense<5.0> : tensor<3x2xf32>
  %p = glow.constant dense<2.0> : tensor<2xf32>
  %0 = glow.matmul %x, %w : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = glow.batch_norm %0, %p, %p, %p, %p {epsilon = 0.0 : f64} : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// CHECK-LABEL: func.func @variable_parameters
// CHECK: glow.batch_norm
func.func @variable_parameters(%x: tensor<4x3xf32>, %p: tensor<2xf32>) -> tensor<4x2xf32> {
  %w = glow.constant dense<5.0> : tensor<3x2xf32>
  %0 = glow.matmul %x, %w : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = glow.batch_norm %0, %p, %p, %p, %p {epsilon = 0.0 : f64} : (tensor<4x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<4x2xf32>
  return %1 : tensor<4x2xf32>
}
