// RUN: glow-opt %s -convert-glow-to-inst | FileCheck %s

// CHECK-LABEL: func.func @arguments(
// CHECK-SAME: %[[X:.+]]: memref<2x3xf32> {glow.name = "x"}
// CHECK-SAME: %[[Y:.+]]: memref<2x3xf32> {glow.name = "y", glow_inst.output}
// CHECK-SAME: %[[Z:.+]]: memref<2x3xf32> {glow.name = "z", glow_inst.output}
func.func @arguments(%x: tensor<2x3xf32> {glow.name = "x"})
    -> (tensor<2x3xf32> {glow.name = "y"}, tensor<2x3xf32> {glow.name = "z"}) {
  // CHECK: glow_inst.map ins(%[[X]] : memref<2x3xf32>) outs(%[[Y]] : memref<2x3xf32>)
  // CHECK: math.exp
  %0 = glow.exp %x : (tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK: glow_inst.copy %[[Y]] -> %[[Z]]
  // CHECK-NEXT: return{{$}}
  return %0, %0 : tensor<2x3xf32>, tensor<2x3xf32>
}

// CHECK-LABEL: func.func @identity(
// CHECK: glow_inst.copy %arg0 -> %arg1
func.func @identity(%x: tensor<2xf32>) -> tensor<2xf32> {
  return %x : tensor<2xf32>
}

// Equal constants are one buffer.
// CHECK-LABEL: func.func @constants(
// CHECK: %[[C:.+]] = glow_inst.constant dense<2.0
// CHECK-NOT: glow_inst.constant
// CHECK: glow_inst.map ins(%[[C]], %[[C]] :
func.func @constants() -> tensor<2xf32> {
  %a = glow.constant dense<2.0> : tensor<2xf32>
  %b = glow.constant dense<2.0> : tensor<2xf32>
  %0 = glow.add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// CHECK-LABEL: func.func @matmul_vectors(
// CHECK-DAG: %[[A:.+]] = glow_inst.view %arg0 : memref<4xf32> to memref<1x4xf32>
// CHECK-DAG: %[[B:.+]] = glow_inst.view %arg1 : memref<4xf32> to memref<4x1xf32>
// CHECK-DAG: %[[C:.+]] = glow_inst.view %arg2 : memref<f32> to memref<1x1xf32>
// CHECK: glow_inst.matmul ins(%[[A]], %[[B]] : {{.*}} outs(%[[C]] : memref<1x1xf32>)
func.func @matmul_vectors(%a: tensor<4xf32>, %b: tensor<4xf32>) -> tensor<f32> {
  %0 = glow.matmul %a, %b : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// The row's axis is one of what is added, too; a vector has none there.
// CHECK-LABEL: func.func @row_of_each_matrix(
// CHECK-DAG: %[[A:.+]] = glow_inst.view %arg0 : memref<5xf32> to memref<1x5xf32>
// CHECK-DAG: %[[C:.+]] = glow_inst.view %arg2 : memref<2x6xf32> to memref<2x1x6xf32>
// CHECK: glow_inst.matmul ins(%[[A]], %arg1 : {{.*}}) epilogue(%[[C]], %arg3 : memref<2x1x6xf32>, memref<6xf32>) outs({{.*}} : memref<2x1x6xf32>)
func.func @row_of_each_matrix(%a: tensor<5xf32>, %b: tensor<2x5x6xf32>, %c: tensor<2x6xf32>, %d: tensor<6xf32>) -> tensor<2x6xf32> {
  %0 = glow.matmul %a, %b epilogue(%c, %d) do {
  ^bb0(%acc: f32, %x: f32, %y: f32):
    %1 = arith.addf %acc, %x : f32
    %2 = arith.mulf %1, %y : f32
    glow.yield %2 : f32
  } : (tensor<5xf32>, tensor<2x5x6xf32>, tensor<2x6xf32>, tensor<6xf32>) -> tensor<2x6xf32>
  return %0 : tensor<2x6xf32>
}

// CHECK-LABEL: func.func @conv_bias(
// CHECK: %[[BIAS:.+]] = glow_inst.view %arg2 : memref<4xf32> to memref<4x1x1xf32>
// CHECK: glow_inst.conv ins(%arg0, %arg1 : {{.*}}) epilogue(%[[BIAS]] : memref<4x1x1xf32>) outs(%arg3 :
// CHECK: ^bb0(%[[ACC:.+]]: f32, %[[B:.+]]: f32):
// CHECK: %[[SUM:.+]] = arith.addf %[[ACC]], %[[B]]
// CHECK: %[[MAX:.+]] = arith.maximumf %[[SUM]]
// CHECK: glow.yield %[[MAX]]
func.func @conv_bias(%x: tensor<1x3x8x8xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<1x4x8x8xf32> {
  %0 = glow.conv %x, %w bias(%b) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>,
    pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>} do {
  ^bb0(%acc: f32):
    %zero = arith.constant 0.0 : f32
    %1 = arith.maximumf %acc, %zero : f32
    glow.yield %1 : f32
  } : (tensor<1x3x8x8xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>) -> tensor<1x4x8x8xf32>
  return %0 : tensor<1x4x8x8xf32>
}

// CHECK-LABEL: func.func @pack(
// CHECK: glow_inst.copy %{{.+}} -> %{{.+}} : memref<2x6x4xf32, strided<[4, 10, 1]>> -> memref<2x6x4xf32>
// CHECK: glow_inst.copy %{{.+}} -> %{{.+}} : memref<1x6x2xf32, strided<[4, 10, 1], offset: 8>>
// CHECK: glow_inst.fill
func.func @pack(%w: tensor<6x10xf32>) -> tensor<3x6x4xf32> {
  %0 = glow.pack %w {width = 4 : i64} : (tensor<6x10xf32>) -> tensor<3x6x4xf32>
  return %0 : tensor<3x6x4xf32>
}

// One map writes all pieces; what fills them up is zero.
// CHECK-LABEL: func.func @pieces(
// CHECK-DAG: glow_inst.fill {{.*}} memref<8x12xbf16, strided<[64, 1], offset: 20>>
// CHECK-DAG: glow_inst.fill {{.*}} memref<8x12xbf16, strided<[64, 1], offset: 52>>
// CHECK: glow_inst.map ins(%arg0 : memref<8x20xf32>) outs({{.*}} : memref<8x20xbf16, strided<[64, 1]>>, memref<8x20xbf16, strided<[64, 1], offset: 32>>)
// CHECK: %[[HIGH:.+]] = arith.truncf %[[X:.+]] fastmath<afn> : f32 to bf16
// CHECK: %[[WIDE:.+]] = arith.extf %[[HIGH]]
// CHECK: %[[REST:.+]] = arith.subf %[[X]], %[[WIDE]]
// CHECK: %[[LOW:.+]] = arith.truncf %[[REST]] fastmath<afn>
// CHECK: glow.yield %[[HIGH]], %[[LOW]]
func.func @pieces(%x: tensor<8x20xf32>) -> tensor<8x64xbf16> {
  %0 = glow.bf16_pieces %x {axis = 1 : i64, multiple = 32 : i64, pieces = 2 : i64} : (tensor<8x20xf32>) -> tensor<8x64xbf16>
  return %0 : tensor<8x64xbf16>
}

// CHECK-LABEL: func.func @mean(
// CHECK: %[[FLAT:.+]] = glow_inst.view %arg1 : memref<2x1xf32> to memref<2xf32>
// CHECK: glow_inst.reduce sum ins(%arg0 : memref<2x8xf32>) outs(%[[FLAT]] : memref<2xf32>) axes = [1]
// CHECK: glow_inst.map ins(%[[FLAT]] : memref<2xf32>) outs(%[[FLAT]] : memref<2xf32>)
// CHECK: arith.constant 1.250000e-01
func.func @mean(%x: tensor<2x8xf32>) -> tensor<2x1xf32> {
  %0 = glow.reduce mean %x {axes = array<i64: 1>, keep_dims} : (tensor<2x8xf32>) -> tensor<2x1xf32>
  return %0 : tensor<2x1xf32>
}

// Nothing is summed, and nothing is computed without elements.
// CHECK-LABEL: func.func @empty(
// CHECK-NOT: glow_inst.map
// CHECK: glow_inst.fill %arg3 with 0.0
// CHECK: glow_inst.fill %arg4 with 0xFF800000 : f32
// CHECK-NEXT: return
func.func @empty(%a: tensor<2x0xf32>, %b: tensor<0x3xf32>) -> (tensor<0x2xf32>, tensor<2x3xf32>, tensor<2xf32>) {
  %shape = glow.constant dense<[0, 2]> : tensor<2xi64>
  %0 = glow.reshape %a, %shape {allow_zero} : (tensor<2x0xf32>, tensor<2xi64>) -> tensor<0x2xf32>
  %1 = glow.exp %0 : (tensor<0x2xf32>) -> tensor<0x2xf32>
  %2 = glow.matmul %a, %b : (tensor<2x0xf32>, tensor<0x3xf32>) -> tensor<2x3xf32>
  %3 = glow.reduce max %a {axes = array<i64: 1>} : (tensor<2x0xf32>) -> tensor<2xf32>
  return %1, %2, %3 : tensor<0x2xf32>, tensor<2x3xf32>, tensor<2xf32>
}
