// RUN: glow-opt %s --canonicalize | FileCheck %s

// Rows that follow each other are a slice that is assigned to.
// CHECK-LABEL: func.func @assigned_slice
// CHECK: %[[FIRST:.+]] = glow.slice %arg0, {{.*}} {axes = array<i64: 0>} : (tensor<5x?xf32>, {{.*}} -> tensor<1x?xf32>
// CHECK: %[[LAST:.+]] = glow.slice %arg0, {{.*}} {axes = array<i64: 0>} : (tensor<5x?xf32>, {{.*}} -> tensor<1x?xf32>
// CHECK: glow.concat %[[FIRST]], %arg1, %[[LAST]] {axis = 0 : i64}
// CHECK-NOT: glow.scatter_nd
func.func @assigned_slice(%x: tensor<5x?xf32>, %u: tensor<3x?xf32>) -> tensor<5x?xf32> {
  %i = glow.constant dense<[[1], [-3], [3]]> : tensor<3x1xi64>
  %0 = glow.scatter_nd none %x, %i, %u : (tensor<5x?xf32>, tensor<3x1xi64>, tensor<3x?xf32>) -> tensor<5x?xf32>
  return %0 : tensor<5x?xf32>
}

// CHECK-LABEL: func.func @all_rows
// CHECK-NEXT: return %arg1
func.func @all_rows(%x: tensor<2x4xf32>, %u: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %i = glow.constant dense<[[0], [1]]> : tensor<2x1xi64>
  %0 = glow.scatter_nd none %x, %i, %u : (tensor<2x4xf32>, tensor<2x1xi64>, tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// Few rows are written where the others are; others are no slice.
// CHECK-LABEL: func.func @no_slices
// CHECK-COUNT-4: glow.scatter_nd
func.func @no_slices(%x: tensor<5x2xf32>, %u: tensor<2x2xf32>, %v: tensor<3x2xf32>)
    -> (tensor<5x2xf32>, tensor<5x2xf32>, tensor<5x2xf32>, tensor<5x2xf32>) {
  %few = glow.constant dense<[[1], [2]]> : tensor<2x1xi64>
  %gap = glow.constant dense<[[0], [1], [3]]> : tensor<3x1xi64>
  %beyond = glow.constant dense<[[3], [4], [5]]> : tensor<3x1xi64>
  %rows = glow.constant dense<[[0], [1], [2]]> : tensor<3x1xi64>
  %0 = glow.scatter_nd none %x, %few, %u : (tensor<5x2xf32>, tensor<2x1xi64>, tensor<2x2xf32>) -> tensor<5x2xf32>
  %1 = glow.scatter_nd none %x, %gap, %v : (tensor<5x2xf32>, tensor<3x1xi64>, tensor<3x2xf32>) -> tensor<5x2xf32>
  %2 = glow.scatter_nd none %x, %beyond, %v : (tensor<5x2xf32>, tensor<3x1xi64>, tensor<3x2xf32>) -> tensor<5x2xf32>
  %3 = glow.scatter_nd add %x, %rows, %v : (tensor<5x2xf32>, tensor<3x1xi64>, tensor<3x2xf32>) -> tensor<5x2xf32>
  return %0, %1, %2, %3 : tensor<5x2xf32>, tensor<5x2xf32>, tensor<5x2xf32>, tensor<5x2xf32>
}
