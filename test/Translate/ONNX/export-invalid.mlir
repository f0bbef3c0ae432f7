// RUN: not glow-translate --export-onnx %s -o %t.onnx 2>&1 | FileCheck %s
// RUN: not ls %t.onnx

// CHECK: error: cannot be written as ONNX with an epilogue
// CHECK: error: 'glow.map' has no ONNX form
// CHECK: error: cannot be written as ONNX
func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = glow.matmul %a, %a do {
  ^bb0(%x: f32):
    %y = arith.negf %x : f32
    glow.yield %y : f32
  } : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  %1 = glow.map %0 {element_type = f32} do {
  ^bb0(%x: f32):
    glow.yield %x : f32
  } : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}
