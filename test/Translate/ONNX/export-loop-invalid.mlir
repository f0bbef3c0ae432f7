// RUN: not glow-translate --export-onnx %s -o %t.onnx 2>&1 | FileCheck %s

// CHECK: error: 'glow.loop' op is in its own body
func.func @main(%x: tensor<f32>, %c: tensor<i1>) -> tensor<f32> {
  %r = glow.loop @body while %c : tensor<i1> states(%x : tensor<f32>) -> tensor<f32>
  return %r : tensor<f32>
}
func.func private @body(%i: tensor<i64>, %x: tensor<f32>) -> (tensor<i1>, tensor<f32>) attributes {glow.loop = array<i64: 1, 0>} {
  %c = glow.constant dense<true> : tensor<i1>
  %r = glow.loop @body while %c : tensor<i1> states(%x : tensor<f32>) -> tensor<f32>
  return %c, %r : tensor<i1>, tensor<f32>
}
