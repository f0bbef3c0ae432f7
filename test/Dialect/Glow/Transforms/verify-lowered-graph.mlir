// RUN: glow-opt %s -glow-verify-lowered-graph=keep=glow.softmax | FileCheck %s

// CHECK-LABEL: func.func @kept_composite_op
// CHECK: glow.softmax
func.func @kept_composite_op(%x: tensor<2x8xf32>) -> tensor<2x8xf32> {
  %0 = glow.softmax %x {axis = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}
