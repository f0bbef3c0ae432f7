// RUN: glow-opt %s --glow-bound-shapes=bounds=n=1..4 | FileCheck %s

// The images are normalised as they lie, also where the batch is open.
// CHECK-LABEL: func.func @images
// CHECK-NOT: glow.reshape %arg0
// CHECK: glow.reduce mean %arg0 {axes = array<i64: 2, 3>, keep_dims}
func.func @images(%x: tensor<?x6x5x5xf32> {glow.name = "x", glow.dim_names = ["n", "", "", ""]}, %s: tensor<3xf32> {glow.name = "s"}) -> tensor<?x3x50xf32> {
  %shape = glow.constant dense<[0, 3, -1]> : tensor<3xi64>
  %0 = glow.reshape %x, %shape : (tensor<?x6x5x5xf32>, tensor<3xi64>) -> tensor<?x3x50xf32>
  %1 = glow.group_norm %0, %s, %s {groups = 3 : i64, epsilon = 1.0e-5 : f64} : (tensor<?x3x50xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<?x3x50xf32>
  return %1 : tensor<?x3x50xf32>
}
