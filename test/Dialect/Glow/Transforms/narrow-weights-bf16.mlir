// RUN: glow-opt %s "-glow-narrow-weights=bits=16 target=l1=16K" | FileCheck %s
// RUN: glow-opt %s "-glow-narrow-weights=bits=16 target=l1=16K,vector-bits=512,features=avx512bf16" -glow-fold-constants -glow-pack-weights="width=16 target=vector-bits=512,features=avx512bf16" | FileCheck %s --check-prefix=PACKED
// RUN: not glow-opt %s "-glow-narrow-weights=bits=8" 2>&1 | FileCheck %s --check-prefix=BITS

// BITS: error: weights have 24 or 16 bits, not 8

// Sums and the other factor stay as they are, so weights are in no pairs.
// CHECK-LABEL: func.func @few_rows
// CHECK: %[[W:.+]] = glow.cast %{{.*}} : (tensor<90x100xf32>) -> tensor<90x100xbf16>
// CHECK: glow.matmul %arg0, %[[W]] {accumulator = f32} : (tensor<2x4x90xf32>, tensor<90x100xbf16>) -> tensor<2x4x100xf32>
// PACKED-LABEL: func.func @few_rows
// PACKED: glow.pack {{.*}} {width = 16 : i64} : (tensor<90x100xbf16>) -> tensor<7x90x16xbf16>
func.func @few_rows(%x: tensor<2x4x90xf32>) -> tensor<2x4x100xf32> {
  %w = glow.constant dense<1.1> : tensor<90x100xf32>
  %0 = glow.matmul %x, %w : (tensor<2x4x90xf32>, tensor<90x100xf32>) -> tensor<2x4x100xf32>
  return %0 : tensor<2x4x100xf32>
}

// CHECK-LABEL: func.func @one_place
// CHECK: %[[W:.+]] = glow.cast %{{.*}} : (tensor<1x1x90x100xf32>) -> tensor<1x1x90x100xbf16>
// CHECK: glow.conv %arg0, %[[W]]
func.func @one_place(%x: tensor<1x1x1x90xf32>) -> tensor<1x1x1x100xf32> {
  %w = glow.constant dense<1.1> : tensor<1x1x90x100xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x1x1x90xf32>, tensor<1x1x90x100xf32>) -> tensor<1x1x1x100xf32>
  return %0 : tensor<1x1x1x100xf32>
}

// More rows make more of each weight than a read, and what stays in the
// first-level cache takes no time to read.
// CHECK-LABEL: func.func @many_rows
// CHECK-NOT: bf16
func.func @many_rows(%x: tensor<9x90xf32>) -> tensor<9x100xf32> {
  %w = glow.constant dense<1.1> : tensor<90x100xf32>
  %0 = glow.matmul %x, %w : (tensor<9x90xf32>, tensor<90x100xf32>) -> tensor<9x100xf32>
  return %0 : tensor<9x100xf32>
}
// CHECK-LABEL: func.func @few_weights
// CHECK-NOT: bf16
func.func @few_weights(%x: tensor<1x30xf32>) -> tensor<1x100xf32> {
  %w = glow.constant dense<1.1> : tensor<30x100xf32>
  %0 = glow.matmul %x, %w : (tensor<1x30xf32>, tensor<30x100xf32>) -> tensor<1x100xf32>
  return %0 : tensor<1x100xf32>
}

// Steps of a recurrence find their weights in a cache.
// CHECK-LABEL: func.func @two_readers
// CHECK-NOT: bf16
func.func @two_readers(%x: tensor<1x100xf32>) -> tensor<1x100xf32> {
  %w = glow.constant dense<1.1> : tensor<100x100xf32>
  %0 = glow.matmul %x, %w : (tensor<1x100xf32>, tensor<100x100xf32>) -> tensor<1x100xf32>
  %1 = glow.matmul %0, %w : (tensor<1x100xf32>, tensor<100x100xf32>) -> tensor<1x100xf32>
  return %1 : tensor<1x100xf32>
}
