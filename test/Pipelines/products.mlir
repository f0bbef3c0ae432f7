// RUN: glow-opt %s -pass-pipeline='builtin.module(glow-graph-pipeline{pack-width=32 pieces=3 winograd-outputs=2 target=vector-bits=512,features=avx512bf16+amx-tile+amx-bf16})' | FileCheck %s --check-prefixes=CHECK,SIX
// RUN: glow-opt %s -pass-pipeline='builtin.module(glow-graph-pipeline{pack-width=32 pieces=2 winograd-outputs=4 target=vector-bits=512,features=avx512bf16+amx-tile+amx-bf16})' | FileCheck %s --check-prefixes=CHECK,THREE

// Fewer products of vectors rather than six of tile registers, but three of
// these rather than those.
// CHECK-LABEL: func.func @window
// SIX-NOT: pieces
// SIX: glow.conv {{.*}}winograd
// THREE-NOT: winograd
// THREE: glow.conv {{.*}}pieces = 2
// CHECK: return
func.func @window(%x: tensor<1x64x28x28xf32>) -> tensor<1x64x28x28xf32> {
  %w = glow.constant dense<0.25> : tensor<64x64x3x3xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x64x28x28xf32>, tensor<64x64x3x3xf32>) -> tensor<1x64x28x28xf32>
  return %0 : tensor<1x64x28x28xf32>
}

// There is no such choice for single taps.
// CHECK-LABEL: func.func @point
// SIX: glow.conv {{.*}}pieces = 3
// THREE: glow.conv {{.*}}pieces = 2
// CHECK: return
func.func @point(%x: tensor<1x256x28x28xf32>) -> tensor<1x512x28x28xf32> {
  %w = glow.constant dense<0.25> : tensor<512x256x1x1xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x256x28x28xf32>, tensor<512x256x1x1xf32>) -> tensor<1x512x28x28xf32>
  return %0 : tensor<1x512x28x28xf32>
}
