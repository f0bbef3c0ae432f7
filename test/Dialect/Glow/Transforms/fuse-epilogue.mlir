// RUN: glow-opt %s -glow-fuse-elementwise -glow-fuse-epilogue | FileCheck %s

// CHECK-LABEL: func.func @bias_residual_activation
// CHECK: glow.conv %arg0, %arg1 epilogue(%arg2, %arg3)
// CHECK: ^bb0(%[[ACC:.+]]: f32, %[[BIAS:.+]]: f32, %[[RESIDUAL:.+]]: f32):
// CHECK: %[[SUM:.+]] = arith.addf %[[ACC]], %[[BIAS]]
// CHECK: arith.addf %[[SUM]], %[[RESIDUAL]]
// CHECK: arith.maximumf
// CHECK-NOT: glow.map
func.func @bias_residual_activation(%x: tensor<1x4x4x3xf32>, %w: tensor<1x1x3x2xf32>, %b: tensor<2xf32>, %r: tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32> {
  %0 = glow.conv %x, %w bias(%b) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x4x4x3xf32>, tensor<1x1x3x2xf32>, tensor<2xf32>) -> tensor<1x4x4x2xf32>
  %1 = glow.add %0, %r : (tensor<1x4x4x2xf32>, tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  %2 = glow.relu %1 : (tensor<1x4x4x2xf32>) -> tensor<1x4x4x2xf32>
  return %2 : tensor<1x4x4x2xf32>
}

// Channels first, the bias needs its trailing axes.
// CHECK-LABEL: func.func @bias_channels_first
// CHECK: %[[B:.+]] = glow.unsqueeze %arg2 {{.*}} -> tensor<2x1x1xf32>
// CHECK: glow.conv %arg0, %arg1 epilogue(%[[B]])
func.func @bias_channels_first(%x: tensor<1x3x4x4xf32>, %w: tensor<2x3x1x1xf32>, %b: tensor<2xf32>) -> tensor<1x2x4x4xf32> {
  %0 = glow.conv %x, %w bias(%b) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x3x4x4xf32>, tensor<2x3x1x1xf32>, tensor<2xf32>) -> tensor<1x2x4x4xf32>
  return %0 : tensor<1x2x4x4xf32>
}

// The accumulator is read twice.
// CHECK-LABEL: func.func @swish
// CHECK: glow.matmul %arg0, %arg1 do
// CHECK: ^bb0(%[[ACC:.+]]: f32):
// CHECK: arith.negf %[[ACC]]
// CHECK: arith.mulf %[[ACC]]
func.func @swish(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>) -> tensor<4x2xf32> {
  %0 = glow.matmul %x, %w : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = glow.sigmoid %0 : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %2 = glow.mul %0, %1 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// Of two products the later one waits for the other.
// CHECK-LABEL: func.func @gated_product
// CHECK: %[[A:.+]] = glow.matmul %arg0, %arg1 :
// CHECK: glow.matmul %arg0, %arg2 epilogue(%[[A]])
// CHECK-NOT: glow.map
func.func @gated_product(%x: tensor<4x3xf32>, %v: tensor<3x2xf32>, %w: tensor<3x2xf32>) -> tensor<4x2xf32> {
  %0 = glow.matmul %x, %v : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = glow.matmul %x, %w : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %2 = glow.sigmoid %0 : (tensor<4x2xf32>) -> tensor<4x2xf32>
  %3 = glow.mul %1, %2 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return %3 : tensor<4x2xf32>
}

// An epilogue input that is defined after the product: the product moves.
// CHECK-LABEL: func.func @input_defined_later
// CHECK: %[[SUM:.+]] = glow.reduce sum %arg2
// CHECK: glow.matmul %arg0, %arg1 epilogue(%[[SUM]])
func.func @input_defined_later(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>, %y: tensor<4x9xf32>) -> tensor<4x2xf32> {
  %0 = glow.matmul %x, %w : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = glow.reduce sum %y {axes = array<i64: 1>, keep_dims} : (tensor<4x9xf32>) -> tensor<4x1xf32>
  %2 = glow.add %0, %1 : (tensor<4x2xf32>, tensor<4x1xf32>) -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @broadcast_beyond_result
// CHECK: glow.matmul %arg0, %arg1 :
// CHECK: glow.map
func.func @broadcast_beyond_result(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>, %y: tensor<5x4x2xf32>) -> tensor<5x4x2xf32> {
  %0 = glow.matmul %x, %w : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = glow.add %0, %y : (tensor<4x2xf32>, tensor<5x4x2xf32>) -> tensor<5x4x2xf32>
  return %1 : tensor<5x4x2xf32>
}

// CHECK-LABEL: func.func @other_element_type
// CHECK: glow.matmul %arg0, %arg1 :
// CHECK: glow.map
func.func @other_element_type(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>) -> tensor<4x2xf16> {
  %0 = glow.matmul %x, %w : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = glow.cast %0 {to = f16} : (tensor<4x2xf32>) -> tensor<4x2xf16>
  return %1 : tensor<4x2xf16>
}

// CHECK-LABEL: func.func @raw_result_is_read_too
// CHECK: glow.matmul %arg0, %arg1 :
func.func @raw_result_is_read_too(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>) -> (tensor<4x2xf32>, tensor<4x2xf32>) {
  %0 = glow.matmul %x, %w : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = glow.relu %0 : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return %0, %1 : tensor<4x2xf32>, tensor<4x2xf32>
}

// In a bounded function, masks of rows stay outside: rows that are padding need
// not be computed then. Masks of columns go in.
// CHECK-LABEL: func.func @mask_of_rows
// CHECK: glow.matmul %arg0, %arg1 :
// CHECK: glow.map
func.func @mask_of_rows(%x: tensor<4x3xf32> {glow.extents = affine_map<()[s0] -> (s0, 3)>}, %w: tensor<3x2xf32>,
    %symbols: tensor<1xi64> {glow.symbols = [{lower = 1 : i64, name = "n", upper = 4 : i64}]}) -> tensor<4x2xf32> {
  %places = glow.constant dense<[[0], [1], [2], [3]]> : tensor<4x1xi64>
  %zero = glow.constant dense<0.0> : tensor<f32>
  %0 = glow.matmul %x, %w : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %1 = glow.less %places, %symbols : (tensor<4x1xi64>, tensor<1xi64>) -> tensor<4x1xi1>
  %2 = glow.where %1, %0, %zero : (tensor<4x1xi1>, tensor<4x2xf32>, tensor<f32>) -> tensor<4x2xf32>
  return %2 : tensor<4x2xf32>
}

// CHECK-LABEL: func.func @mask_of_columns
// CHECK: glow.matmul %arg0, %arg1 epilogue(
func.func @mask_of_columns(%x: tensor<2x3xf32>, %w: tensor<3x4xf32>,
    %symbols: tensor<1xi64> {glow.symbols = [{lower = 1 : i64, name = "n", upper = 4 : i64}]}) -> tensor<2x4xf32> {
  %places = glow.constant dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>
  %zero = glow.constant dense<0.0> : tensor<f32>
  %0 = glow.matmul %x, %w : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = glow.less %places, %symbols : (tensor<1x4xi64>, tensor<1xi64>) -> tensor<1x4xi1>
  %2 = glow.where %1, %0, %zero : (tensor<1x4xi1>, tensor<2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  return %2 : tensor<2x4xf32>
}
