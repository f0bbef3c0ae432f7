// RUN: glow-opt %s --glow-bound-shapes="bounds=n=1..8" --canonicalize --split-input-file | FileCheck %s

// What goes along an axis ends where valid elements do, and needs no mask.
// CHECK-LABEL: func.func @walks(
// CHECK-NOT: glow.where
// CHECK: glow.arg_reduce max %arg0 count(%[[N:.+]]) {axis = 1 : i64, select_last} : (tensor<3x8xf32>, tensor<i64>) -> tensor<3xi64>
// CHECK: glow.scan{{ +}}sum %arg0 count(%[[N]]) {axis = 1 : i64, reverse}
// CHECK: glow.scan{{ +}}sum %arg0 {axis = 1 : i64}
func.func @walks(%x: tensor<3x?xf32> {glow.name = "x", glow.dim_names = ["", "n"]}) -> (tensor<3xi64>, tensor<3x?xf32>, tensor<3x?xf32>) {
  %a = glow.arg_reduce max %x {axis = 1 : i64, select_last} : (tensor<3x?xf32>) -> tensor<3xi64>
  %b = glow.scan sum %x {axis = 1 : i64, reverse} : (tensor<3x?xf32>) -> tensor<3x?xf32>
  %c = glow.scan sum %x {axis = 1 : i64} : (tensor<3x?xf32>) -> tensor<3x?xf32>
  return %a, %b, %c : tensor<3xi64>, tensor<3x?xf32>, tensor<3x?xf32>
}

// -----

// A count that there is stays the most.
// CHECK-LABEL: func.func @counted(
// CHECK: %[[MOST:.+]] = glow.minimum %arg1, %{{.+}} : (tensor<i64>, tensor<i64>) -> tensor<i64>
// CHECK: glow.arg_reduce max %arg0 count(%[[MOST]])
func.func @counted(%x: tensor<3x?xf32> {glow.name = "x", glow.dim_names = ["", "n"]}, %count: tensor<i64> {glow.name = "count"}) -> tensor<3xi64> {
  %a = glow.arg_reduce max %x count(%count) {axis = 1 : i64} : (tensor<3x?xf32>, tensor<i64>) -> tensor<3xi64>
  return %a : tensor<3xi64>
}
