// RUN: glow-opt %s -glow-decompose | FileCheck %s

// CHECK-LABEL: func.func @mean
// CHECK: %[[SUM:.+]] = glow.reduce sum %arg0 {axes = array<i64: 1>}
// CHECK: glow.constant dense<1.250000e-01>
// CHECK: glow.mul %[[SUM]]
func.func @mean(%x: tensor<?x8xf32>) -> tensor<?xf32> {
  %0 = glow.reduce mean %x {axes = array<i64: 1>} : (tensor<?x8xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// The sum of halves alone might be too large.
// CHECK-LABEL: func.func @mean_of_halves
// CHECK: %[[WIDE:.+]] = glow.cast %arg0 {to = f32} : (tensor<?x8xf16>) -> tensor<?x8xf32>
// CHECK: %[[SUM:.+]] = glow.reduce sum %[[WIDE]] {axes = array<i64: 1>}
// CHECK: %[[MEAN:.+]] = glow.mul %[[SUM]]
// CHECK: glow.cast %[[MEAN]] {to = f16} : (tensor<?xf32>) -> tensor<?xf16>
func.func @mean_of_halves(%x: tensor<?x8xf16>) -> tensor<?xf16> {
  %0 = glow.reduce mean %x {axes = array<i64: 1>} : (tensor<?x8xf16>) -> tensor<?xf16>
  return %0 : tensor<?xf16>
}

// How many elements there are is not known yet.
// CHECK-LABEL: func.func @mean_over_dynamic_axis
// CHECK: glow.reduce mean
func.func @mean_over_dynamic_axis(%x: tensor<?x8xf32>) -> tensor<8xf32> {
  %0 = glow.reduce mean %x {axes = array<i64: 0>} : (tensor<?x8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
