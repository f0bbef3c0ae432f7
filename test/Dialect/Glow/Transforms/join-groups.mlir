// RUN: glow-opt %s "-glow-join-groups=target=vector-bits=512,features=avx512bf16+amx-tile+amx-bf16" | FileCheck %s
// RUN: glow-opt %s "-glow-join-groups=target=vector-bits=512,features=avx512bf16" | FileCheck %s --check-prefix=NONE

// NONE-NOT: glow.where

// Two groups of 16 channels fill the depth of a register. Each result has zeros
// for the channels of the other group.
// CHECK-LABEL: func @two(
//   CHECK-DAG: %[[OWN:.+]] = glow.constant {{.*}} : tensor<32x64xi1>
//   CHECK-DAG: %[[ZERO:.+]] = glow.constant dense<0.000000e+00> : tensor<f32>
//   CHECK-DAG: %[[BOTH:.+]] = glow.concat %[[FILTER:.+]], %[[FILTER]] {axis = 2 : i64}
//       CHECK: %[[JOINED:.+]] = glow.where %[[OWN]], %[[BOTH]], %[[ZERO]]
//       CHECK: glow.conv %arg0, %[[JOINED]] {{.*}}group = 2 : i64
func.func @two(%x: tensor<1x4x4x64xf32>) -> tensor<1x4x4x64xf32> {
  %w = glow.constant dense<1.0> : tensor<1x1x16x64xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 4 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x64xf32>, tensor<1x1x16x64xf32>) -> tensor<1x4x4x64xf32>
  return %0 : tensor<1x4x4x64xf32>
}

// Of six groups of 8 channels three become one, as four do not divide them.
// CHECK-LABEL: func @three(
//       CHECK: glow.conv {{.*}}group = 2 : i64{{.*}}(tensor<1x8x8x48xf32>, tensor<3x3x24x48xf32>)
func.func @three(%x: tensor<1x8x8x48xf32>) -> tensor<1x6x6x48xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x8x48xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 6 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x8x48xf32>, tensor<3x3x8x48xf32>) -> tensor<1x6x6x48xf32>
  return %0 : tensor<1x6x6x48xf32>
}

// Vectors multiply up to three channels a group as fast; wide groups fill registers
// by themselves; and of nine groups of five three would have an odd depth.
// CHECK-LABEL: func @others(
//       CHECK: glow.conv {{.*}}group = 96 : i64
//       CHECK: glow.conv {{.*}}group = 32 : i64
//       CHECK: glow.conv {{.*}}group = 3 : i64
//       CHECK: glow.conv {{.*}}group = 9 : i64
func.func @others(%x: tensor<1x4x4x96xf32>, %y: tensor<1x4x4x45xf32>) -> (tensor<1x4x4x96xf32>, tensor<1x4x4x144xf32>) {
  %v = glow.constant dense<1.0> : tensor<1x1x1x96xf32>
  %0 = glow.conv %x, %v {dilations = array<i64: 1, 1>, group = 96 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x96xf32>, tensor<1x1x1x96xf32>) -> tensor<1x4x4x96xf32>
  %w = glow.constant dense<1.0> : tensor<1x1x3x96xf32>
  %1 = glow.conv %0, %w {dilations = array<i64: 1, 1>, group = 32 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x96xf32>, tensor<1x1x3x96xf32>) -> tensor<1x4x4x96xf32>
  %u = glow.constant dense<1.0> : tensor<1x1x32x96xf32>
  %2 = glow.conv %1, %u {dilations = array<i64: 1, 1>, group = 3 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x96xf32>, tensor<1x1x32x96xf32>) -> tensor<1x4x4x96xf32>
  %t = glow.constant dense<1.0> : tensor<1x1x5x144xf32>
  %3 = glow.conv %y, %t {dilations = array<i64: 1, 1>, group = 9 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x45xf32>, tensor<1x1x5x144xf32>) -> tensor<1x4x4x144xf32>
  return %2, %3 : tensor<1x4x4x96xf32>, tensor<1x4x4x144xf32>
}

// Few rows, a depth that stays in f32, and filters that are not known.
// CHECK-LABEL: func @unsuitable(
//       CHECK: glow.conv {{.*}}group = 8 : i64
//       CHECK: glow.conv {{.*}}group = 2 : i64
//       CHECK: glow.conv {{.*}}group = 4 : i64
func.func @unsuitable(%x: tensor<1x2x2x64xf32>, %y: tensor<1x4x4x8xf32>, %z: tensor<1x4x4x64xf32>, %u: tensor<1x1x16x64xf32>) -> (tensor<1x2x2x64xf32>, tensor<1x4x4x64xf32>, tensor<1x4x4x64xf32>) {
  %v = glow.constant dense<1.0> : tensor<1x1x8x64xf32>
  %0 = glow.conv %x, %v {dilations = array<i64: 1, 1>, group = 8 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x2x64xf32>, tensor<1x1x8x64xf32>) -> tensor<1x2x2x64xf32>
  %w = glow.constant dense<1.0> : tensor<1x1x4x64xf32>
  %1 = glow.conv %y, %w {dilations = array<i64: 1, 1>, group = 2 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x8xf32>, tensor<1x1x4x64xf32>) -> tensor<1x4x4x64xf32>
  %2 = glow.conv %z, %u {dilations = array<i64: 1, 1>, group = 4 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x64xf32>, tensor<1x1x16x64xf32>) -> tensor<1x4x4x64xf32>
  return %0, %1, %2 : tensor<1x2x2x64xf32>, tensor<1x4x4x64xf32>, tensor<1x4x4x64xf32>
}
