// RUN: glow-opt %s -glow-decompose -canonicalize -cse | FileCheck %s
// RUN: glow-opt %s -glow-decompose=keep=glow.softmax | FileCheck %s --check-prefix=KEEP

// CHECK-LABEL: func.func @softmax_of_half
// CHECK: %[[X:.+]] = glow.cast %{{.+}} {to = f32}
// CHECK: %[[MAX:.+]] = glow.reduce max %[[X]]
// CHECK: %[[SHIFTED:.+]] = glow.sub %[[X]], %[[MAX]]
// CHECK: %[[EXP:.+]] = glow.exp %[[SHIFTED]]
// CHECK: %[[SUM:.+]] = glow.reduce sum %[[EXP]]
// CHECK: %[[FACTOR:.+]] = glow.reciprocal %[[SUM]]
// CHECK: %[[R:.+]] = glow.mul %[[EXP]], %[[FACTOR]]
// CHECK: glow.cast %[[R]] {to = f16}
// KEEP-LABEL: func.func @softmax_of_half
// KEEP: glow.softmax
func.func @softmax_of_half(%x: tensor<2x8xf16>) -> tensor<2x8xf16> {
  %r = glow.softmax %x {axis = 1 : i64} : (tensor<2x8xf16>) -> tensor<2x8xf16>
  return %r : tensor<2x8xf16>
}

// CHECK-LABEL: func.func @log_softmax
// CHECK: %[[SHIFTED:.+]] = glow.sub
// CHECK: %[[LOG:.+]] = glow.log
// CHECK: glow.sub %[[SHIFTED]], %[[LOG]]
func.func @log_softmax(%x: tensor<?x8xf32>) -> tensor<?x8xf32> {
  %r = glow.softmax %x {axis = 1 : i64, log} : (tensor<?x8xf32>) -> tensor<?x8xf32>
  return %r : tensor<?x8xf32>
}

// The per-channel factor is computed on vectors and then broadcast.
// CHECK-LABEL: func.func @batch_norm
// CHECK: glow.rsqrt {{.*}} : (tensor<4xf32>)
// CHECK: glow.mul %arg0, {{.*}} : (tensor<?x4x8x8xf32>, tensor<4x1x1xf32>)
// CHECK: glow.add {{.*}} : (tensor<?x4x8x8xf32>, tensor<4x1x1xf32>)
func.func @batch_norm(%x: tensor<?x4x8x8xf32>, %s: tensor<4xf32>, %b: tensor<4xf32>, %m: tensor<4xf32>, %v: tensor<4xf32>) -> tensor<?x4x8x8xf32> {
  %r = glow.batch_norm %x, %s, %b, %m, %v {epsilon = 1.0e-5 : f64} : (tensor<?x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4x8x8xf32>
  return %r : tensor<?x4x8x8xf32>
}

// CHECK-LABEL: func.func @layer_norm
// CHECK-COUNT-2: glow.reduce sum {{.*}} {axes = array<i64: 1, 2>
// CHECK: glow.rsqrt
func.func @layer_norm(%x: tensor<2x8x4xf32>, %s: tensor<8x4xf32>) -> tensor<2x8x4xf32> {
  %r = glow.layer_norm %x, %s {axis = 1 : i64, epsilon = 1.0e-5 : f64} : (tensor<2x8x4xf32>, tensor<8x4xf32>) -> tensor<2x8x4xf32>
  return %r : tensor<2x8x4xf32>
}

// CHECK-LABEL: func.func @rms_norm
// CHECK: glow.mul %arg0, %arg0
// CHECK: glow.reduce sum
// CHECK-NOT: glow.reduce
func.func @rms_norm(%x: tensor<2x8xf32>, %s: tensor<8xf32>) -> tensor<2x8xf32> {
  %r = glow.layer_norm %x, %s {axis = 1 : i64, epsilon = 1.0e-5 : f64, rms} : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

// Statistics of channels, then of groups of them: no axes of images are merged.
// CHECK-LABEL: func.func @group_norm_of_dynamic_batch
// CHECK: glow.reduce sum %arg0 {axes = array<i64: 2, 3>, keep_dims}
// CHECK: glow.reduce sum {{.*}} {axes = array<i64: 4>, keep_dims} : (tensor<?x1x1x2x2xf32>)
// CHECK: glow.expand {{.*}} -> tensor<?x1x1x2x2xf32>
// CHECK: glow.sub %arg0, {{.*}} : (tensor<?x4x8x8xf32>, tensor<?x4x1x1xf32>)
func.func @group_norm_of_dynamic_batch(%x: tensor<?x4x8x8xf32>, %s: tensor<4xf32>) -> tensor<?x4x8x8xf32> {
  %r = glow.group_norm %x, %s, %s {groups = 2 : i64, epsilon = 1.0e-5 : f64} : (tensor<?x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<?x4x8x8xf32>
  return %r : tensor<?x4x8x8xf32>
}

// Statistics of all channels, or of each, need no cut.
// CHECK-LABEL: func.func @layer_and_instance_norm
// CHECK-NOT: glow.transpose
// CHECK: glow.reduce sum %arg0 {axes = array<i64: 1, 2, 3>, keep_dims}
// CHECK-NOT: glow.transpose
// CHECK: glow.reduce sum %{{.+}} {axes = array<i64: 2, 3>, keep_dims}
// CHECK-NOT: glow.transpose
// CHECK: return
func.func @layer_and_instance_norm(%x: tensor<1x4x8x8xf32>, %s: tensor<4xf32>) -> tensor<1x4x8x8xf32> {
  %0 = glow.group_norm %x, %s, %s {groups = 1 : i64, epsilon = 1.0e-5 : f64} : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  %1 = glow.group_norm %0, %s, %s {groups = 4 : i64, epsilon = 1.0e-5 : f64} : (tensor<1x4x8x8xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  return %1 : tensor<1x4x8x8xf32>
}

// As PyTorch exports it: the images are normalised, not what a reshape made of them.
// CHECK-LABEL: func.func @group_norm_of_reshape
// CHECK: glow.reduce sum %arg0 {axes = array<i64: 2, 3>, keep_dims}
// CHECK: glow.sub %arg0, {{.*}} : (tensor<2x6x5x5xf32>, tensor<2x6x1x1xf32>)
// CHECK: glow.reshape {{.*}} -> tensor<2x3x50xf32>
func.func @group_norm_of_reshape(%x: tensor<2x6x5x5xf32>, %s: tensor<3xf32>) -> tensor<2x3x50xf32> {
  %shape = glow.constant dense<[0, 3, -1]> : tensor<3xi64>
  %0 = glow.reshape %x, %shape : (tensor<2x6x5x5xf32>, tensor<3xi64>) -> tensor<2x3x50xf32>
  %1 = glow.group_norm %0, %s, %s {groups = 3 : i64, epsilon = 1.0e-5 : f64} : (tensor<2x3x50xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x50xf32>
  return %1 : tensor<2x3x50xf32>
}

// The batch may be something else.
// CHECK-LABEL: func.func @group_norm_of_other_batch
// CHECK: %[[GROUPED:.+]] = glow.reshape %arg0
// CHECK: glow.reduce sum %[[GROUPED]] {axes = array<i64: 2>, keep_dims}
func.func @group_norm_of_other_batch(%x: tensor<2x6x5x5xf32>, %s: tensor<3xf32>) -> tensor<2x3x50xf32> {
  %shape = glow.constant dense<[2, 3, -1]> : tensor<3xi64>
  %0 = glow.reshape %x, %shape : (tensor<2x6x5x5xf32>, tensor<3xi64>) -> tensor<2x3x50xf32>
  %1 = glow.group_norm %0, %s, %s {groups = 3 : i64, epsilon = 1.0e-5 : f64} : (tensor<2x3x50xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x50xf32>
  return %1 : tensor<2x3x50xf32>
}

// CHECK-LABEL: func.func @gemm
// CHECK: %[[B:.+]] = glow.transpose %arg1
// CHECK: %[[AB:.+]] = glow.matmul %arg0, %[[B]]
// CHECK: %[[SCALED:.+]] = glow.mul %[[AB]]
// CHECK: glow.add %[[SCALED]], %arg2
func.func @gemm(%a: tensor<2x3xf32>, %b: tensor<4x3xf32>, %c: tensor<4xf32>) -> tensor<2x4xf32> {
  %r = glow.gemm %a, %b, %c {alpha = 2.0 : f64, beta = 1.0 : f64, trans_b} : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}

// CHECK-LABEL: func.func @quantize_along_axis
// CHECK: %[[SCALE:.+]] = glow.reshape %arg1, {{.*}} -> tensor<2x1xf32>
// CHECK: glow.div %arg0, %[[SCALE]]
// CHECK: glow.round
// CHECK: glow.cast {{.*}} {to = i8}
func.func @quantize_along_axis(%x: tensor<2x8xf32>, %s: tensor<2xf32>, %z: tensor<2xi8>) -> tensor<2x8xi8> {
  %r = glow.quantize %x, %s, %z {axis = 0 : i64} : (tensor<2x8xf32>, tensor<2xf32>, tensor<2xi8>) -> tensor<2x8xi8>
  return %r : tensor<2x8xi8>
}

// CHECK-LABEL: func.func @dequantize
// CHECK: glow.sub
// CHECK: glow.mul
func.func @dequantize(%x: tensor<2x8xui8>, %s: tensor<f32>, %z: tensor<ui8>) -> tensor<2x8xf32> {
  %r = glow.dequantize %x, %s, %z {axis = 1 : i64} : (tensor<2x8xui8>, tensor<f32>, tensor<ui8>) -> tensor<2x8xf32>
  return %r : tensor<2x8xf32>
}

// Windows that do not overlap are put side by side, not added.
// CHECK-LABEL: func.func @col2im_of_tiles
// CHECK: %[[T:.+]] = glow.reshape %arg0, {{.*}} -> tensor<1x3x2x3x2x2xf32>
// CHECK: %[[ROWS:.+]] = glow.transpose %[[T]] {permutation = array<i64: 0, 1, 4, 2, 5, 3>}
// CHECK: %[[PADDED:.+]] = glow.reshape %[[ROWS]], {{.*}} -> tensor<1x3x4x6xf32>
// CHECK: glow.slice %[[PADDED]]
func.func @col2im_of_tiles(%x: tensor<1x18x4xf32>) -> tensor<1x3x3x6xf32> {
  %r = glow.col2im %x {image_shape = array<i64: 3, 6>, kernel_shape = array<i64: 2, 3>, strides = array<i64: 2, 3>, pads = array<i64: 1, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x18x4xf32>) -> tensor<1x3x3x6xf32>
  return %r : tensor<1x3x3x6xf32>
}

// Windows at every place are images of one tap each, which are shifted and added
// along one axis after the other.
// CHECK-LABEL: func.func @col2im_of_every_place
// CHECK-DAG: %[[ALONG:.+]] = glow.constant dense<[0, 0, 0, 0, -1, 0, 0, 0, 0, 1]>
// CHECK-DAG: %[[DOWN:.+]] = glow.constant dense<[0, 0, -1, 0, 0, 0, 1, 0]>
// CHECK: %[[SHIFTED:.+]] = glow.pad constant %{{.+}}, %[[ALONG]]
// CHECK: glow.add %[[SHIFTED]], %{{.+}} -> tensor<1x3x2x4x4xf32>
// CHECK: %[[ROWS:.+]] = glow.pad constant %{{.+}}, %[[DOWN]]
// CHECK: glow.add %[[ROWS]], %{{.+}} -> tensor<1x3x4x4xf32>
func.func @col2im_of_every_place(%x: tensor<1x12x16xf32>) -> tensor<1x3x4x4xf32> {
  %r = glow.col2im %x {image_shape = array<i64: 4, 4>, kernel_shape = array<i64: 2, 2>, strides = array<i64: 1, 1>, pads = array<i64: 1, 1, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x12x16xf32>) -> tensor<1x3x4x4xf32>
  return %r : tensor<1x3x4x4xf32>
}

// CHECK-LABEL: func.func @col2im_of_no_pixels
// CHECK: glow.splat
func.func @col2im_of_no_pixels(%x: tensor<1x4x0xf32>) -> tensor<1x1x4x0xf32> {
  %r = glow.col2im %x {image_shape = array<i64: 4, 0>, kernel_shape = array<i64: 2, 2>, strides = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, dilations = array<i64: 1, 1>} : (tensor<1x4x0xf32>) -> tensor<1x1x4x0xf32>
  return %r : tensor<1x1x4x0xf32>
}
