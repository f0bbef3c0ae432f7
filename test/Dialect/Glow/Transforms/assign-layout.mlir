// RUN: glow-opt %s -glow-assign-layout | FileCheck %s
// RUN: glow-opt %s -glow-assign-layout -glow-sink-transposes | FileCheck %s --check-prefix=SINK

// CHECK-LABEL: func.func @conv_and_pool
// CHECK-DAG: %[[X:.+]] = glow.transpose %arg0 {permutation = array<i64: 0, 2, 3, 1>}
// CHECK-DAG: %[[W:.+]] = glow.transpose %arg1 {permutation = array<i64: 2, 3, 1, 0>}
// CHECK: %[[Y:.+]] = glow.conv %[[X]], %[[W]] {{.*}}layout = #glow.layout<channels_last>{{.*}} -> tensor<1x64x64x32xf32>
// CHECK: glow.transpose %[[Y]] {permutation = array<i64: 0, 3, 1, 2>}
// CHECK: glow.pool max {{.*}}layout = #glow.layout<channels_last>
func.func @conv_and_pool(%x: tensor<1x16x64x64xf32>, %w: tensor<32x16x3x3xf32>) -> tensor<1x32x32x32xf32> {
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x16x64x64xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x64x64xf32>
  %1 = glow.pool max %0 {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 2, 2>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x32x64x64xf32>) -> tensor<1x32x32x32xf32>
  return %1 : tensor<1x32x32x32xf32>
}

// A pool alone is too little work to pay for two reorders.
// CHECK-LABEL: func.func @lone_pool
// CHECK-NOT: glow.transpose
func.func @lone_pool(%x: tensor<1x16x64x64xf32>) -> tensor<1x16x64x64xf32> {
  %0 = glow.pool max %x {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x16x64x64xf32>) -> tensor<1x16x64x64xf32>
  return %0 : tensor<1x16x64x64xf32>
}

// The model's own transpose takes up the one that reorders; what lies beyond it
// does not count.
// CHECK-LABEL: func.func @patches
// CHECK: glow.conv {{.*}}layout = #glow.layout<channels_last>
func.func @patches(%x: tensor<1x3x64x64xf32>, %w: tensor<32x3x4x4xf32>, %v: tensor<32x512xf32>) -> tensor<1x16x16x512xf32> {
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 4, 4>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 4, 4>} : (tensor<1x3x64x64xf32>, tensor<32x3x4x4xf32>) -> tensor<1x32x16x16xf32>
  %1 = glow.transpose %0 {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x32x16x16xf32>) -> tensor<1x16x16x32xf32>
  %2 = glow.matmul %1, %v : (tensor<1x16x16x32xf32>, tensor<32x512xf32>) -> tensor<1x16x16x512xf32>
  %3 = glow.relu %2 : (tensor<1x16x16x512xf32>) -> tensor<1x16x16x512xf32>
  return %3 : tensor<1x16x16x512xf32>
}

// A mask that both read binds no convolution to what the product does.
// CHECK-LABEL: func.func @shared_mask
// CHECK: glow.conv {{.*}}layout = #glow.layout<channels_last>
func.func @shared_mask(%x: tensor<1x16x64x64xf32>, %w: tensor<32x16x3x3xf32>, %m: tensor<1x1x64x64xi1>, %z: tensor<f32>, %a: tensor<64x512x64x64xf32>) -> (tensor<1x32x64x64xf32>, tensor<64x512x64x64xf32>) {
  %n = glow.not %m : (tensor<1x1x64x64xi1>) -> tensor<1x1x64x64xi1>
  %0 = glow.where %n, %x, %z : (tensor<1x1x64x64xi1>, tensor<1x16x64x64xf32>, tensor<f32>) -> tensor<1x16x64x64xf32>
  %1 = glow.conv %0, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x16x64x64xf32>, tensor<32x16x3x3xf32>) -> tensor<1x32x64x64xf32>
  %2 = glow.where %n, %a, %z : (tensor<1x1x64x64xi1>, tensor<64x512x64x64xf32>, tensor<f32>) -> tensor<64x512x64x64xf32>
  return %1, %2 : tensor<1x32x64x64xf32>, tensor<64x512x64x64xf32>
}

// An epilogue goes along, and what it reads.
// CHECK-LABEL: func.func @epilogue
// CHECK-DAG: %[[S:.+]] = glow.unsqueeze %arg2
// CHECK-DAG: %[[SCALE:.+]] = glow.transpose %[[S]] {permutation = array<i64: 0, 2, 3, 1>} : (tensor<1x32x1x1xf32>) -> tensor<1x1x1x32xf32>
// CHECK-DAG: %[[SUM:.+]] = glow.transpose %arg3 {permutation = array<i64: 0, 2, 3, 1>}
// CHECK: %[[Y:.+]] = glow.conv {{.*}} epilogue(%[[SCALE]], %[[SUM]], %arg4) {{.*}}layout = #glow.layout<channels_last>
// CHECK-NEXT: ^bb0(%{{.+}}: f32, %{{.+}}: f32, %{{.+}}: f32, %{{.+}}: f32):
// CHECK: arith.truncf
// CHECK: -> tensor<1x64x64x32xbf16>
// CHECK: glow.transpose %[[Y]] {permutation = array<i64: 0, 3, 1, 2>} : (tensor<1x64x64x32xbf16>) -> tensor<1x32x64x64xbf16>
func.func @epilogue(%x: tensor<1x16x64x64xf32>, %w: tensor<32x16x3x3xf32>, %scale: tensor<32x1x1xf32>, %sum: tensor<1x32x64x64xf32>, %one: tensor<f32>) -> tensor<1x32x64x64xbf16> {
  %0 = glow.conv %x, %w epilogue(%scale, %sum, %one) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} do {
  ^bb0(%a: f32, %s: f32, %r: f32, %o: f32):
    %1 = arith.mulf %a, %s : f32
    %2 = arith.addf %1, %r : f32
    %3 = arith.subf %2, %o : f32
    %4 = arith.truncf %3 : f32 to bf16
    glow.yield %4 : bf16
  } : (tensor<1x16x64x64xf32>, tensor<32x16x3x3xf32>, tensor<32x1x1xf32>, tensor<1x32x64x64xf32>, tensor<f32>) -> tensor<1x32x64x64xbf16>
  return %0 : tensor<1x32x64x64xbf16>
}

// What has channels last keeps them, though first ones would take less work
// than reordering.
// CHECK-LABEL: func.func @already_last
// CHECK-NOT: glow.transpose
// CHECK: glow.conv {{.*}}layout = #glow.layout<channels_last>
func.func @already_last(%x: tensor<1x64x64x16xf32>, %w: tensor<3x3x1x16xf32>) -> tensor<1x64x64x16xf32> {
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 16 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x64x64x16xf32>, tensor<3x3x1x16xf32>) -> tensor<1x64x64x16xf32>
  return %0 : tensor<1x64x64x16xf32>
}

// Short lines fill no vectors with channels first, not even of few products.
// CHECK-LABEL: func.func @short_lines
// CHECK: glow.conv {{.*}}layout = #glow.layout<channels_last>
// CHECK: glow.pool {{.*}}layout = #glow.layout<channels_last>
func.func @short_lines(%x: tensor<1x384x14x14xf32>, %w: tensor<384x1x5x5xf32>) -> (tensor<1x384x7x7xf32>, tensor<1x384x14x14xf32>) {
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 384 : i64, kernel_shape = array<i64: 5, 5>, pads = array<i64: 2, 2, 2, 2>, strides = array<i64: 2, 2>} : (tensor<1x384x14x14xf32>, tensor<384x1x5x5xf32>) -> tensor<1x384x7x7xf32>
  %1 = glow.pool max %x {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 5, 5>, pads = array<i64: 2, 2, 2, 2>, strides = array<i64: 1, 1>} : (tensor<1x384x14x14xf32>) -> tensor<1x384x14x14xf32>
  return %0, %1 : tensor<1x384x7x7xf32>, tensor<1x384x14x14xf32>
}

// Long lines of channels by themselves do.
// CHECK-LABEL: func.func @long_lines
// CHECK-NOT: glow.transpose
func.func @long_lines(%x: tensor<1x64x112x112xf32>, %w: tensor<64x1x3x3xf32>) -> tensor<1x64x112x112xf32> {
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 64 : i64, kernel_shape = array<i64: 3, 3>, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} : (tensor<1x64x112x112xf32>, tensor<64x1x3x3xf32>) -> tensor<1x64x112x112xf32>
  return %0 : tensor<1x64x112x112xf32>
}

// What an image is made larger of is reordered, not the larger image.
// CHECK-LABEL: func.func @enlarged
// CHECK: %[[X:.+]] = glow.transpose %arg0 {permutation = array<i64: 0, 2, 3, 1>}
// CHECK: glow.resize %[[X]]
// SINK-LABEL: func.func @enlarged
// SINK: %[[X:.+]] = glow.transpose %arg0 {permutation = array<i64: 0, 2, 3, 1>}
// SINK: %[[Y:.+]] = glow.resize %[[X]]
// SINK: glow.conv %[[Y]]
func.func @enlarged(%x: tensor<1x64x56x56xf32>, %w: tensor<32x64x1x1xf32>) -> tensor<1x32x112x112xf32> {
  %scales = glow.constant dense<[1.0, 1.0, 2.0, 2.0]> : tensor<4xf32>
  %sizes = glow.constant dense<[1, 64, 112, 112]> : tensor<4xi64>
  %0 = glow.resize %x, %scales, %sizes {coordinate_mode = "align_corners", cubic_coeff = -0.75 : f64, mode = "linear", nearest_mode = "floor"} : (tensor<1x64x56x56xf32>, tensor<4xf32>, tensor<4xi64>) -> tensor<1x64x112x112xf32>
  %1 = glow.conv %0, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x64x112x112xf32>, tensor<32x64x1x1xf32>) -> tensor<1x32x112x112xf32>
  return %1 : tensor<1x32x112x112xf32>
}
