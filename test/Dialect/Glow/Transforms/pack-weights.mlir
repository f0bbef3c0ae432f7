// RUN: glow-opt %s -glow-pack-weights=width=16 | FileCheck %s
// RUN: glow-opt %s "-glow-pack-weights=width=16 target=vector-bits=512,features=avx512bf16" | FileCheck %s --check-prefix=PAIRS

// CHECK-LABEL: func.func @filter
// CHECK: %[[MATRIX:.+]] = glow.reshape {{.*}} -> tensor<27x20xf32>
// CHECK: %[[PACKED:.+]] = glow.pack %[[MATRIX]] {width = 16 : i64} : (tensor<27x20xf32>) -> tensor<2x27x16xf32>
// CHECK: glow.conv %arg0, %[[PACKED]] {{.*}}output_channels = 20 : i64, packed = 16 : i64
func.func @filter(%x: tensor<1x8x8x3xf32>) -> tensor<1x6x6x20xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x3x20xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x8x3xf32>, tensor<3x3x3x20xf32>) -> tensor<1x6x6x20xf32>
  return %0 : tensor<1x6x6x20xf32>
}

// CHECK-LABEL: func.func @depthwise_filter
// CHECK-NOT: glow.pack
func.func @depthwise_filter(%x: tensor<1x8x8x20xf32>) -> tensor<1x6x6x20xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x1x20xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 20 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x8x20xf32>, tensor<3x3x1x20xf32>) -> tensor<1x6x6x20xf32>
  return %0 : tensor<1x6x6x20xf32>
}

// Loops over many rows would arrange pairs of the same matrix in each block.
// PAIRS-LABEL: func.func @many_rows
// PAIRS: %[[PACKED:.+]] = glow.pack %arg1 {group = 2 : i64, width = 16 : i64} : (tensor<2x5x20xbf16>) -> tensor<2x2x3x32xbf16>
// PAIRS: glow.matmul %arg0, %[[PACKED]] {output_channels = 20 : i64, packed = 16 : i64}
// CHECK-LABEL: func.func @many_rows
// CHECK-NOT: glow.pack
func.func @many_rows(%x: tensor<2x256x5xbf16>, %w: tensor<2x5x20xbf16>) -> tensor<2x256x20xbf16> {
  %0 = glow.matmul %x, %w : (tensor<2x256x5xbf16>, tensor<2x5x20xbf16>) -> tensor<2x256x20xbf16>
  return %0 : tensor<2x256x20xbf16>
}

// PAIRS-LABEL: func.func @few_rows
// PAIRS-NOT: glow.pack
// PAIRS: return
func.func @few_rows(%x: tensor<2x255x5xbf16>, %w: tensor<2x5x20xbf16>) -> tensor<2x255x20xbf16> {
  %0 = glow.matmul %x, %w : (tensor<2x255x5xbf16>, tensor<2x5x20xbf16>) -> tensor<2x255x20xbf16>
  return %0 : tensor<2x255x20xbf16>
}

// CHECK-LABEL: func.func @right_hand_side
// CHECK: %[[PACKED:.+]] = glow.pack
// CHECK: glow.matmul %arg0, %[[PACKED]] {output_channels = 20 : i64, packed = 16 : i64}
func.func @right_hand_side(%x: tensor<2x4x3xf32>) -> tensor<2x4x20xf32> {
  %w = glow.constant dense<1.0> : tensor<3x20xf32>
  %0 = glow.matmul %x, %w : (tensor<2x4x3xf32>, tensor<3x20xf32>) -> tensor<2x4x20xf32>
  return %0 : tensor<2x4x20xf32>
}

// CHECK-LABEL: func.func @variable_right_hand_side
// CHECK-NOT: glow.pack
func.func @variable_right_hand_side(%x: tensor<4x3xf32>, %w: tensor<3x20xf32>) -> tensor<4x20xf32> {
  %0 = glow.matmul %x, %w : (tensor<4x3xf32>, tensor<3x20xf32>) -> tensor<4x20xf32>
  return %0 : tensor<4x20xf32>
}

// Elements that the target multiplies at once lie side by side; a group never
// holds channels of two taps.
// CHECK-LABEL: func.func @pairs
// CHECK: glow.pack {{.*}} {width = 16 : i64} : (tensor<27x20xbf16>)
// PAIRS-LABEL: func.func @pairs
// PAIRS: %[[PADDED:.+]] = glow.pad constant {{.*}} -> tensor<3x3x4x20xbf16>
// PAIRS: %[[MATRIX:.+]] = glow.reshape %[[PADDED]]{{.*}} -> tensor<36x20xbf16>
// PAIRS: glow.pack %[[MATRIX]] {group = 2 : i64, width = 16 : i64} : (tensor<36x20xbf16>) -> tensor<2x18x32xbf16>
func.func @pairs(%x: tensor<1x8x8x3xbf16>) -> tensor<1x6x6x20xbf16> {
  %w = glow.constant dense<1.0> : tensor<3x3x3x20xbf16>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x8x3xbf16>, tensor<3x3x3x20xbf16>) -> tensor<1x6x6x20xbf16>
  return %0 : tensor<1x6x6x20xbf16>
}

// Two columns would leave most of a vector empty: each is in one piece.
// PAIRS-LABEL: func.func @few_columns
// PAIRS: glow.pack {{.*}} {group = 64 : i64, width = 2 : i64} : (tensor<576x2xf32>) -> tensor<1x9x128xf32>
// PAIRS: glow.conv {{.*}}output_channels = 2 : i64, packed = 2 : i64
func.func @few_columns(%x: tensor<1x8x8x64xf32>) -> tensor<1x6x6x2xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x64x2xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x8x64xf32>, tensor<3x3x64x2xf32>) -> tensor<1x6x6x2xf32>
  return %0 : tensor<1x6x6x2xf32>
}

// Adding up the lanes would take longer than such a short sum.
// PAIRS-LABEL: func.func @few_short_columns
// PAIRS: glow.pack {{.*}} {width = 16 : i64} : (tensor<20x4xf32>)
func.func @few_short_columns(%x: tensor<9x20xf32>) -> tensor<9x4xf32> {
  %w = glow.constant dense<1.0> : tensor<20x4xf32>
  %0 = glow.matmul %x, %w : (tensor<9x20xf32>, tensor<20x4xf32>) -> tensor<9x4xf32>
  return %0 : tensor<9x4xf32>
}
