// RUN: glow-opt %s --split-input-file --glow-bound-shapes="bounds=n=8" | FileCheck %s
// RUN: glow-opt %s --split-input-file --glow-bound-shapes="bounds=n=1..8" | FileCheck %s --check-prefix=RANGE

// A fixed extent is no symbol: the function is an ordinary static one.
// CHECK-LABEL: func.func @fixed
// CHECK-NOT: glow.symbols
// CHECK-NOT: glow.extents
// CHECK: glow.reduce sum %{{.+}} : (tensor<8x4xf32>) -> tensor<4xf32>
// RANGE-LABEL: func.func @fixed
// RANGE: glow.where
// RANGE: glow.reduce sum
func.func @fixed(%x: tensor<?x4xf32> {glow.dim_names = ["n", ""]}) -> tensor<4xf32> {
  %r = glow.reduce sum %x {axes = array<i64: 0>} : (tensor<?x4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// -----

// Images of a batch are independent.
// CHECK-LABEL: func.func @col2im
// RANGE-LABEL: func.func @col2im
// RANGE-NOT: glow.where
// RANGE: glow.col2im %{{.+}} : (tensor<8x8x9xf32>) -> tensor<8x2x4x4xf32>
func.func @col2im(%x: tensor<?x8x9xf32> {glow.dim_names = ["n", "", ""]}) -> tensor<?x2x4x4xf32> {
  %r = glow.col2im %x {image_shape = array<i64: 4, 4>, kernel_shape = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<?x8x9xf32>) -> tensor<?x2x4x4xf32>
  return %r : tensor<?x2x4x4xf32>
}
