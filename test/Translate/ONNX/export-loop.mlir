// A loop is a node with its body, which sees the values around it. The rows that
// it collects are a state.
// RUN: glow-translate --export-onnx %s -o %t.onnx
// RUN: glow-translate --import-onnx %t.onnx | FileCheck %s
// RUN: glow-run %s --interpret --output-dir=%t.out
// RUN: glow-run %t.onnx --compare=%t.out

// CHECK: func.func @main(
// CHECK: %[[R:.+]]:2 = glow.loop @body while %{{.+}} states(%arg0, %{{.+}} : tensor<2xf32>, tensor<50x2xf32>) reads(%arg1 : tensor<2xf32>) -> tensor<2xf32>, tensor<50x2xf32>
// CHECK: func.func private @body(
// CHECK: glow.scatter_nd
func.func @main(%x: tensor<2xf32> {glow.name = "x"}, %w: tensor<2xf32> {glow.name = "w"}) -> (tensor<2xf32> {glow.name = "y"}, tensor<50x2xf32> {glow.name = "all"}) {
  %c = glow.constant dense<true> : tensor<i1>
  %r:2 = glow.loop @body while %c : tensor<i1> states(%x : tensor<2xf32>) reads(%w : tensor<2xf32>) -> tensor<2xf32>, tensor<50x2xf32>
  return %r#0, %r#1 : tensor<2xf32>, tensor<50x2xf32>
}
func.func private @body(%i: tensor<i64>, %x: tensor<2xf32>, %w: tensor<2xf32>) -> (tensor<i1>, tensor<2xf32>, tensor<2xf32>) attributes {glow.loop = array<i64: 1, 50>} {
  %y = glow.add %x, %w : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %last = glow.constant dense<40> : tensor<i64>
  %c = glow.less %i, %last : (tensor<i64>, tensor<i64>) -> tensor<i1>
  return %c, %y, %w : tensor<i1>, tensor<2xf32>, tensor<2xf32>
}
