// RUN: glow-opt %s -canonicalize | FileCheck %s

// Mish as it is spelt where an exporter lacks the op, in both orders.
// CHECK-LABEL: func.func @mish(
// CHECK-NEXT: %[[LEFT:.+]] = glow.mish %arg0
// CHECK-NEXT: %[[RIGHT:.+]] = glow.mish %arg0
// CHECK-NEXT: return %[[LEFT]], %[[RIGHT]]
func.func @mish(%x: tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>) {
  %0 = glow.softplus %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %1 = glow.tanh %0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %2 = glow.mul %x, %1 : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  %3 = glow.mul %1, %x : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  return %2, %3 : tensor<2x3xf32>, tensor<2x3xf32>
}

// Of something else it is not.
// CHECK-LABEL: func.func @other(
// CHECK-NOT: glow.mish
func.func @other(%x: tensor<3xf32>, %y: tensor<3xf32>) -> tensor<3xf32> {
  %0 = glow.softplus %x : (tensor<3xf32>) -> tensor<3xf32>
  %1 = glow.tanh %0 : (tensor<3xf32>) -> tensor<3xf32>
  %2 = glow.mul %y, %1 : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}
