// RUN: glow-opt %s "-glow-narrow-weights=target=l1=4K,l2=32K,vector-bits=512,features=avx512vbmi" | FileCheck %s
// RUN: glow-opt %s "-glow-narrow-weights=target=l1=4K,l2=32K,vector-bits=512" | FileCheck %s --check-prefix=PLAIN
// RUN: glow-opt %s "-glow-narrow-weights=target=vector-bits=512,features=avx512vbmi" | FileCheck %s --check-prefix=PLAIN
// RUN: glow-opt %s "-glow-narrow-weights=target=l1=4K,l2=32K,vector-bits=512,features=avx512vbmi" -glow-fold-constants -glow-pack-weights=width=16 | FileCheck %s --check-prefix=PACKED

// Without the instruction that widens them, and where they stay in the cache,
// weights keep their bits.
// PLAIN-NOT: i24

// CHECK-LABEL: func.func @few_rows
// CHECK: %[[W:.+]], %[[SCALES:.+]] = glow.narrow_weights %{{.*}} : (tensor<90x100xf32>) -> (tensor<90x100xi24>, tensor<100xf32>)
// CHECK: glow.matmul %arg0, %[[W]] epilogue(%[[SCALES]]) {accumulator = f32} do
// CHECK-NEXT: ^bb0(%[[SUM:.+]]: f32, %[[SCALE:.+]]: f32):
// CHECK-NEXT: %[[SCALED:.+]] = arith.mulf %[[SUM]], %[[SCALE]]
// CHECK-NEXT: glow.yield %[[SCALED]]
// PACKED-LABEL: func.func @few_rows
// PACKED: glow.pack {{.*}} {width = 16 : i64} : (tensor<90x100xi24>) -> tensor<7x90x16xi24>
func.func @few_rows(%x: tensor<2x4x90xf32>) -> tensor<2x4x100xf32> {
  %w = glow.constant dense<1.1> : tensor<90x100xf32>
  %0 = glow.matmul %x, %w : (tensor<2x4x90xf32>, tensor<90x100xf32>) -> tensor<2x4x100xf32>
  return %0 : tensor<2x4x100xf32>
}

// CHECK-LABEL: func.func @one_place
// CHECK: %[[MATRIX:.+]] = glow.reshape {{.*}} -> tensor<90x100xf32>
// CHECK: %[[W:.+]], %[[SCALES:.+]] = glow.narrow_weights %[[MATRIX]]
// CHECK: %[[FILTER:.+]] = glow.reshape %[[W]], {{.*}} -> tensor<1x1x90x100xi24>
// CHECK: glow.conv %arg0, %[[FILTER]] epilogue(%arg1, %[[SCALES]])
// CHECK-NEXT: ^bb0(%[[SUM:.+]]: f32, %{{.*}}: f32, %[[SCALE:.+]]: f32):
// CHECK-NEXT: %[[SCALED:.+]] = arith.mulf %[[SUM]], %[[SCALE]]
// CHECK-NEXT: arith.addf %[[SCALED]]
// PACKED-LABEL: func.func @one_place
// PACKED: glow.pack {{.*}} -> tensor<7x90x16xi24>
func.func @one_place(%x: tensor<1x1x1x90xf32>, %bias: tensor<100xf32>) -> tensor<1x1x1x100xf32> {
  %w = glow.constant dense<1.1> : tensor<1x1x90x100xf32>
  %0 = glow.conv %x, %w epilogue(%bias) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32, %b: f32):
    %1 = arith.addf %sum, %b : f32
    glow.yield %1 : f32
  } : (tensor<1x1x1x90xf32>, tensor<1x1x90x100xf32>, tensor<100xf32>) -> tensor<1x1x1x100xf32>
  return %0 : tensor<1x1x1x100xf32>
}

// More rows make more of each weight than a read.
// CHECK-LABEL: func.func @many_rows
// CHECK-NOT: i24
func.func @many_rows(%x: tensor<9x90xf32>) -> tensor<9x100xf32> {
  %w = glow.constant dense<1.1> : tensor<90x100xf32>
  %0 = glow.matmul %x, %w : (tensor<9x90xf32>, tensor<90x100xf32>) -> tensor<9x100xf32>
  return %0 : tensor<9x100xf32>
}

// Steps of a recurrence find their weights in a cache.
// CHECK-LABEL: func.func @two_readers
// CHECK-NOT: i24
func.func @two_readers(%x: tensor<1x100xf32>) -> tensor<1x100xf32> {
  %w = glow.constant dense<1.1> : tensor<100x100xf32>
  %0 = glow.matmul %x, %w : (tensor<1x100xf32>, tensor<100x100xf32>) -> tensor<1x100xf32>
  %1 = glow.matmul %0, %w : (tensor<1x100xf32>, tensor<100x100xf32>) -> tensor<1x100xf32>
  return %1 : tensor<1x100xf32>
}

// CHECK-LABEL: func.func @not_finite
// CHECK-NOT: i24
func.func @not_finite(%x: tensor<1x90xf32>) -> tensor<1x100xf32> {
  %w = glow.constant dense<0x7F800000> : tensor<90x100xf32>
  %0 = glow.matmul %x, %w : (tensor<1x90xf32>, tensor<90x100xf32>) -> tensor<1x100xf32>
  return %0 : tensor<1x100xf32>
}
