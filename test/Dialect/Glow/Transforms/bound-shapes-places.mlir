// RUN: glow-opt %s --glow-bound-shapes="bounds=n=1..8" --canonicalize | FileCheck %s

// Places that are counted in order only split the axis: rows of four, as
// PyTorch exports as_strided.
// CHECK-LABEL: func.func @in_order(
// CHECK-NOT: glow.gather
// CHECK: %[[R:.+]] = glow.reshape %arg0, %{{.+}} {allow_zero} : (tensor<8x4xf32>, tensor<3xi64>) -> tensor<8x4x1xf32>
// CHECK: return %[[R]]
func.func @in_order(%x: tensor<?x4xf32> {glow.name = "x", glow.dim_names = ["n", ""]}) -> tensor<?x4x1xf32> {
  %all = glow.constant dense<-1> : tensor<1xi64>
  %flat = glow.reshape %x, %all : (tensor<?x4xf32>, tensor<1xi64>) -> tensor<?xf32>
  %zero = glow.constant dense<0> : tensor<i64>
  %one = glow.constant dense<1> : tensor<i64>
  %four = glow.constant dense<4> : tensor<i64>
  %s = glow.shape_of %x {start = 0 : i64, end = 1 : i64} : (tensor<?x4xf32>) -> tensor<1xi64>
  %count = glow.squeeze %s {axes = array<i64: 0>} : (tensor<1xi64>) -> tensor<i64>
  %rows = glow.range %zero, %count, %one : (tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?xi64>
  %starts = glow.mul %rows, %four : (tensor<?xi64>, tensor<i64>) -> tensor<?xi64>
  %column = glow.unsqueeze %starts {axes = array<i64: 1, 2>} : (tensor<?xi64>) -> tensor<?x1x1xi64>
  %within = glow.constant dense<[[[0], [1], [2], [3]]]> : tensor<1x4x1xi64>
  %i = glow.add %column, %within : (tensor<?x1x1xi64>, tensor<1x4x1xi64>) -> tensor<?x4x1xi64>
  %r = glow.gather %flat, %i {axis = 0 : i64} : (tensor<?xf32>, tensor<?x4x1xi64>) -> tensor<?x4x1xf32>
  return %r : tensor<?x4x1xf32>
}
