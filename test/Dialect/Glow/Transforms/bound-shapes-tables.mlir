// RUN: glow-opt %s --glow-bound-shapes="bounds=n=1..8" --cse | FileCheck %s
// Indices into several tables lie in one matrix that the function is given. All
// are masked at once, rather than those of each table.

// CHECK-LABEL: func.func @tables(
// CHECK: %[[ALL:.+]] = glow.where %{{.+}}, %arg2, %{{.+}} : (tensor<8x1xi1>, tensor<8x3xi64>, tensor<i64>) -> tensor<8x3xi64>
// CHECK: %[[FIRST:.+]] = glow.gather %[[ALL]], %{{.+}} {axis = 1 : i64}
// CHECK: %[[CHECKED:.+]] = glow.require %[[FIRST]],
// CHECK-NEXT: glow.gather %arg0, %[[CHECKED]] {axis = 0 : i64}
// CHECK: %[[OTHER:.+]] = glow.slice %[[ALL]],
// CHECK-NEXT: %[[FLAT:.+]] = glow.squeeze %[[OTHER]]
// CHECK-NEXT: glow.gather %arg1, %[[FLAT]] {axis = 0 : i64}
func.func @tables(%a: tensor<5x4xf32> {glow.name = "a"}, %b: tensor<9x4xf32> {glow.name = "b"}, %indices: tensor<?x3xi64> {glow.name = "indices", glow.dim_names = ["n", ""]}) -> (tensor<?x4xf32>, tensor<?x4xf32>) {
  %0 = glow.constant dense<0> : tensor<i64>
  %1 = glow.constant dense<1> : tensor<1xi64>
  %2 = glow.constant dense<2> : tensor<1xi64>
  %first = glow.gather %indices, %0 {axis = 1 : i64} : (tensor<?x3xi64>, tensor<i64>) -> tensor<?xi64>
  %negative = glow.less %first, %0 : (tensor<?xi64>, tensor<i64>) -> tensor<?xi1>
  %bad = glow.reduce max %negative {axes = array<i64: 0>} : (tensor<?xi1>) -> tensor<i1>
  %checked = glow.require %first, %bad {message = "an index is out of range"} : (tensor<?xi64>, tensor<i1>) -> tensor<?xi64>
  %x = glow.gather %a, %checked {axis = 0 : i64} : (tensor<5x4xf32>, tensor<?xi64>) -> tensor<?x4xf32>
  %other = glow.slice %indices, %1, %2, %1 {axes = array<i64: 1>} : (tensor<?x3xi64>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x1xi64>
  %flat = glow.squeeze %other {axes = array<i64: 1>} : (tensor<?x1xi64>) -> tensor<?xi64>
  %y = glow.gather %b, %flat {axis = 0 : i64} : (tensor<9x4xf32>, tensor<?xi64>) -> tensor<?x4xf32>
  return %x, %y : tensor<?x4xf32>, tensor<?x4xf32>
}
