// RUN: glow-opt %s "-glow-pack-weights=target=vector-bits=512,features=avx512bf16+amx-tile+amx-bf16" | FileCheck %s

// Panels are as wide as a tile register where rows fill more than one.
// CHECK-LABEL: func.func @many_rows
// CHECK: glow.pack {{.*}} {group = 2 : i64, width = 16 : i64} : (tensor<64x40xbf16>) -> tensor<3x32x32xbf16>
// CHECK: glow.matmul {{.*}} {output_channels = 40 : i64, packed = 16 : i64}
func.func @many_rows(%x: tensor<17x64xbf16>) -> tensor<17x40xbf16> {
  %w = glow.constant dense<1.0> : tensor<64x40xbf16>
  %0 = glow.matmul %x, %w : (tensor<17x64xbf16>, tensor<64x40xbf16>) -> tensor<17x40xbf16>
  return %0 : tensor<17x40xbf16>
}

// CHECK-LABEL: func.func @one_register_of_rows
// CHECK: glow.matmul {{.*}} {output_channels = 40 : i64, packed = 32 : i64}
func.func @one_register_of_rows(%x: tensor<2x8x64xbf16>) -> tensor<2x8x40xbf16> {
  %w = glow.constant dense<1.0> : tensor<64x40xbf16>
  %0 = glow.matmul %x, %w : (tensor<2x8x64xbf16>, tensor<64x40xbf16>) -> tensor<2x8x40xbf16>
  return %0 : tensor<2x8x40xbf16>
}

// Vectors have two registers of columns.
// CHECK-LABEL: func.func @single_precision
// CHECK: glow.matmul {{.*}} {output_channels = 40 : i64, packed = 32 : i64}
func.func @single_precision(%x: tensor<17x64xf32>) -> tensor<17x40xf32> {
  %w = glow.constant dense<1.0> : tensor<64x40xf32>
  %0 = glow.matmul %x, %w : (tensor<17x64xf32>, tensor<64x40xf32>) -> tensor<17x40xf32>
  return %0 : tensor<17x40xf32>
}

// All places of an image are rows.
// CHECK-LABEL: func.func @places
// CHECK: glow.conv {{.*}} packed = 16 : i64
func.func @places(%x: tensor<1x5x5x64xbf16>) -> tensor<1x5x5x40xbf16> {
  %w = glow.constant dense<1.0> : tensor<1x1x64x40xbf16>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x5x5x64xbf16>, tensor<1x1x64x40xbf16>) -> tensor<1x5x5x40xbf16>
  return %0 : tensor<1x5x5x40xbf16>
}

// CHECK-LABEL: func.func @few_places
// CHECK: glow.conv {{.*}} packed = 32 : i64
func.func @few_places(%x: tensor<1x4x4x64xbf16>) -> tensor<1x4x4x40xbf16> {
  %w = glow.constant dense<1.0> : tensor<1x1x64x40xbf16>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x64xbf16>, tensor<1x1x64x40xbf16>) -> tensor<1x4x4x40xbf16>
  return %0 : tensor<1x4x4x40xbf16>
}

// Few rows read the panels that others have.
// CHECK-LABEL: func.func @shared_weights
// CHECK: glow.matmul {{.*}} packed = 16 : i64} : (tensor<8x64xbf16>
// CHECK: glow.matmul {{.*}} packed = 16 : i64} : (tensor<64x64xbf16>
func.func @shared_weights(%x: tensor<8x64xbf16>, %y: tensor<64x64xbf16>) -> (tensor<8x40xbf16>, tensor<64x40xbf16>) {
  %w = glow.constant dense<1.0> : tensor<64x40xbf16>
  %0 = glow.matmul %x, %w : (tensor<8x64xbf16>, tensor<64x40xbf16>) -> tensor<8x40xbf16>
  %1 = glow.matmul %y, %w : (tensor<64x64xbf16>, tensor<64x40xbf16>) -> tensor<64x40xbf16>
  return %0, %1 : tensor<8x40xbf16>, tensor<64x40xbf16>
}
