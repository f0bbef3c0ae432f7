// RUN: glow-opt %s -glow-winograd-convs=target=l2=512K | FileCheck %s
// RUN: glow-opt %s -glow-winograd-convs="outputs=4 force" -glow-fold-constants -glow-pack-weights=width=16 | FileCheck %s --check-prefix=FORCED
// RUN: not glow-opt %s -glow-winograd-convs=outputs=3 2>&1 | FileCheck %s --check-prefix=ERROR

// ERROR: a tile has 2 or 4 outputs along an axis, not 3

// Two of the 28 rows of tiles at a time cost least.
// CHECK-LABEL: func.func @wide
// CHECK: %[[G:.+]] = glow.constant dense<"{{.*}}"> : tensor<16x9xf32>
// CHECK: %[[TAPS:.+]] = glow.reshape {{.*}} -> tensor<9x4096xf32>
// CHECK: %[[PRODUCT:.+]] = glow.matmul %[[G]], %[[TAPS]]
// CHECK: %[[FILTER:.+]] = glow.reshape {{.*}} -> tensor<16x64x64xf32>
// CHECK: glow.conv %arg0, %[[FILTER]] {{.*}}output_channels = 64 : i64{{.*}}winograd = #glow.winograd<outputs = 2, rows = 2>}
// FORCED-LABEL: func.func @wide
// FORCED: glow.pack {{.*}} {width = 16 : i64} : (tensor<36x64x64xf32>) -> tensor<36x4x64x16xf32>
// FORCED: winograd = #glow.winograd<outputs = 4,
func.func @wide(%x: tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x56x56x64xf32>
  return %0 : tensor<1x56x56x64xf32>
}

// Twelve channels are three quarters of a vector, of which a transform takes all.
// CHECK-LABEL: func.func @short_vectors
// CHECK-NOT: winograd
func.func @short_vectors(%x: tensor<1x56x56x12xf32>) -> tensor<1x56x56x12xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x12x12xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x56x56x12xf32>, tensor<3x3x12x12xf32>) -> tensor<1x56x56x12xf32>
  return %0 : tensor<1x56x56x12xf32>
}

// Transforming three channels costs more than their products.
// CHECK-LABEL: func.func @narrow
// CHECK-NOT: winograd
func.func @narrow(%x: tensor<1x8x8x3xf32>) -> tensor<1x6x6x4xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x3x4xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  return %0 : tensor<1x6x6x4xf32>
}

// FORCED-LABEL: func.func @strided
// FORCED-NOT: winograd
func.func @strided(%x: tensor<1x57x57x64xf32>) -> tensor<1x28x28x64xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x64x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x57x57x64xf32>, tensor<3x3x64x64xf32>) -> tensor<1x28x28x64xf32>
  return %0 : tensor<1x28x28x64xf32>
}
