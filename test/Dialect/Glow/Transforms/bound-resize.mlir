// RUN: glow-opt %s --split-input-file --glow-bound-shapes="bounds=n=4..8:4" | FileCheck %s

// Where elements are repeated, extents do not matter. All are multiples of 4.
// CHECK: #[[OUT:.+]] = affine_map<()[s0] -> ((s0 floordiv 4) * 8, 3)>
// CHECK-LABEL: func.func @repeated(
// CHECK-SAME: tensor<8x3xf32> {{{.*}}glow.extents = affine_map<()[s0] -> ((s0 floordiv 4) * 4, 3)>}
// CHECK-SAME: -> (tensor<16x3xf32> {glow.extents = #[[OUT]]})
// CHECK-DAG: %[[SCALES:.+]] = glow.constant dense<[2.000000e+00, 1.000000e+00]>
// CHECK-DAG: %[[SIZES:.+]] = glow.constant dense<[16, 3]>
// CHECK: glow.resize %arg0, %[[SCALES]], %[[SIZES]] {{.*}} : (tensor<8x3xf32>, tensor<2xf32>, tensor<2xi64>) -> tensor<16x3xf32>
func.func @repeated(%x: tensor<?x3xf32> {glow.dim_names = ["n", ""]}) -> tensor<?x3xf32> {
  %scales = glow.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %two = glow.constant dense<[2, 1]> : tensor<2xi64>
  %shape = glow.shape_of %x {start = 0 : i64, end = 2 : i64} : (tensor<?x3xf32>) -> tensor<2xi64>
  %sizes = glow.mul %shape, %two : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = glow.resize %x, %scales, %sizes {mode = "nearest", coordinate_mode = "asymmetric", nearest_mode = "floor", cubic_coeff = -0.75 : f64} : (tensor<?x3xf32>, tensor<2xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// -----

// The last element is where the extent says. A scale of 0 is the ratio.
// CHECK-LABEL: func.func @weighted(
// CHECK: %[[N:.+]] = glow.gather %arg1
// CHECK: glow.floor
// CHECK: %[[I:.+]] = glow.clamp %{{.+}}, %{{.+}}, %[[LAST:.+]] : (tensor<16xi64>, tensor<i64>, tensor<i64>) -> tensor<16xi64>
// CHECK: glow.gather %arg0, %[[I]] {axis = 0 : i64} : (tensor<8x3xf32>, tensor<16xi64>) -> tensor<16x3xf32>
// CHECK: glow.clamp %{{.+}}, %{{.+}}, %[[LAST]]
// CHECK: glow.gather %arg0
// CHECK-NOT: glow.resize
func.func @weighted(%x: tensor<?x3xf32> {glow.dim_names = ["n", ""]}) -> tensor<?x3xf32> {
  %scales = glow.constant dense<[0.0, 0.0]> : tensor<2xf32>
  %two = glow.constant dense<[2, 1]> : tensor<2xi64>
  %shape = glow.shape_of %x {start = 0 : i64, end = 2 : i64} : (tensor<?x3xf32>) -> tensor<2xi64>
  %sizes = glow.mul %shape, %two : (tensor<2xi64>, tensor<2xi64>) -> tensor<2xi64>
  %r = glow.resize %x, %scales, %sizes {mode = "linear", coordinate_mode = "half_pixel", nearest_mode = "floor", cubic_coeff = -0.75 : f64} : (tensor<?x3xf32>, tensor<2xf32>, tensor<2xi64>) -> tensor<?x3xf32>
  return %r : tensor<?x3xf32>
}

// -----

// Of multiples of 4 a half of every second element is the half of all.
// CHECK-LABEL: func.func @halves(
// CHECK-NOT: glow.where
// CHECK: glow.add
func.func @halves(%x: tensor<?x3xf32> {glow.dim_names = ["n", ""]}) -> tensor<?x6xf32> {
  %zero = glow.constant dense<0> : tensor<1xi64>
  %end = glow.constant dense<9223372036854775807> : tensor<1xi64>
  %two = glow.constant dense<2> : tensor<1xi64>
  %six = glow.constant dense<6> : tensor<1xi64>
  %n = glow.shape_of %x {start = 0 : i64, end = 1 : i64} : (tensor<?x3xf32>) -> tensor<1xi64>
  %half = glow.div %n, %two : (tensor<1xi64>, tensor<1xi64>) -> tensor<1xi64>
  %shape = glow.concat %half, %six {axis = 0 : i64} : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %r = glow.reshape %x, %shape : (tensor<?x3xf32>, tensor<2xi64>) -> tensor<?x6xf32>
  %s = glow.slice %x, %zero, %end, %two {axes = array<i64: 0>} : (tensor<?x3xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x3xf32>
  %t = glow.concat %s, %s {axis = 1 : i64} : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x6xf32>
  %a = glow.add %r, %t : (tensor<?x6xf32>, tensor<?x6xf32>) -> tensor<?x6xf32>
  return %a : tensor<?x6xf32>
}
