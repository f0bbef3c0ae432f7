// RUN: glow-opt %s --glow-bound-shapes="bounds=n=1..8" --canonicalize | FileCheck %s

// CHECK: [[STEPS:#.+]] = affine_map<()[s0] -> (1, s0)>

// Steps are made as many as there are.
// CHECK-LABEL: func.func @steps(
// CHECK: glow.for_steps @add steps %{{.+}} : tensor<i64> histories(%{{.+}} : tensor<1x4xf32>) rows(%arg0 : tensor<1x8x4xf32>) {extents = [[STEPS]]} -> tensor<1x9x4xf32>
// CHECK: func.func private @add
// CHECK-SAME: glow.steps = array<i64: 0, 1, 1, 8, 9>
func.func @steps(%x: tensor<1x?x4xf32> {glow.name = "x", glow.dim_names = ["", "n", ""]}, %zero: tensor<1x4xf32>) -> tensor<1x?x4xf32> {
  %y = glow.for_steps @add histories(%zero : tensor<1x4xf32>) rows(%x : tensor<1x?x4xf32>) -> tensor<1x?x4xf32>
  return %y : tensor<1x?x4xf32>
}
func.func private @add(%sum: tensor<1x4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, 1, 1, -9223372036854775808, -9223372036854775808>} {
  %y = glow.add %sum, %x : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
