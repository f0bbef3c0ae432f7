// RUN: glow-opt %s -convert-glow-to-inst | FileCheck %s

// A row and a column of tiles reach over the 3 x 3 result: the output's map comes
// in four pieces, of which the first writes four elements of a tile, the last one.
// CHECK-LABEL: func.func @edges(
// CHECK: glow_inst.alloc : memref<1x6x6x2xf32>
// CHECK-COUNT-4: glow_inst.fill
// CHECK: glow_inst.copy %arg0
// CHECK: %[[MATRICES:.+]] = glow_inst.alloc : memref<16x4x2xf32>
// CHECK: glow_inst.map ins({{.*}}memref<1x2x2x2xf32, strided<[72, 24, 4, 1]>>, {{.*}}) outs({{.*}}memref<1x2x2x2xf32, strided<[8, 4, 2, 1], offset: 120>>)
// CHECK: arith.subf {{.*}} fastmath<contract>
// CHECK: %[[PRODUCTS:.+]] = glow_inst.alloc : memref<16x4x5xf32>
// CHECK: glow_inst.matmul ins(%[[MATRICES]], %arg1 : {{.*}}) outs(%[[PRODUCTS]] : memref<16x4x5xf32>)
// CHECK-COUNT-3: glow_inst.map ins
// CHECK: glow_inst.map ins({{.*}}) outs(%{{[0-9]+}} : memref<1x1x1x5xf32, strided<[45, 30, 10, 1], offset: 40>>)
// CHECK-NOT: glow_inst.map
func.func @edges(%x: tensor<1x3x3x2xf32>, %w: tensor<16x2x5xf32>, %b: tensor<5xf32>) -> tensor<1x3x3x5xf32> {
  %0 = glow.conv %x, %w bias(%b) {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, output_channels = 5 : i64, pads = array<i64: 1, 1, 1, 1>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 2>} : (tensor<1x3x3x2xf32>, tensor<16x2x5xf32>, tensor<5xf32>) -> tensor<1x3x3x5xf32>
  return %0 : tensor<1x3x3x5xf32>
}

// A row of tiles at a time; without padding the input is read in place.
// CHECK-LABEL: func.func @bands(
// CHECK-NOT: glow_inst.copy
// CHECK-COUNT-4: glow_inst.matmul
// CHECK-NOT: glow_inst.matmul
func.func @bands(%x: tensor<2x6x6x2xf32>, %w: tensor<16x2x5xf32>) -> tensor<2x4x4x5xf32> {
  %0 = glow.conv %x, %w {dilations = array<i64: 1, 1>, group = 1 : i64, kernel_shape = array<i64: 3, 3>, layout = #glow.layout<channels_last>, output_channels = 5 : i64, pads = array<i64: 0, 0, 0, 0>, strides = array<i64: 1, 1>, winograd = #glow.winograd<outputs = 2, rows = 1>} : (tensor<2x6x6x2xf32>, tensor<16x2x5xf32>) -> tensor<2x4x4x5xf32>
  return %0 : tensor<2x4x4x5xf32>
}
