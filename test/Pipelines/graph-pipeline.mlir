// RUN: glow-opt %s -pass-pipeline='builtin.module(glow-graph-pipeline{shapes=x=1x3x32x32 pack-width=16})' | FileCheck %s
// RUN: glow-opt %s -pass-pipeline='builtin.module(glow-graph-pipeline{shapes=x=1x3x32x32 channels-last=false pack-width=0})' | FileCheck %s --check-prefix=PLAIN
// RUN: glow-opt %s -pass-pipeline='builtin.module(glow-graph-pipeline{shapes=x=1x3x32x32 bfloat16=true})' | FileCheck %s --check-prefix=BF16

// One reorder at the input, two fused convolutions, the mean and a product.
// CHECK-LABEL: func.func @residual_block
// CHECK: glow.transpose %arg0
// CHECK-NOT: glow.transpose
// CHECK: %[[A:.+]] = glow.conv {{.*}}packed = 16 : i64
// CHECK: arith.maximumf
// CHECK: glow.conv %[[A]], {{.*}} epilogue({{.*}}%[[A]]{{.*}})
// CHECK: arith.addf
// CHECK: arith.maximumf
// CHECK-NOT: glow.conv
// CHECK: glow.reduce sum {{.*}} {axes = array<i64: 1, 2>
// CHECK: glow.matmul
// CHECK-NOT: glow.transpose
// CHECK: return

// PLAIN-LABEL: func.func @residual_block
// PLAIN-NOT: glow.transpose
// PLAIN-NOT: packed
// PLAIN: return
func.func @residual_block(%x: tensor<?x3x32x32xf32> {glow.name = "x"}) -> tensor<?x4xf32> {
  %v = glow.constant dense<0.5> : tensor<8x3x3x3xf32>
  %w = glow.constant dense<0.25> : tensor<8x8x3x3xf32>
  %p = glow.constant dense<2.0> : tensor<8xf32>
  %fc = glow.constant dense<0.125> : tensor<4x8xf32>
  %c = glow.constant dense<1.0> : tensor<4xf32>
  %0 = glow.conv %x, %v {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<?x3x32x32xf32>, tensor<8x3x3x3xf32>) -> tensor<?x8x32x32xf32>
  %1 = glow.batch_norm %0, %p, %p, %p, %p {epsilon = 1.0e-5 : f64} : (tensor<?x8x32x32xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<?x8x32x32xf32>
  %2 = glow.relu %1 : (tensor<?x8x32x32xf32>) -> tensor<?x8x32x32xf32>
  %3 = glow.conv %2, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<?x8x32x32xf32>, tensor<8x8x3x3xf32>) -> tensor<?x8x32x32xf32>
  %4 = glow.batch_norm %3, %p, %p, %p, %p {epsilon = 1.0e-5 : f64} : (tensor<?x8x32x32xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<?x8x32x32xf32>
  %5 = glow.add %4, %2 : (tensor<?x8x32x32xf32>, tensor<?x8x32x32xf32>) -> tensor<?x8x32x32xf32>
  %6 = glow.relu %5 : (tensor<?x8x32x32xf32>) -> tensor<?x8x32x32xf32>
  %7 = glow.reduce mean %6 {axes = array<i64: 2, 3>, keep_dims} : (tensor<?x8x32x32xf32>) -> tensor<?x8x1x1xf32>
  %8 = glow.flatten %7 {axis = 1 : i64} : (tensor<?x8x1x1xf32>) -> tensor<?x8xf32>
  %9 = glow.gemm %8, %fc, %c {alpha = 1.0 : f64, beta = 1.0 : f64, trans_b} : (tensor<?x8xf32>, tensor<4x8xf32>, tensor<4xf32>) -> tensor<?x4xf32>
  return %9 : tensor<?x4xf32>
}

// Weights that two products read are packed and held once, rounded or not.
// CHECK-LABEL: func.func @shared_weights
// CHECK-COUNT-2: glow.constant dense_resource<{{.*}}> : tensor<
// CHECK-NOT: glow.constant dense_resource
// CHECK: return
// BF16-LABEL: func.func @shared_weights
// BF16-COUNT-2: glow.constant {{.*}}xbf16>
// BF16-NOT: glow.constant
// BF16: return
func.func @shared_weights(%x: tensor<2x64xf32>) -> tensor<2x32xf32> {
  %zero = glow.constant dense<0.0> : tensor<f32>
  %limit = glow.constant dense<2048.0> : tensor<f32>
  %one = glow.constant dense<1.0> : tensor<f32>
  %r = glow.range %zero, %limit, %one : (tensor<f32>, tensor<f32>, tensor<f32>) -> tensor<2048xf32>
  %narrow = glow.constant dense<[64, 32]> : tensor<2xi64>
  %wide = glow.constant dense<[32, 64]> : tensor<2xi64>
  %w = glow.reshape %r, %narrow : (tensor<2048xf32>, tensor<2xi64>) -> tensor<64x32xf32>
  %e = glow.reshape %r, %wide : (tensor<2048xf32>, tensor<2xi64>) -> tensor<32x64xf32>
  %0 = glow.matmul %x, %w : (tensor<2x64xf32>, tensor<64x32xf32>) -> tensor<2x32xf32>
  %1 = glow.matmul %0, %e : (tensor<2x32xf32>, tensor<32x64xf32>) -> tensor<2x64xf32>
  %2 = glow.matmul %1, %w : (tensor<2x64xf32>, tensor<64x32xf32>) -> tensor<2x32xf32>
  return %2 : tensor<2x32xf32>
}
