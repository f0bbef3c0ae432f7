// RUN: glow-opt %s -glow-fold-constants | FileCheck %s

// CHECK-LABEL: func.func @matmul
// CHECK-DAG: dense<{{\[\[}}1.900000e+01, 2.200000e+01], [4.300000e+01, 5.000000e+01]]> : tensor<2x2xf32>
// CHECK-DAG: dense<[1.900000e+01, 2.200000e+01]> : tensor<2xf32>
func.func @matmul() -> (tensor<2x2xf32>, tensor<2xf32>) {
  %a = glow.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %b = glow.constant dense<[[5.0, 6.0], [7.0, 8.0]]> : tensor<2x2xf32>
  %r = glow.matmul %a, %b : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %v = glow.constant dense<[1.0, 2.0]> : tensor<2xf32>
  %w = glow.matmul %v, %b : (tensor<2xf32>, tensor<2x2xf32>) -> tensor<2xf32>
  return %r, %w : tensor<2x2xf32>, tensor<2xf32>
}

// The product of unlike integers is exact in the accumulator.
// CHECK-LABEL: func.func @accumulator
// CHECK-NEXT: dense<-65280> : tensor<1x1xi32>
func.func @accumulator() -> tensor<1x1xi32> {
  %a = glow.constant dense<255> : tensor<1x2xui8>
  %b = glow.constant dense<-128> : tensor<2x1xi8>
  %r = glow.matmul %a, %b {accumulator = i32} : (tensor<1x2xui8>, tensor<2x1xi8>) -> tensor<1x1xi32>
  return %r : tensor<1x1xi32>
}

// CHECK-LABEL: func.func @packed_with_epilogue
// CHECK-NEXT: dense<{{\[\[}}1.000000e+01, 2.100000e+01, 3.200000e+01]]> : tensor<1x3xf32>
func.func @packed_with_epilogue() -> tensor<1x3xf32> {
  %a = glow.constant dense<[[1.0, 1.0]]> : tensor<1x2xf32>
  %b = glow.constant dense<[[0.0, 0.0, 1.0], [0.0, 1.0, 1.0]]> : tensor<2x3xf32>
  %p = glow.pack %b {width = 2 : i64} : (tensor<2x3xf32>) -> tensor<2x2x2xf32>
  %bias = glow.constant dense<[10.0, 20.0, 30.0]> : tensor<3xf32>
  %r = glow.matmul %a, %p epilogue(%bias) {packed = 2 : i64, output_channels = 3 : i64} do {
  ^bb0(%sum: f32, %x: f32):
    %s = arith.addf %sum, %x : f32
    glow.yield %s : f32
  } : (tensor<1x2xf32>, tensor<2x2x2xf32>, tensor<3xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// Rows of a panel that hold two rows of the matrix, the last one padded.
// CHECK-LABEL: func.func @packed_in_pairs
// CHECK-NEXT: dense<{{\[\[}}1.400000e+01, 3.200000e+01, 5.000000e+01]]> : tensor<1x3xf32>
func.func @packed_in_pairs() -> tensor<1x3xf32> {
  %a = glow.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>
  %b = glow.constant dense<[[1.0, 4.0, 7.0], [2.0, 5.0, 8.0], [3.0, 6.0, 9.0]]> : tensor<3x3xf32>
  %p = glow.pack %b {group = 2 : i64, width = 2 : i64} : (tensor<3x3xf32>) -> tensor<2x2x4xf32>
  %r = glow.matmul %a, %p {packed = 2 : i64, output_channels = 3 : i64} : (tensor<1x3xf32>, tensor<2x2x4xf32>) -> tensor<1x3xf32>
  return %r : tensor<1x3xf32>
}

// 257 has 9 bits: its first piece is 256.
// CHECK-LABEL: func.func @pieces
// CHECK-DAG: dense<{{\[\[}}1.000000e+00, 2.560000e+02, 0.000000e+00, 0.000000e+00, 1.000000e+00, 0.000000e+00]]> : tensor<1x6xbf16>
// CHECK-DAG: dense<5.150000e+02> : tensor<1x1xf32>
// CHECK-DAG: dense<5.150000e+02> : tensor<1x1x1x1xf32>
func.func @pieces() -> (tensor<1x6xbf16>, tensor<1x1xf32>, tensor<1x1x1x1xf32>) {
  %a = glow.constant dense<[[1.0, 257.0]]> : tensor<1x2xf32>
  %b = glow.constant dense<[[1.0], [2.0]]> : tensor<2x1xf32>
  %x = glow.bf16_pieces %a {axis = 1 : i64, multiple = 3 : i64, pieces = 2 : i64} : (tensor<1x2xf32>) -> tensor<1x6xbf16>
  %w = glow.bf16_pieces %b {axis = 0 : i64, multiple = 3 : i64, pieces = 2 : i64} : (tensor<2x1xf32>) -> tensor<6x1xbf16>
  %p = glow.pack %w {width = 4 : i64} : (tensor<6x1xbf16>) -> tensor<1x6x4xbf16>
  %r = glow.matmul %x, %p {packed = 4 : i64, output_channels = 1 : i64, pieces = 2 : i64} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  } : (tensor<1x6xbf16>, tensor<1x6x4xbf16>) -> tensor<1x1xf32>
  %shape = glow.constant dense<[1, 1, 1, 6]> : tensor<4xi64>
  %image = glow.reshape %x, %shape : (tensor<1x6xbf16>, tensor<4xi64>) -> tensor<1x1x1x6xbf16>
  %c = glow.conv %image, %p {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, output_channels = 1 : i64, packed = 4 : i64, pads = array<i64: 0, 0, 0, 0>, pieces = 2 : i64, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32):
    glow.yield %sum : f32
  } : (tensor<1x1x1x6xbf16>, tensor<1x6x4xbf16>) -> tensor<1x1x1x1xf32>
  return %x, %r, %c : tensor<1x6xbf16>, tensor<1x1xf32>, tensor<1x1x1x1xf32>
}

// CHECK-LABEL: func.func @conv
// CHECK-DAG: dense<{{\[\[\[}}3.000000e+00, 6.000000e+00, 5.000000e+00]]]> : tensor<1x1x3xf32>
// CHECK-DAG: dense<{{\[\[\[}}3.000000e+00], [6.000000e+00], [5.000000e+00]]]> : tensor<1x3x1xf32>
func.func @conv() -> (tensor<1x1x3xf32>, tensor<1x3x1xf32>) {
  %x = glow.constant dense<[[[1.0, 2.0, 3.0]]]> : tensor<1x1x3xf32>
  %w = glow.constant dense<1.0> : tensor<1x1x3xf32>
  %first = glow.conv %x, %w {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<1x1x3xf32>, tensor<1x1x3xf32>) -> tensor<1x1x3xf32>
  %y = glow.constant dense<[[[1.0], [2.0], [3.0]]]> : tensor<1x3x1xf32>
  %v = glow.constant dense<1.0> : tensor<3x1x1xf32>
  %last = glow.conv %y, %v {dilations = array<i64: 1>, group = 1 : i64, kernel_shape = array<i64: 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1>, strides = array<i64: 1>} : (tensor<1x3x1xf32>, tensor<3x1x1xf32>) -> tensor<1x3x1xf32>
  return %first, %last : tensor<1x1x3xf32>, tensor<1x3x1xf32>
}

// Each group reads its own channels.
// CHECK-LABEL: func.func @conv_groups
// CHECK-NEXT: dense<{{\[\[\[}}1.100000e+01], [2.600000e+01]]]> : tensor<1x2x1xf32>
func.func @conv_groups() -> tensor<1x2x1xf32> {
  %x = glow.constant dense<[[[1.0], [2.0]]]> : tensor<1x2x1xf32>
  %w = glow.constant dense<[[[1.0]], [[3.0]]]> : tensor<2x1x1xf32>
  %b = glow.constant dense<[10.0, 20.0]> : tensor<2xf32>
  %r = glow.conv %x, %w bias(%b) {dilations = array<i64: 1>, group = 2 : i64, kernel_shape = array<i64: 1>, pads = array<i64: 0, 0>, strides = array<i64: 1>} : (tensor<1x2x1xf32>, tensor<2x1x1xf32>, tensor<2xf32>) -> tensor<1x2x1xf32>
  return %r : tensor<1x2x1xf32>
}

// CHECK-LABEL: func.func @conv_transpose
// CHECK-NEXT: dense<{{\[\[\[}}1.000000e+00, 1.000000e+00, 3.000000e+00, 2.000000e+00, 2.000000e+00]]]> : tensor<1x1x5xf32>
func.func @conv_transpose() -> tensor<1x1x5xf32> {
  %x = glow.constant dense<[[[1.0, 2.0]]]> : tensor<1x1x2xf32>
  %w = glow.constant dense<1.0> : tensor<1x1x3xf32>
  %r = glow.conv_transpose %x, %w {dilations = array<i64: 1>, group = 1 : i64, output_padding = array<i64: 0>, pads = array<i64: 0, 0>, strides = array<i64: 2>} : (tensor<1x1x2xf32>, tensor<1x1x3xf32>) -> tensor<1x1x5xf32>
  return %r : tensor<1x1x5xf32>
}

// CHECK-LABEL: func.func @pool
// CHECK-DAG: dense<{{\[\[\[}}2.000000e+00, 4.000000e+00]]]> : tensor<1x1x2xf32>
// CHECK-DAG: dense<{{\[\[\[}}1.500000e+00, 3.000000e+00]]]> : tensor<1x1x2xf32>
// CHECK-DAG: dense<{{\[\[\[}}1.000000e+00, 3.000000e+00]]]> : tensor<1x1x2xf32>
func.func @pool() -> (tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>) {
  %x = glow.constant dense<[[[1.0, 2.0, 3.0, 4.0]]]> : tensor<1x1x4xf32>
  %max = glow.pool max %x {dilations = array<i64: 1>, kernel_shape = array<i64: 3>, pads = array<i64: 1, 0>, strides = array<i64: 2>} : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
  %average = glow.pool average %x {dilations = array<i64: 1>, kernel_shape = array<i64: 3>, pads = array<i64: 1, 0>, strides = array<i64: 2>} : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
  %padded = glow.pool average %x {count_include_pad, dilations = array<i64: 1>, kernel_shape = array<i64: 3>, pads = array<i64: 1, 0>, strides = array<i64: 2>} : (tensor<1x1x4xf32>) -> tensor<1x1x2xf32>
  return %max, %average, %padded : tensor<1x1x2xf32>, tensor<1x1x2xf32>, tensor<1x1x2xf32>
}

// Sign, 5 bits of exponent, 18 of mantissa, halves to even: 1 + 2^-19 lies
// between two numbers, what is below 2^-31 of the scale becomes that, and the
// largest number stays below 2. A column of zeros has the scale 0.
// CHECK-LABEL: func.func @narrow_weights
// CHECK-DAG: dense<{{\[\[}}8126464, 8126466, 8388607, 0], [-131072, 0, -8388608, 0]]> : tensor<2x4xi24>
// CHECK-DAG: dense<[1.000000e+00, 1.000000e+00, 4.000000e+00, 0.000000e+00]> : tensor<4xf32>
// CHECK-DAG: dense<{{\[\[}}2.500000e+00, -1.500000e+00]]> : tensor<1x2xf32>
func.func @narrow_weights() -> (tensor<2x4xi24>, tensor<4xf32>, tensor<1x2xf32>) {
  %w = glow.constant dense<[[0x3F800010, 0x3F800030, 0x40FFFFFF, 0.0], [-1.5, 1.0e-10, -0.0, 0.0]]> : tensor<2x4xf32>
  %q, %s = glow.narrow_weights %w : (tensor<2x4xf32>) -> (tensor<2x4xi24>, tensor<4xf32>)
  %x = glow.constant dense<[[1.0, 1.0]]> : tensor<1x2xf32>
  %v = glow.constant dense<[[1.0, -1.25], [1.5, -0.25]]> : tensor<2x2xf32>
  %n, %t = glow.narrow_weights %v : (tensor<2x2xf32>) -> (tensor<2x2xi24>, tensor<2xf32>)
  %p = glow.pack %n {width = 2 : i64} : (tensor<2x2xi24>) -> tensor<1x2x2xi24>
  %r = glow.matmul %x, %p {accumulator = f32, output_channels = 2 : i64, packed = 2 : i64} : (tensor<1x2xf32>, tensor<1x2x2xi24>) -> tensor<1x2xf32>
  return %q, %s, %r : tensor<2x4xi24>, tensor<4xf32>, tensor<1x2xf32>
}
