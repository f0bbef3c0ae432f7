// RUN: glow-opt %s -canonicalize | FileCheck %s

// CHECK-LABEL: func.func @pad_before_conv
// CHECK-NOT: glow.pad
// CHECK: glow.conv %arg0, {{.*}}pads = array<i64: 1, 0, 3, 2>
func.func @pad_before_conv(%x: tensor<1x3x4x4xf32>, %w: tensor<2x3x1x1xf32>) -> tensor<1x2x8x6xf32> {
  %pads = glow.constant dense<[0, 0, 1, 0, 0, 0, 2, 1]> : tensor<8xi64>
  %0 = glow.pad constant %x, %pads : (tensor<1x3x4x4xf32>, tensor<8xi64>) -> tensor<1x3x7x5xf32>
  %1 = glow.conv %0, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x3x7x5xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x8x6xf32>
  return %1 : tensor<1x2x8x6xf32>
}

// CHECK-LABEL: func.func @padded_channels
// CHECK: glow.pad
func.func @padded_channels(%x: tensor<1x2x4x4xf32>, %w: tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32> {
  %pads = glow.constant dense<[0, 1, 0, 0, 0, 0, 0, 0]> : tensor<8xi64>
  %0 = glow.pad constant %x, %pads : (tensor<1x2x4x4xf32>, tensor<8xi64>) -> tensor<1x3x4x4xf32>
  %1 = glow.conv %0, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>) -> tensor<1x2x4x4xf32>
  return %1 : tensor<1x2x4x4xf32>
}

// Zeros are not what a maximum pads with.
// CHECK-LABEL: func.func @zeros_before_max_pool
// CHECK: glow.pad
func.func @zeros_before_max_pool(%x: tensor<1x3x4x4xf32>) -> tensor<1x3x3x3xf32> {
  %pads = glow.constant dense<[0, 0, 1, 1, 0, 0, 1, 1]> : tensor<8xi64>
  %0 = glow.pad constant %x, %pads : (tensor<1x3x4x4xf32>, tensor<8xi64>) -> tensor<1x3x6x6xf32>
  %1 = glow.pool max %0 {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x3x6x6xf32>) -> tensor<1x3x3x3xf32>
  return %1 : tensor<1x3x3x3xf32>
}

// With ceil_mode windows start in the input's padding, but not in the pool's.
// CHECK-LABEL: func.func @lowest_before_pool_of_ceil_mode
// CHECK: glow.pad
func.func @lowest_before_pool_of_ceil_mode(%x: tensor<1x3x4x4xf32>) -> tensor<1x3x3x3xf32> {
  %pads = glow.constant dense<[0, 0, 0, 0, 0, 0, 2, 2]> : tensor<8xi64>
  %lowest = glow.constant dense<0xFF800000> : tensor<f32>
  %0 = glow.pad constant %x, %pads value(%lowest) : (tensor<1x3x4x4xf32>, tensor<8xi64>, tensor<f32>) -> tensor<1x3x6x6xf32>
  %1 = glow.pool max %0 {ceil_mode, dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x3x6x6xf32>) -> tensor<1x3x3x3xf32>
  return %1 : tensor<1x3x3x3xf32>
}

// CHECK-LABEL: func.func @zeros_before_average_pool
// CHECK-NOT: glow.pad
// CHECK: glow.pool average %arg0 {count_include_pad, {{.*}}pads = array<i64: 1, 1, 1, 1>
func.func @zeros_before_average_pool(%x: tensor<1x3x4x4xf32>) -> tensor<1x3x3x3xf32> {
  %pads = glow.constant dense<[0, 0, 1, 1, 0, 0, 1, 1]> : tensor<8xi64>
  %0 = glow.pad constant %x, %pads : (tensor<1x3x4x4xf32>, tensor<8xi64>) -> tensor<1x3x6x6xf32>
  %1 = glow.pool average %0 {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x3x6x6xf32>) -> tensor<1x3x3x3xf32>
  return %1 : tensor<1x3x3x3xf32>
}

// A causal convolution: places behind the signal are dropped.
// CHECK-LABEL: func.func @causal
// CHECK-NOT: glow.slice
// CHECK: glow.conv %arg0, {{.*}}pads = array<i64: 4, 0>, strides = array<i64: 1>{{.*}} -> tensor<1x2x9xf32>
func.func @causal(%x: tensor<1x3x9xf32>, %w: tensor<2x3x3xf32>) -> tensor<1x2x9xf32> {
  %0 = glow.conv %x, %w {dilations = array<i64: 2>, group = 1 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 4, 4>, strides = array<i64: 1>} : (tensor<1x3x9xf32>, tensor<2x3x3xf32>) -> tensor<1x2x13xf32>
  %start = glow.constant dense<0> : tensor<1xi64>
  %end = glow.constant dense<-4> : tensor<1xi64>
  %step = glow.constant dense<1> : tensor<1xi64>
  %1 = glow.slice %0, %start, %end, %step {axes = array<i64: 2>} : (tensor<1x2x13xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x9xf32>
  return %1 : tensor<1x2x9xf32>
}

// Places 1, 3, 5 and all rows but the first; one column of the input is left.
// CHECK-LABEL: func.func @every_other_place
// CHECK-NOT: glow.slice
// CHECK: glow.conv %arg0, {{.*}}pads = array<i64: 1, 0, 2, 0>, strides = array<i64: 1, 2>{{.*}} -> tensor<1x2x8x3xf32>
func.func @every_other_place(%x: tensor<1x3x8x7xf32>, %w: tensor<2x3x4x2xf32>) -> tensor<1x2x8x3xf32> {
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 4, 2>, pads = array<i64: 2, 1, 2, 0>, strides = array<i64: 1, 1>} : (tensor<1x3x8x7xf32>, tensor<2x3x4x2xf32>) -> tensor<1x2x9x7xf32>
  %start = glow.constant dense<1> : tensor<2xi64>
  %end = glow.constant dense<[9, 6]> : tensor<2xi64>
  %step = glow.constant dense<[1, 2]> : tensor<2xi64>
  %1 = glow.slice %0, %start, %end, %step {axes = array<i64: 2, 3>} : (tensor<1x2x9x7xf32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<1x2x8x3xf32>
  return %1 : tensor<1x2x8x3xf32>
}

// The first place lies within the input.
// CHECK-LABEL: func.func @within_the_input
// CHECK: glow.slice
func.func @within_the_input(%x: tensor<1x3x9xf32>, %w: tensor<2x3x3xf32>) -> tensor<1x2x5xf32> {
  %0 = glow.conv %x, %w {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<1x3x9xf32>, tensor<2x3x3xf32>) -> tensor<1x2x9xf32>
  %start = glow.constant dense<2> : tensor<1xi64>
  %end = glow.constant dense<7> : tensor<1xi64>
  %step = glow.constant dense<1> : tensor<1xi64>
  %1 = glow.slice %0, %start, %end, %step {axes = array<i64: 2>} : (tensor<1x2x9xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x5xf32>
  return %1 : tensor<1x2x5xf32>
}

// All of it is used as well.
// CHECK-LABEL: func.func @used_twice
// CHECK: glow.slice
func.func @used_twice(%x: tensor<1x3x9xf32>, %w: tensor<2x3x3xf32>) -> (tensor<1x2x9xf32>, tensor<1x2x8xf32>) {
  %0 = glow.conv %x, %w {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<1x3x9xf32>, tensor<2x3x3xf32>) -> tensor<1x2x9xf32>
  %start = glow.constant dense<0> : tensor<1xi64>
  %end = glow.constant dense<8> : tensor<1xi64>
  %step = glow.constant dense<1> : tensor<1xi64>
  %1 = glow.slice %0, %start, %end, %step {axes = array<i64: 2>} : (tensor<1x2x9xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x2x8xf32>
  return %0, %1 : tensor<1x2x9xf32>, tensor<1x2x8xf32>
}
