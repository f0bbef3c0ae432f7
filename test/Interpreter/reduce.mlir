// RUN: glow-opt %s -glow-fold-constants | FileCheck %s

// CHECK-LABEL: func.func @kinds
// CHECK-DAG: dense<[6, 15]> : tensor<2xi32>
// CHECK-DAG: dense<{{\[\[}}6], [120]]> : tensor<2x1xi32>
// CHECK-DAG: dense<[4, 5, 6]> : tensor<3xi32>
// CHECK-DAG: dense<1> : tensor<i32>
// CHECK-DAG: dense<[2, 3, 4]> : tensor<3xi32>
func.func @kinds() -> (tensor<2xi32>, tensor<2x1xi32>, tensor<3xi32>, tensor<i32>, tensor<3xi32>) {
  %x = glow.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %sum = glow.reduce sum %x {axes = array<i64: 1>} : (tensor<2x3xi32>) -> tensor<2xi32>
  %prod = glow.reduce prod %x {axes = array<i64: 1>, keep_dims} : (tensor<2x3xi32>) -> tensor<2x1xi32>
  %max = glow.reduce max %x {axes = array<i64: 0>} : (tensor<2x3xi32>) -> tensor<3xi32>
  %min = glow.reduce min %x {axes = array<i64: 0, 1>} : (tensor<2x3xi32>) -> tensor<i32>
  %mean = glow.reduce mean %x {axes = array<i64: 0>} : (tensor<2x3xi32>) -> tensor<3xi32>
  return %sum, %prod, %max, %min, %mean : tensor<2xi32>, tensor<2x1xi32>, tensor<3xi32>, tensor<i32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @empty_gives_neutral
// CHECK-DAG: dense<0.000000e+00> : tensor<2xf32>
// CHECK-DAG: dense<0xFF800000> : tensor<2xf32>
func.func @empty_gives_neutral() -> (tensor<2xf32>, tensor<2xf32>) {
  %x = glow.constant dense<> : tensor<2x0xf32>
  %sum = glow.reduce sum %x {axes = array<i64: 1>} : (tensor<2x0xf32>) -> tensor<2xf32>
  %max = glow.reduce max %x {axes = array<i64: 1>} : (tensor<2x0xf32>) -> tensor<2xf32>
  return %sum, %max : tensor<2xf32>, tensor<2xf32>
}

// CHECK-LABEL: func.func @nan
// CHECK-NEXT: dense<0x7FC00000> : tensor<f32>
func.func @nan() -> tensor<f32> {
  %x = glow.constant dense<[1.0, 0x7FC00000, 2.0]> : tensor<3xf32>
  %r = glow.reduce max %x {axes = array<i64: 0>} : (tensor<3xf32>) -> tensor<f32>
  return %r : tensor<f32>
}

// An f16 sum of so many ones would stop at 2048 if it were rounded each time.
// CHECK-LABEL: func.func @wide_accumulator
// CHECK-NEXT: dense<3.000000e+03> : tensor<f16>
func.func @wide_accumulator() -> tensor<f16> {
  %x = glow.constant dense<1.0> : tensor<3000xf16>
  %r = glow.reduce sum %x {axes = array<i64: 0>} : (tensor<3000xf16>) -> tensor<f16>
  return %r : tensor<f16>
}

// CHECK-LABEL: func.func @positions
// CHECK-DAG: dense<[1, 0]> : tensor<2xi64>
// CHECK-DAG: dense<{{\[\[}}2], [0]]> : tensor<2x1xi64>
func.func @positions() -> (tensor<2xi64>, tensor<2x1xi64>) {
  %x = glow.constant dense<[[1, 3, 3], [4, 2, 2]]> : tensor<2x3xi32>
  %first = glow.arg_reduce max %x {axis = 1 : i64} : (tensor<2x3xi32>) -> tensor<2xi64>
  %last = glow.arg_reduce max %x {axis = 1 : i64, keep_dims, select_last} : (tensor<2x3xi32>) -> tensor<2x1xi64>
  return %first, %last : tensor<2xi64>, tensor<2x1xi64>
}

// CHECK-LABEL: func.func @running_sums
// CHECK-DAG: dense<[1, 3, 6]> : tensor<3xi32>
// CHECK-DAG: dense<[5, 3, 0]> : tensor<3xi32>
func.func @running_sums() -> (tensor<3xi32>, tensor<3xi32>) {
  %x = glow.constant dense<[1, 2, 3]> : tensor<3xi32>
  %sum = glow.scan sum %x {axis = 0 : i64} : (tensor<3xi32>) -> tensor<3xi32>
  %back = glow.scan sum %x {axis = 0 : i64, exclusive, reverse} : (tensor<3xi32>) -> tensor<3xi32>
  return %sum, %back : tensor<3xi32>, tensor<3xi32>
}

// CHECK-LABEL: func.func @running_products
// CHECK-DAG: dense<[2, 6, 24]> : tensor<3xui8>
// CHECK-DAG: dense<[1.200000e+01, 4.000000e+00, 1.000000e+00]> : tensor<3xf16>
func.func @running_products() -> (tensor<3xui8>, tensor<3xf16>) {
  %x = glow.constant dense<[2, 3, 4]> : tensor<3xui8>
  %product = glow.scan prod %x {axis = 0 : i64} : (tensor<3xui8>) -> tensor<3xui8>
  %y = glow.constant dense<[2.0, 3.0, 4.0]> : tensor<3xf16>
  %back = glow.scan prod %y {axis = 0 : i64, exclusive, reverse} : (tensor<3xf16>) -> tensor<3xf16>
  return %product, %back : tensor<3xui8>, tensor<3xf16>
}

// CHECK-LABEL: func.func @top_k
// CHECK-DAG: dense<3> : tensor<2xi32>
// CHECK-DAG: dense<[1, 2]> : tensor<2xi64>
func.func @top_k() -> (tensor<2xi32>, tensor<2xi64>) {
  %x = glow.constant dense<[1, 3, 3, 2]> : tensor<4xi32>
  %k = glow.constant dense<2> : tensor<1xi64>
  %v, %i = glow.top_k %x, %k {axis = 0 : i64, largest} : (tensor<4xi32>, tensor<1xi64>) -> (tensor<2xi32>, tensor<2xi64>)
  return %v, %i : tensor<2xi32>, tensor<2xi64>
}
