// RUN: glow-opt %s -glow-store-as-bfloat16 -split-input-file | FileCheck %s
// RUN: glow-opt %s --split-input-file "--glow-store-as-bfloat16=target=vector-bits=512,features=avx512bf16+amx-tile+amx-bf16" | FileCheck %s --check-prefix=TILES
// RUN: glow-opt %s --split-input-file "--glow-store-as-bfloat16=target=vector-bits=512,features=avx512bf16" | FileCheck %s --check-prefix=PAIRS

// The weight is cast and the activation rounded where it is written; the result
// of the function stays f32.
// CHECK-LABEL: func.func @map_and_matmul
//       CHECK: %[[X:.+]] = glow.map %arg0 {element_type = bf16}
//       CHECK:   %[[SUM:.+]] = arith.addf %{{.+}}, %{{.+}} : f32
//       CHECK:   %[[NARROW:.+]] = arith.truncf %[[SUM]] fastmath<afn> : f32 to bf16
//       CHECK:   glow.yield %[[NARROW]] : bf16
//       CHECK: %[[W:.+]] = glow.cast %{{.+}} {to = bf16}
//       CHECK: glow.matmul %[[X]], %[[W]] do {
//       CHECK: ^bb0(%[[ACC:.+]]: f32):
//       CHECK:   glow.yield %[[ACC]] : f32
//       CHECK: (tensor<4x8xbf16>, tensor<8x16xbf16>) -> tensor<4x16xf32>
func.func @map_and_matmul(%x: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %w = glow.constant dense<1.0> : tensor<8x16xf32>
  %0 = glow.map %x {element_type = f32} do {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    glow.yield %s : f32
  } : (tensor<4x8xf32>) -> tensor<4x8xf32>
  %1 = glow.matmul %0, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}

// -----

// An argument that a product reads is converted by a map of its own.
// CHECK-LABEL: func.func @argument
//       CHECK: %[[X:.+]] = glow.map %arg0 {element_type = bf16}
//       CHECK: glow.matmul %[[X]],
func.func @argument(%x: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %w = glow.constant dense<1.0> : tensor<8x16xf32>
  %1 = glow.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %1 : tensor<4x16xf32>
}

// -----

// Between products elements move as bf16, and epilogues compute in f32.
// CHECK-LABEL: func.func @between
//       CHECK: %[[FIRST:.+]] = glow.conv {{.*}} epilogue(
//       CHECK: ^bb0(%[[ACC:.+]]: f32, %[[BIAS:.+]]: f32):
//       CHECK:   arith.truncf
//       CHECK: -> tensor<1x8x8x4xbf16>
//       CHECK: %[[POOL:.+]] = glow.pool max %[[FIRST]] {{.*}} -> tensor<1x4x4x4xbf16>
//       CHECK: glow.conv %[[POOL]], {{.*}} epilogue(%[[POOL]])
//       CHECK: ^bb0(%{{.+}}: f32, %[[OTHER:.+]]: bf16):
//       CHECK:   arith.extf %[[OTHER]] : bf16 to f32
//       CHECK: -> tensor<1x4x4x4xf32>
func.func @between(%x: tensor<1x8x8x2xf32>) -> tensor<1x4x4x4xf32> {
  %w = glow.constant dense<1.0> : tensor<1x1x2x4xf32>
  %v = glow.constant dense<1.0> : tensor<1x1x4x4xf32>
  %bias = glow.constant dense<1.0> : tensor<4xf32>
  %0 = glow.conv %x, %w epilogue(%bias) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32, %b: f32):
    %s = arith.addf %sum, %b : f32
    glow.yield %s : f32
  } : (tensor<1x8x8x2xf32>, tensor<1x1x2x4xf32>, tensor<4xf32>) -> tensor<1x8x8x4xf32>
  %1 = glow.pool max %0 {dilations = array<i64: 1, 1>, kernel_shape = array<i64: 2, 2>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 2, 2>} : (tensor<1x8x8x4xf32>) -> tensor<1x4x4x4xf32>
  %2 = glow.conv %1, %v epilogue(%1) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} do {
  ^bb0(%sum: f32, %b: f32):
    %s = arith.addf %sum, %b : f32
    glow.yield %s : f32
  } : (tensor<1x4x4x4xf32>, tensor<1x1x4x4xf32>, tensor<1x4x4x4xf32>) -> tensor<1x4x4x4xf32>
  return %2 : tensor<1x4x4x4xf32>
}

// -----

// What a maximum reads and writes stays f32 if no product reads it, and so do maps
// of it.
// CHECK-LABEL: func.func @reduction
//       CHECK: %[[P:.+]] = glow.matmul
//       CHECK: } : (tensor<4x8xbf16>, tensor<8x16xbf16>) -> tensor<4x16xf32>
//       CHECK: %[[MAX:.+]] = glow.reduce max %[[P]] {{.*}} -> tensor<4x1xf32>
//       CHECK: glow.map %[[P]], %[[MAX]] {element_type = f32}
func.func @reduction(%x: tensor<4x8xf32>) -> tensor<4x16xf32> {
  %w = glow.constant dense<1.0> : tensor<8x16xf32>
  %0 = glow.matmul %x, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  %1 = glow.reduce max %0 {axes = array<i64: 1>, keep_dims} : (tensor<4x16xf32>) -> tensor<4x1xf32>
  %2 = glow.map %0, %1 {element_type = f32} do {
  ^bb0(%a: f32, %b: f32):
    %s = arith.subf %a, %b : f32
    glow.yield %s : f32
  } : (tensor<4x16xf32>, tensor<4x1xf32>) -> tensor<4x16xf32>
  return %2 : tensor<4x16xf32>
}

// -----

// A depthwise convolution reads bf16, but its few weights stay f32.
// CHECK-LABEL: func.func @depthwise
//       CHECK: } : (tensor<1x8x8x4xbf16>, tensor<3x3x1x4xf32>) -> tensor<1x6x6x4xbf16>
func.func @depthwise(%x: tensor<1x8x8x4xf32>) -> tensor<1x6x6x4xf32> {
  %p = glow.constant dense<1.0> : tensor<1x1x4x4xf32>
  %d = glow.constant dense<1.0> : tensor<3x3x1x4xf32>
  %0 = glow.conv %x, %p {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x8x8x4xf32>
  %1 = glow.conv %0, %d {dilations = array<i64: 1, 1>, group = 4 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x8x4xf32>, tensor<3x3x1x4xf32>) -> tensor<1x6x6x4xf32>
  %2 = glow.conv %1, %p {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 1, 1>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x6x6x4xf32>, tensor<1x1x4x4xf32>) -> tensor<1x6x6x4xf32>
  return %2 : tensor<1x6x6x4xf32>
}

// -----

// A depth that does not fill tile registers stays f32, and so does what it reads.
// CHECK-LABEL: func.func @shallow
//       CHECK: } : (tensor<4x8xbf16>, tensor<8x32xbf16>) -> tensor<4x32xbf16>
// TILES-LABEL: func.func @shallow
//       TILES: : (tensor<4x8xf32>, tensor<8x32xf32>) -> tensor<4x32xbf16>
//       TILES: : (tensor<4x32xbf16>, tensor<32x4xbf16>) -> tensor<4x4xf32>
func.func @shallow(%x: tensor<4x8xf32>) -> tensor<4x4xf32> {
  %v = glow.constant dense<1.0> : tensor<8x32xf32>
  %w = glow.constant dense<1.0> : tensor<32x4xf32>
  %0 = glow.matmul %x, %v : (tensor<4x8xf32>, tensor<8x32xf32>) -> tensor<4x32xf32>
  %1 = glow.matmul %0, %w : (tensor<4x32xf32>, tensor<32x4xf32>) -> tensor<4x4xf32>
  return %1 : tensor<4x4xf32>
}

// -----

// One query: each key and value is used once, so they stay as they are.
// CHECK-LABEL: func.func @query
//       CHECK: glow.matmul %{{.+}}, %{{.+}} : (tensor<2x9x32xf32>, tensor<2x32x1xf32>) -> tensor<2x9x1xf32>
//       CHECK: glow.matmul %{{.+}}, %{{.+}} : (tensor<2x1x9xf32>, tensor<2x9x32xf32>) -> tensor<2x1x32xf32>
func.func @query(%k: tensor<2x9x32xf32>, %q: tensor<2x32x1xf32>, %p: tensor<2x1x9xf32>) -> (tensor<2x9x1xf32>, tensor<2x1x32xf32>) {
  %0 = glow.matmul %k, %q : (tensor<2x9x32xf32>, tensor<2x32x1xf32>) -> tensor<2x9x1xf32>
  %1 = glow.matmul %p, %k : (tensor<2x1x9xf32>, tensor<2x9x32xf32>) -> tensor<2x1x32xf32>
  return %0, %1 : tensor<2x9x1xf32>, tensor<2x1x32xf32>
}

// -----

// What is rounded then need not have all digits; what is not has them.
// CHECK-LABEL: func.func @functions
//       CHECK: math.exp %{{.+}} fastmath<afn> : f32
//       CHECK: arith.divf %{{.+}}, %{{.+}} fastmath<afn> : f32
//       CHECK: arith.truncf
//       CHECK: math.exp %{{[0-9a-z_]+}} : f32
func.func @functions(%x: tensor<40x32xf32>) -> tensor<40x32xf32> {
  %w = glow.constant dense<1.0> : tensor<32x32xf32>
  %0 = glow.map %x {element_type = f32} do {
  ^bb0(%a: f32):
    %one = arith.constant 1.0 : f32
    %e = math.exp %a : f32
    %d = arith.divf %one, %e : f32
    glow.yield %d : f32
  } : (tensor<40x32xf32>) -> tensor<40x32xf32>
  %1 = glow.matmul %0, %w : (tensor<40x32xf32>, tensor<32x32xf32>) -> tensor<40x32xf32>
  %2 = glow.map %1 {element_type = f32} do {
  ^bb0(%a: f32):
    %e = math.exp %a : f32
    glow.yield %e : f32
  } : (tensor<40x32xf32>) -> tensor<40x32xf32>
  return %2 : tensor<40x32xf32>
}

// -----

// Of a difference the leading digits may be lost, and a logarithm needs all.
// CHECK-LABEL: func.func @differences
//   CHECK-NOT: fastmath<afn>
//       CHECK: math.log
//       CHECK: arith.truncf
func.func @differences(%x: tensor<40x32xf32>) -> tensor<40x32xf32> {
  %w = glow.constant dense<1.0> : tensor<32x32xf32>
  %0 = glow.map %x {element_type = f32} do {
  ^bb0(%a: f32):
    %one = arith.constant 1.0 : f32
    %t = math.tanh %a : f32
    %s = arith.subf %one, %t : f32
    %d = arith.divf %one, %s : f32
    %l = math.log %d : f32
    glow.yield %l : f32
  } : (tensor<40x32xf32>) -> tensor<40x32xf32>
  %1 = glow.matmul %0, %w : (tensor<40x32xf32>, tensor<32x32xf32>) -> tensor<40x32xf32>
  return %1 : tensor<40x32xf32>
}

// -----

// Groups of a few channels share vectors, whose pairs are multiplied at once;
// tile registers have none of that.
// PAIRS-LABEL: func.func @narrow_groups
//       PAIRS: } : (tensor<1x8x8x16xbf16>, tensor<3x3x4x16xbf16>) -> tensor<1x6x6x16xf32>
// TILES-LABEL: func.func @narrow_groups
//       TILES: glow.conv {{.*}}, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
func.func @narrow_groups(%x: tensor<1x8x8x16xf32>) -> tensor<1x6x6x16xf32> {
  %w = glow.constant dense<1.0> : tensor<3x3x4x16xf32>
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 4 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>} : (tensor<1x8x8x16xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return %0 : tensor<1x6x6x16xf32>
}

// -----

// The largest of rounded numbers is one of them.
// CHECK-LABEL: func.func @largest
//       CHECK: %[[X:.+]] = glow.map %arg0 {element_type = bf16}
//       CHECK: %[[MAX:.+]] = glow.reduce max %[[X]] {{.*}} : (tensor<4x6x8xbf16>) -> tensor<4x8xbf16>
//       CHECK: glow.matmul %[[MAX]]
func.func @largest(%x: tensor<4x6x8xf32>) -> tensor<4x16xf32> {
  %w = glow.constant dense<1.0> : tensor<8x16xf32>
  %0 = glow.map %x {element_type = f32} do {
  ^bb0(%a: f32):
    %s = arith.addf %a, %a : f32
    glow.yield %s : f32
  } : (tensor<4x6x8xf32>) -> tensor<4x6x8xf32>
  %1 = glow.reduce max %0 {axes = array<i64: 1>} : (tensor<4x6x8xf32>) -> tensor<4x8xf32>
  %2 = glow.matmul %1, %w : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %2 : tensor<4x16xf32>
}
