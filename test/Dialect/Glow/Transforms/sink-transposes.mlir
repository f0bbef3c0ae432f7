// RUN: glow-opt %s -glow-sink-transposes -glow-fold-constants | FileCheck %s

// CHECK-LABEL: func.func @cancels_through_residual
// CHECK-NOT: glow.transpose
// CHECK: glow.add %arg0, %arg1 : (tensor<1x4x4x3xf32>
func.func @cancels_through_residual(%x: tensor<1x4x4x3xf32>, %y: tensor<1x4x4x3xf32>) -> tensor<1x4x4x3xf32> {
  %0 = glow.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  %1 = glow.transpose %y {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  %2 = glow.add %0, %1 : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x3x4x4xf32>
  %3 = glow.transpose %2 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x3x4x4xf32>) -> tensor<1x4x4x3xf32>
  return %3 : tensor<1x4x4x3xf32>
}

// A constant per channel is turned around at compile time.
// CHECK-LABEL: func.func @constant_per_channel
// CHECK: %[[C:.+]] = glow.constant {{.*}} : tensor<1x1x1x3xf32>
// CHECK: %[[R:.+]] = glow.mul %arg0, %[[C]]
// CHECK: glow.transpose %[[R]]
func.func @constant_per_channel(%x: tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32> {
  %c = glow.constant dense<[[[1.0]], [[2.0]], [[3.0]]]> : tensor<3x1x1xf32>
  %0 = glow.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  %1 = glow.mul %0, %c : (tensor<1x3x4x4xf32>, tensor<3x1x1xf32>) -> tensor<1x3x4x4xf32>
  return %1 : tensor<1x3x4x4xf32>
}

// The other operand would have to be reordered at run time.
// CHECK-LABEL: func.func @other_operand_in_other_order
// CHECK: %[[T:.+]] = glow.transpose %arg0
// CHECK: glow.add %[[T]], %arg1
func.func @other_operand_in_other_order(%x: tensor<4x3xf32>, %y: tensor<3x4xf32>) -> tensor<3x4xf32> {
  %0 = glow.transpose %x {permutation = array<i64: 1, 0>} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = glow.add %0, %y : (tensor<3x4xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return %1 : tensor<3x4xf32>
}

// CHECK-LABEL: func.func @reduced_axes
// CHECK-NOT: glow.transpose
// CHECK: glow.reduce sum %arg0 {axes = array<i64: 1, 2>} : (tensor<2x4x4x3xf32>) -> tensor<2x3xf32>
func.func @reduced_axes(%x: tensor<2x4x4x3xf32>) -> tensor<2x3xf32> {
  %0 = glow.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<2x4x4x3xf32>) -> tensor<2x3x4x4xf32>
  %1 = glow.reduce sum %0 {axes = array<i64: 2, 3>} : (tensor<2x3x4x4xf32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// CHECK-LABEL: func.func @concat_pad_slice
// CHECK: glow.concat %arg0, %arg0 {axis = 3 : i64}
// CHECK: glow.pad constant
// CHECK: glow.slice {{.*}} {axes = array<i64: 1>}
// CHECK: glow.transpose {{.*}} -> tensor<1x6x4x8xf32>
func.func @concat_pad_slice(%x: tensor<1x4x4x3xf32>) -> tensor<1x6x4x8xf32> {
  %pads = glow.constant dense<[0, 0, 1, 2, 0, 0, 1, 2]> : tensor<8xi64>
  %one = glow.constant dense<1> : tensor<1xi64>
  %five = glow.constant dense<5> : tensor<1xi64>
  %0 = glow.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  %1 = glow.concat %0, %0 {axis = 1 : i64} : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<1x6x4x4xf32>
  %2 = glow.pad constant %1, %pads : (tensor<1x6x4x4xf32>, tensor<8xi64>) -> tensor<1x6x6x8xf32>
  %3 = glow.slice %2, %one, %five, %one {axes = array<i64: 2>} : (tensor<1x6x6x8xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x6x4x8xf32>
  return %3 : tensor<1x6x4x8xf32>
}

// The axes that the reshape merges are neighbours before the transpose too.
// CHECK-LABEL: func.func @tokens_of_patches
// CHECK-NOT: glow.transpose
// CHECK: glow.reshape %arg0, {{.*}} -> tensor<1x16x3xf32>
func.func @tokens_of_patches(%x: tensor<1x4x4x3xf32>) -> tensor<1x16x3xf32> {
  %shape = glow.constant dense<[1, 3, 16]> : tensor<3xi64>
  %0 = glow.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x4x3xf32>) -> tensor<1x3x4x4xf32>
  %1 = glow.reshape %0, %shape : (tensor<1x3x4x4xf32>, tensor<3xi64>) -> tensor<1x3x16xf32>
  %2 = glow.transpose %1 {permutation = array<i64: 0, 2, 1>} : (tensor<1x3x16xf32>) -> tensor<1x16x3xf32>
  return %2 : tensor<1x16x3xf32>
}

// CHECK-LABEL: func.func @heads_stand_apart
// CHECK: glow.transpose
// CHECK: glow.reshape
func.func @heads_stand_apart(%x: tensor<1x12x8x4xf32>) -> tensor<1x8x48xf32> {
  %shape = glow.constant dense<[1, 8, 48]> : tensor<3xi64>
  %0 = glow.transpose %x {permutation = array<i64: 0, 2, 1, 3>} : (tensor<1x12x8x4xf32>) -> tensor<1x8x12x4xf32>
  %1 = glow.reshape %0, %shape : (tensor<1x8x12x4xf32>, tensor<3xi64>) -> tensor<1x8x48xf32>
  return %1 : tensor<1x8x48xf32>
}

// Row c h w of the weights becomes row h w c.
// CHECK-LABEL: func.func @flattened_before_product
// CHECK: %[[W:.+]] = glow.constant dense<{{\[\[}}1.000000e+00], [3.000000e+00], [2.000000e+00], [4.000000e+00]]>
// CHECK: %[[X:.+]] = glow.reshape %arg0
// CHECK: glow.matmul %[[X]], %[[W]]
func.func @flattened_before_product(%x: tensor<1x2x1x2xf32>) -> tensor<1x1xf32> {
  %w = glow.constant dense<[[1.0], [2.0], [3.0], [4.0]]> : tensor<4x1xf32>
  %shape = glow.constant dense<[1, 4]> : tensor<2xi64>
  %0 = glow.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x2x1x2xf32>) -> tensor<1x2x2x1xf32>
  %1 = glow.reshape %0, %shape : (tensor<1x2x2x1xf32>, tensor<2xi64>) -> tensor<1x4xf32>
  %2 = glow.matmul %1, %w : (tensor<1x4xf32>, tensor<4x1xf32>) -> tensor<1x1xf32>
  return %2 : tensor<1x1xf32>
}

// The product reads the transpose as it is, so nothing is won by moving it.
// CHECK-LABEL: func.func @reader_that_keeps_it
// CHECK: %[[T:.+]] = glow.transpose %arg0
// CHECK: glow.relu %[[T]]
func.func @reader_that_keeps_it(%x: tensor<4x3xf32>, %y: tensor<4x5xf32>) -> (tensor<3x4xf32>, tensor<3x5xf32>) {
  %0 = glow.transpose %x {permutation = array<i64: 1, 0>} : (tensor<4x3xf32>) -> tensor<3x4xf32>
  %1 = glow.relu %0 : (tensor<3x4xf32>) -> tensor<3x4xf32>
  %2 = glow.matmul %0, %y : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %1, %2 : tensor<3x4xf32>, tensor<3x5xf32>
}

// What stays in its order keeps the transpose, although a constant would go along.
// CHECK-LABEL: func.func @constant_transposed_and_not
// CHECK: %[[T:.+]] = glow.transpose
// CHECK: glow.concat %{{.+}}, %[[T]], %{{.+}} {axis = 1 : i64}
func.func @constant_transposed_and_not(%x: tensor<3x2xf32>, %y: tensor<2x3xf32>) -> tensor<2x9xf32> {
  %c = glow.constant dense<[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]> : tensor<2x3xf32>
  %t = glow.transpose %x {permutation = array<i64: 1, 0>} : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %r = glow.concat %c, %t, %y {axis = 1 : i64} : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
  return %r : tensor<2x9xf32>
}

// Places of one axis are those of that axis in the other order.
// CHECK-LABEL: func.func @gather
// CHECK: %[[G:.+]] = glow.gather %arg0, %arg1 {axis = 1 : i64} : (tensor<1x4x5x3xf32>, tensor<7xi64>) -> tensor<1x7x5x3xf32>
// CHECK: glow.transpose %[[G]] {permutation = array<i64: 0, 3, 1, 2>}
func.func @gather(%x: tensor<1x4x5x3xf32>, %i: tensor<7xi64>) -> tensor<1x3x7x5xf32> {
  %t = glow.transpose %x {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x4x5x3xf32>) -> tensor<1x3x4x5xf32>
  %g = glow.gather %t, %i {axis = 2 : i64} : (tensor<1x3x4x5xf32>, tensor<7xi64>) -> tensor<1x3x7x5xf32>
  return %g : tensor<1x3x7x5xf32>
}

// Windows of a sequence (PyTorch's unfold): where indices have several axes, all
// of them stand where the gathered one did; and transposes on both sides of a
// reshape that merges become one.
// CHECK-LABEL: func.func @unfold
// CHECK: %[[G:.+]] = glow.gather %arg0, %arg1 {axis = 1 : i64} : (tensor<2x12x5xf32>, tensor<3x10xi64>) -> tensor<2x3x10x5xf32>
// CHECK-NEXT: %[[T:.+]] = glow.transpose %[[G]] {permutation = array<i64: 0, 2, 3, 1>}
// CHECK-NOT: glow.transpose
// CHECK: glow.reshape %[[T]], %{{.+}} : (tensor<2x10x5x3xf32>, tensor<3xi64>) -> tensor<2x10x15xf32>
func.func @unfold(%x: tensor<2x12x5xf32>, %i: tensor<3x10xi64>) -> tensor<2x10x15xf32> {
  %t = glow.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<2x12x5xf32>) -> tensor<2x5x12xf32>
  %g = glow.gather %t, %i {axis = 2 : i64} : (tensor<2x5x12xf32>, tensor<3x10xi64>) -> tensor<2x5x3x10xf32>
  %s = glow.constant dense<[2, 15, 10]> : tensor<3xi64>
  %r = glow.reshape %g, %s : (tensor<2x5x3x10xf32>, tensor<3xi64>) -> tensor<2x15x10xf32>
  %u = glow.transpose %r {permutation = array<i64: 0, 2, 1>} : (tensor<2x15x10xf32>) -> tensor<2x10x15xf32>
  return %u : tensor<2x10x15xf32>
}

// A gather that makes more of its input leaves the transpose where it is.
// CHECK-LABEL: func.func @grows
// CHECK: %[[T:.+]] = glow.transpose %arg0
// CHECK: glow.gather %[[T]]
func.func @grows(%x: tensor<2x12x5xf32>, %i: tensor<3x10xi64>) -> tensor<2x5x3x10xf32> {
  %t = glow.transpose %x {permutation = array<i64: 0, 2, 1>} : (tensor<2x12x5xf32>) -> tensor<2x5x12xf32>
  %g = glow.gather %t, %i {axis = 2 : i64} : (tensor<2x5x12xf32>, tensor<3x10xi64>) -> tensor<2x5x3x10xf32>
  return %g : tensor<2x5x3x10xf32>
}
