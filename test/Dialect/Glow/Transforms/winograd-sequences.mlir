// RUN: glow-opt %s -glow-winograd-convs=target=l2=1M | FileCheck %s
// RUN: glow-opt %s -glow-winograd-convs="target=l2=1M outputs=4" | FileCheck %s --check-prefix=FAST

// A sequence is an image of one column, and nothing is moved. Two of three taps
// are products of four places.
// CHECK-LABEL: func.func @sequence
//   CHECK-NOT: glow.pad
//       CHECK: %[[X:.+]] = glow.reshape %arg0, {{.*}} -> tensor<2x200x1x64xf32>
//       CHECK: glow.matmul {{.*}} : (tensor<4x3xf32>, tensor<3x4096xf32>)
//       CHECK: %[[Y:.+]] = glow.conv %[[X]], {{.*}} kernel_shape = array<i64: 3, 1>, {{.*}} pads = array<i64: 1, 0, 1, 0>, {{.*}} winograd = #glow.winograd<outputs = 2, rows = {{[0-9]+}}>
//       CHECK: glow.reshape %[[Y]], {{.*}} -> tensor<2x200x64xf32>
// FAST-LABEL: func.func @sequence
//       FAST: winograd = #glow.winograd<outputs = 4, rows = {{[0-9]+}}>
func.func @sequence(%x: tensor<2x200x64xf32>) -> tensor<2x200x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<2x200x64xf32>, tensor<3x64x64xf32>) -> tensor<2x200x64xf32>
  return %0 : tensor<2x200x64xf32>
}

// Seven taps are two parts of four, of which the last one is zero.
// CHECK-LABEL: func.func @long_windows
//       CHECK: glow.pad constant {{.*}} -> tensor<1x8x64x64xf32>
//       CHECK: %[[PARTS:.+]] = glow.reshape {{.*}} -> tensor<2x4x4096xf32>
//       CHECK: glow.matmul %{{.+}}, %[[PARTS]] : (tensor<6x4xf32>, tensor<2x4x4096xf32>) -> tensor<2x6x4096xf32>
//       CHECK: glow.transpose {{.*}} -> tensor<6x2x4096xf32>
//       CHECK: glow.reshape {{.*}} -> tensor<6x128x64xf32>
//       CHECK: kernel_shape = array<i64: 1, 7>, {{.*}} winograd = #glow.winograd<outputs = 3, rows = {{[0-9]+}}, taps = 4>
// FAST-LABEL: func.func @long_windows
//       FAST: winograd = #glow.winograd<outputs = 4, rows = {{[0-9]+}}, taps = 4>
func.func @long_windows(%x: tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32> {
  %w = glow.constant dense<1.0> : tensor<1x7x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 7>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 3, 0, 3>, strides = array<i64: 1, 1>} : (tensor<1x32x32x64xf32>, tensor<1x7x64x64xf32>) -> tensor<1x32x32x64xf32>
  return %0 : tensor<1x32x32x64xf32>
}

// Along both axes errors multiply, so there only parts of three taps are used.
// CHECK-LABEL: func.func @along_both_axes
//       CHECK: winograd = #glow.winograd<outputs = 2, rows = {{[0-9]+}}>
// FAST-LABEL: func.func @along_both_axes
//       FAST: winograd = #glow.winograd<outputs = 4, rows = {{[0-9]+}}>
func.func @along_both_axes(%x: tensor<1x32x32x64xf32>) -> tensor<1x32x32x64xf32> {
  %w = glow.constant dense<1.0> : tensor<5x5x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 5, 5>, layout = #glow.layout<channels_last>, pads = array<i64: 2, 2, 2, 2>, strides = array<i64: 1, 1>} : (tensor<1x32x32x64xf32>, tensor<5x5x64x64xf32>) -> tensor<1x32x32x64xf32>
  return %0 : tensor<1x32x32x64xf32>
}

// Places that are four apart are rows: 50 of them, and one of zeros on each side.
// CHECK-LABEL: func.func @dilated
//   CHECK-NOT: glow.pad
//       CHECK: glow.reshape %arg1, {{.*}} -> tensor<1x50x4x64xf32>
//       CHECK: glow.reshape %arg0, {{.*}} -> tensor<1x50x4x64xf32>
//       CHECK: glow.conv {{.*}}dilations = array<i64: 1, 1>, {{.*}} kernel_shape = array<i64: 3, 1>, {{.*}} pads = array<i64: 1, 0, 1, 0>, {{.*}} winograd
//       CHECK: glow.reshape {{.*}} -> tensor<1x200x64xf32>
func.func @dilated(%x: tensor<1x200x64xf32>, %r: tensor<1x200x64xf32>) -> tensor<1x200x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x64x64xf32>
  %0 = glow.conv %x, %w epilogue(%r) {dilations = array<i64: 4>, group = 1 : i64, kernel_shape = array<i64: 3>, layout = #glow.layout<channels_last>, pads = array<i64: 4, 4>, strides = array<i64: 1>} do {
  ^bb0(%sum: f32, %other: f32):
    %1 = arith.addf %sum, %other : f32
    glow.yield %1 : f32
  } : (tensor<1x200x64xf32>, tensor<3x64x64xf32>, tensor<1x200x64xf32>) -> tensor<1x200x64xf32>
  return %0 : tensor<1x200x64xf32>
}

// 199 places are 67 rows of three, 68 in whole tiles; two more are read.
// CHECK-LABEL: func.func @dilated_by_no_divisor
//       CHECK: glow.pad constant %arg0, {{.*}} -> tensor<1x210x64xf32>
//       CHECK: glow.reshape {{.*}} -> tensor<1x70x3x64xf32>
//       CHECK: glow.conv {{.*}} pads = array<i64: 0, 0, 0, 0>, {{.*}} winograd
//       CHECK: glow.reshape {{.*}} -> tensor<1x204x64xf32>
//       CHECK: glow.slice {{.*}} -> tensor<1x199x64xf32>
func.func @dilated_by_no_divisor(%x: tensor<1x199x64xf32>) -> tensor<1x199x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 3>, group = 1 : i64, kernel_shape = array<i64: 3>, layout = #glow.layout<channels_last>, pads = array<i64: 3, 3>, strides = array<i64: 1>} : (tensor<1x199x64xf32>, tensor<3x64x64xf32>) -> tensor<1x199x64xf32>
  return %0 : tensor<1x199x64xf32>
}

// Frames are rows, the places of a frame columns.
// CHECK-LABEL: func.func @frames
//       CHECK: glow.reshape %arg0, {{.*}} -> tensor<1x16x36x64xf32>
//       CHECK: kernel_shape = array<i64: 3, 1>
//  CHECK-SAME: winograd
//       CHECK: glow.reshape {{.*}} -> tensor<1x16x6x6x64xf32>
func.func @frames(%x: tensor<1x16x6x6x64xf32>) -> tensor<1x16x6x6x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x1x1x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 0, 0, 1, 0, 0>, strides = array<i64: 1, 1, 1>} : (tensor<1x16x6x6x64xf32>, tensor<3x1x1x64x64xf32>) -> tensor<1x16x6x6x64xf32>
  return %0 : tensor<1x16x6x6x64xf32>
}

// Neither every second place nor few channels are worth it.
// CHECK-LABEL: func.func @strided
//   CHECK-NOT: winograd
func.func @strided(%x: tensor<1x200x64xf32>) -> tensor<1x100x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 0>, strides = array<i64: 2>} : (tensor<1x200x64xf32>, tensor<3x64x64xf32>) -> tensor<1x100x64xf32>
  return %0 : tensor<1x100x64xf32>
}
// CHECK-LABEL: func.func @few_channels
//   CHECK-NOT: winograd
func.func @few_channels(%x: tensor<1x200x8xf32>) -> tensor<1x200x8xf32> {
  %w = glow.constant dense<1.0> : tensor<3x8x8xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<1x200x8xf32>, tensor<3x8x8xf32>) -> tensor<1x200x8xf32>
  return %0 : tensor<1x200x8xf32>
}
