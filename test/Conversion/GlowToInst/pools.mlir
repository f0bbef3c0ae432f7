// RUN: glow-opt %s -convert-glow-to-inst | FileCheck %s

// A large window is one along each axis, the one that shrinks first.
// CHECK-LABEL: func.func @large(
// CHECK: %[[ROWS:.+]] = glow_inst.alloc : memref<1x2x8x10xf32>
// CHECK: glow_inst.pool max ins(%arg0 : {{.*}}) outs(%[[ROWS]] : {{.*}}) {{{.*}}kernel_shape = array<i64: 1, 9>, pads = array<i64: 0, 4, 0, 4>, strides = array<i64: 1, 2>}
// CHECK: glow_inst.pool max ins(%[[ROWS]] : {{.*}}) outs(%arg1 : {{.*}}) {{{.*}}kernel_shape = array<i64: 9, 1>, pads = array<i64: 4, 0, 4, 0>, strides = array<i64: 1, 1>}
func.func @large(%x: tensor<1x2x8x19xf32>) -> tensor<1x2x8x10xf32> {
  %0 = glow.pool max %x {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 9, 9>, pads = array<i64: 4, 4, 4, 4>, strides = array<i64: 1, 2>} : (tensor<1x2x8x19xf32>) -> tensor<1x2x8x10xf32>
  return %0 : tensor<1x2x8x10xf32>
}

// CHECK-LABEL: func.func @small(
// CHECK: glow_inst.pool max ins(%arg0 : {{.*}}) outs(%arg1 : {{.*}}) {{{.*}}kernel_shape = array<i64: 3, 3>
// CHECK-NOT: glow_inst.pool
func.func @small(%x: tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32> {
  %0 = glow.pool max %x {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x2x8x8xf32>) -> tensor<1x2x8x8xf32>
  return %0 : tensor<1x2x8x8xf32>
}

// Along one axis after the other, the first would leave many elements that the
// second one leaves out again.
// CHECK-LABEL: func.func @whole_image(
// CHECK: glow_inst.pool max ins(%arg0 : {{.*}}) outs(%arg1 : {{.*}}) {{{.*}}kernel_shape = array<i64: 7, 7>
func.func @whole_image(%x: tensor<1x2x7x7xf32>) -> tensor<1x2x1x1xf32> {
  %0 = glow.pool max %x {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 7, 7>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x7x7xf32>) -> tensor<1x2x1x1xf32>
  return %0 : tensor<1x2x1x1xf32>
}

// A mean divides by elements of its whole window.
// CHECK-LABEL: func.func @mean(
// CHECK: glow_inst.pool average ins(%arg0 : {{.*}}) outs(%arg1 : {{.*}}) {{{.*}}kernel_shape = array<i64: 9, 9>
func.func @mean(%x: tensor<1x2x9x9xf32>) -> tensor<1x2x1x1xf32> {
  %0 = glow.pool average %x {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 9, 9>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x2x9x9xf32>) -> tensor<1x2x1x1xf32>
  return %0 : tensor<1x2x1x1xf32>
}
