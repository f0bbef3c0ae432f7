// RUN: glow-opt %s -glow-decompose | FileCheck %s

// CHECK-LABEL: func.func @mean
// CHECK: %[[SUM:.+]] = glow.reduce sum %arg0 {axes = array<i64: 1>}
// CHECK: glow.constant dense<1.250000e-01>
// CHECK: glow.mul %[[SUM]]
func.func @mean(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %0 = glow.reduce mean %x {axes = array<i64: 1>} : (tensor<?x8xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// How many elements there are is not known yet.
// CHECK-LABEL: func.func @mean_over_dynamic_axis
// CHECK: glow.reduce mean
func.func @mean_over_dynamic_axis(%x: tensor<?x8xf32>) -> tensor<8xf32> {
  %0 = glow.reduce mean %x {axes = array<i64: 0>} : (tensor<?x8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
