// RUN: glow-opt %s -glow-split-groups=least=8 -glow-fold-constants | FileCheck %s
// RUN: not glow-opt %s -glow-split-groups=least=0 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: a group that is split off has at least 1 channel, not 0

// Each group reads its channels, and its part of what the epilogue takes.
// CHECK-LABEL: func.func @wide
//   CHECK-DAG: %[[LEFT:.+]] = glow.slice %arg0
//   CHECK-DAG: %[[OTHER_LEFT:.+]] = glow.slice %arg1
//       CHECK: %[[FIRST:.+]] = glow.conv %[[LEFT]], {{.*}} epilogue(%[[OTHER_LEFT]], %arg2) {{.*}}group = 1 : i64{{.*}} do {
//       CHECK: (tensor<1x4x4x8xf32>, tensor<3x3x8x12xf32>, tensor<1x2x2x12xf32>, tensor<1xf32>) -> tensor<1x2x2x12xf32>
//       CHECK: %[[SECOND:.+]] = glow.conv
//       CHECK: glow.concat %[[FIRST]], %[[SECOND]] {axis = 3 : i64}
func.func @wide(%x: tensor<1x4x4x16xf32>, %r: tensor<1x2x2x24xf32>, %s: tensor<1xf32>) -> tensor<1x2x2x24xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x8x24xf32>
  %0 = glow.conv %x, %w epilogue(%r, %s) {dilations = array<i64: 1, 1>, group = 2 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32, %a: f32, %b: f32):
    %1 = arith.addf %sum, %a : f32
    %2 = arith.mulf %1, %b : f32
    glow.yield %2 : f32
  } : (tensor<1x4x4x16xf32>, tensor<3x3x8x24xf32>, tensor<1x2x2x24xf32>, tensor<1xf32>) -> tensor<1x2x2x24xf32>
  return %0 : tensor<1x2x2x24xf32>
}

// Several narrow groups fill a vector together.
// CHECK-LABEL: func.func @narrow
// CHECK: group = 4 : i64
func.func @narrow(%x: tensor<1x4x4x16xf32>) -> tensor<1x2x2x16xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x4x16xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 4 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x16xf32>, tensor<3x3x4x16xf32>) -> tensor<1x2x2x16xf32>
  return %0 : tensor<1x2x2x16xf32>
}

// To few channels, but not from few.
// CHECK-LABEL: func.func @one_side
// CHECK-COUNT-2: group = 1 : i64{{.*}} : (tensor<1x4x4x8xf32>, tensor<3x3x8x1xf32>) -> tensor<1x2x2x1xf32>
// CHECK: group = 2 : i64
func.func @one_side(%x: tensor<1x4x4x16xf32>, %y: tensor<1x4x4x4xf32>) -> (tensor<1x2x2x2xf32>, tensor<1x2x2x16xf32>) {
  %w = glow.constant dense<1.0> : tensor<3x3x8x2xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 2 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x16xf32>, tensor<3x3x8x2xf32>) -> tensor<1x2x2x2xf32>
  %v = glow.constant dense<1.0> : tensor<3x3x2x16xf32>
  %1 = glow.conv %y, %v {dilations = array<i64: 1, 1>, group = 2 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x4xf32>, tensor<3x3x2x16xf32>) -> tensor<1x2x2x16xf32>
  return %0, %1 : tensor<1x2x2x2xf32>, tensor<1x2x2x16xf32>
}

// CHECK-LABEL: func.func @variable_filter
// CHECK: group = 2 : i64
func.func @variable_filter(%x: tensor<1x4x4x16xf32>, %w: tensor<3x3x8x24xf32>) -> tensor<1x2x2x24xf32> {
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 2 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x16xf32>, tensor<3x3x8x24xf32>) -> tensor<1x2x2x24xf32>
  return %0 : tensor<1x2x2x24xf32>
}
