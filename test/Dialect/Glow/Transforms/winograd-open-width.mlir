// RUN: glow-opt %s -glow-winograd-convs=target=l2=1M | FileCheck %s
// Of images of any width a band is one row of tiles, of which columns can be
// left out.

// CHECK-LABEL: func.func @fixed_width
//       CHECK: winograd = #glow.winograd<outputs = 2, rows = {{[2-9]|[1-9][0-9]}}>
func.func @fixed_width(%x: tensor<1x64x64x16xf32> {glow.extents = affine_map<()[s0] -> (1, s0, 64, 16)>}, %s: tensor<1xi64> {glow.symbols = [{name = "h", lower = 1 : i64, upper = 64 : i64}]}) -> tensor<1x64x64x16xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x16x16xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x64x64x16xf32>, tensor<3x3x16x16xf32>) -> tensor<1x64x64x16xf32>
  return %0 : tensor<1x64x64x16xf32>
}

// CHECK-LABEL: func.func @any_width
//       CHECK: winograd = #glow.winograd<outputs = 2, rows = 1>
func.func @any_width(%x: tensor<1x64x64x16xf32> {glow.extents = affine_map<()[s0, s1] -> (1, s0, s1, 16)>}, %s: tensor<2xi64> {glow.symbols = [{name = "h", lower = 1 : i64, upper = 64 : i64}, {name = "w", lower = 1 : i64, upper = 64 : i64}]}) -> tensor<1x64x64x16xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x16x16xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x64x64x16xf32>, tensor<3x3x16x16xf32>) -> tensor<1x64x64x16xf32>
  return %0 : tensor<1x64x64x16xf32>
}
