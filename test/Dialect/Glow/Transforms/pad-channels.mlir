// RUN: glow-opt %s "-glow-pad-channels=target=vector-bits=512,features=avx512bf16+amx-tile+amx-bf16" | FileCheck %s
// RUN: glow-opt %s "-glow-pad-channels=target=vector-bits=512,features=avx512bf16" | FileCheck %s --check-prefix=NONE
// RUN: glow-opt %s "-glow-pad-channels=target=vector-bits=512,features=avx512bf16+amx-tile+amx-bf16" --glow-fold-constants "--glow-store-as-bfloat16=target=vector-bits=512,features=avx512bf16+amx-tile+amx-bf16" | FileCheck %s --check-prefix=STORE

// NONE-NOT: glow.pad

// Planes get one more before they are interleaved; so does the filter.
// CHECK-LABEL: func @planes(
// CHECK: %[[PADS:.+]] = glow.constant dense<[0, 0, 0, 0, 0, 1, 0, 0]>
// CHECK: %[[PLANES:.+]] = glow.pad constant %arg0, %[[PADS]] : (tensor<1x3x224x224xf32>, tensor<8xi64>) -> tensor<1x4x224x224xf32>
// CHECK: %[[IMAGES:.+]] = glow.transpose %[[PLANES]]
// CHECK: %[[FILTER:.+]] = glow.pad constant %{{.+}} -> tensor<7x7x4x64xf32>
// CHECK: glow.conv %[[IMAGES]], %[[FILTER]]
// STORE-LABEL: func @planes(
// STORE: } : (tensor<1x224x224x4xbf16>, tensor<7x7x4x64xbf16>)
func.func @planes(%x: tensor<1x3x224x224xf32>) -> tensor<1x112x112x64xf32> {
  %w = glow.constant dense<0.5> : tensor<7x7x3x64xf32>
  %0 = glow.transpose %x {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x3x224x224xf32>) -> tensor<1x224x224x3xf32>
  %1 = glow.conv %0, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 7, 7>, layout = #glow.layout<channels_last>, pads = array<i64: 3, 3, 3, 3>, strides = array<i64: 2, 2>} : (tensor<1x224x224x3xf32>, tensor<7x7x3x64xf32>) -> tensor<1x112x112x64xf32>
  return %1 : tensor<1x112x112x64xf32>
}

// An even number of channels is right as it is.
// CHECK-LABEL: func @even(
// CHECK-NOT: glow.pad
// CHECK: return
// STORE-LABEL: func @even(
// STORE: } : (tensor<1x24x24x6xbf16>, tensor<3x3x6x64xbf16>)
func.func @even(%x: tensor<1x24x24x6xf32>) -> tensor<1x22x22x64xf32> {
  %w = glow.constant dense<0.5> : tensor<3x3x6x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x24x24x6xf32>, tensor<3x3x6x64xf32>) -> tensor<1x22x22x64xf32>
  return %0 : tensor<1x22x22x64xf32>
}

// Lines of three taps are too short, and taps apart no lines; both stay f32.
// CHECK-LABEL: func @short_or_dilated(
// CHECK-NOT: glow.pad
// CHECK: return
// STORE-LABEL: func @short_or_dilated(
// STORE-NOT: bf16
// STORE: return
func.func @short_or_dilated(%x: tensor<1x24x24x3xf32>) -> (tensor<1x22x22x64xf32>, tensor<1x12x12x64xf32>) {
  %v = glow.constant dense<0.5> : tensor<3x3x3x64xf32>
  %w = glow.constant dense<0.5> : tensor<7x7x3x64xf32>
  %0 = glow.conv %x, %v {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x24x24x3xf32>, tensor<3x3x3x64xf32>) -> tensor<1x22x22x64xf32>
  %1 = glow.conv %x, %w {dilations = array<i64: 2, 2>, group = 1 : i64, kernel_shape = array<i64: 7, 7>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x24x24x3xf32>, tensor<7x7x3x64xf32>) -> tensor<1x12x12x64xf32>
  return %0, %1 : tensor<1x22x22x64xf32>, tensor<1x12x12x64xf32>
}
