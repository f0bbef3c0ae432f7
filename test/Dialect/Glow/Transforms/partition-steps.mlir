// RUN: glow-opt %s -glow-partition="target=cpu" | FileCheck %s

// The body of a loop over steps goes where the loop goes.
// CHECK-LABEL: func.func @main(
// CHECK: glow.launch @part0::@main(
// CHECK: module @part0
// CHECK: func.func @main(
// CHECK: glow.for_steps @add
// CHECK: func.func private @add(
// CHECK-NOT: func.func
func.func @main(%x: tensor<1x8x4xf32> {glow.name = "x"}, %zero: tensor<1x4xf32> {glow.name = "zero"}) -> (tensor<1x9x4xf32> {glow.name = "y"}) {
  %y = glow.for_steps @add histories(%zero : tensor<1x4xf32>) rows(%x : tensor<1x8x4xf32>) -> tensor<1x9x4xf32>
  return %y : tensor<1x9x4xf32>
}
func.func private @add(%sum: tensor<1x4xf32>, %x: tensor<1x4xf32>) -> tensor<1x4xf32> attributes {glow.steps = array<i64: 0, 1, 1, 8, 9>} {
  %y = glow.add %sum, %x : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<1x4xf32>
  return %y : tensor<1x4xf32>
}
