// RUN: glow-opt %s -glow-partition="target=cpu" | FileCheck %s

// The body of a loop, and of a loop in it, goes where the loop goes.
// CHECK-LABEL: func.func @main(
// CHECK: glow.launch @part0::@main(
// CHECK: module @part0
// CHECK: func.func @main(
// CHECK: glow.loop @outer
// CHECK: func.func private @outer(
// CHECK: glow.loop @inner
// CHECK: func.func private @inner(
// CHECK-NOT: func.func
func.func @main(%x: tensor<f32> {glow.name = "x"}, %c: tensor<i1> {glow.name = "c"}) -> (tensor<f32> {glow.name = "y"}) {
  %r = glow.loop @outer while %c : tensor<i1> states(%x : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @outer(%i: tensor<i64>, %x: tensor<f32>) -> (tensor<i1>, tensor<f32>) attributes {glow.loop = array<i64: 1, 0>} {
  %c = glow.constant dense<true> : tensor<i1>
  %r = glow.loop @inner while %c : tensor<i1> states(%x : tensor<f32>) -> tensor<f32>
  %most = glow.constant dense<9.0> : tensor<f32>
  %more = glow.less %r, %most : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %more, %r : tensor<i1>, tensor<f32>
}
func.func private @inner(%i: tensor<i64>, %x: tensor<f32>) -> (tensor<i1>, tensor<f32>) attributes {glow.loop = array<i64: 1, 0>} {
  %y = glow.add %x, %x : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %most = glow.constant dense<2.0> : tensor<f32>
  %more = glow.less %y, %most : (tensor<f32>, tensor<f32>) -> tensor<i1>
  return %more, %y : tensor<i1>, tensor<f32>
}
